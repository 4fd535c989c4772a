import { killOwned } from './kill-owned.ts';
import { checkGrace } from './options.ts';
import { registry } from './registry.ts';

/**
 * Ends all that is owned, as killOwned() ends one, all at once: TERM, graceMs, KILL. For an orderly end that waits for its
 * children; one that does not wait needs no call.
 * @param options.graceMs milliseconds from TERM to KILL; by default those that each child was started with
 * @returns resolves when nobody is left: after the longest grace and five seconds at the latest
 * @throws (rejects) TypeError for a wrong graceMs; AggregateError with the errors of those that could not be ended
 */
export async function shutdownOwned(options: { graceMs?: number | undefined } = {}): Promise<void> {
  if (options.graceMs !== undefined) checkGrace(options.graceMs);
  const results = await Promise.allSettled(
    [...registry.groups.keys()].map((pgid) => killOwned(pgid, options)),
  );
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} owned groups could not be ended`);
}
