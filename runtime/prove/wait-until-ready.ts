import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../cli/exit.ts';
import { familyOf } from './family-name.ts';
import { howItEnded, type Program } from './program.ts';

/** What a program must have done to be ready; without any of it, it is ready once it is quiet. */
export interface Readiness {
  port?: number;
  text?: string;
  timeoutMs: number;
}

/** How long no new descendant may appear: after a condition was met, and where there is none (then no output either). */
const QUIET_MS = { afterCondition: 500, alone: 2000 };

const SCAN_EVERY_MS = 100;

/** Whether anybody accepts connections on a port of this machine. */
export const isTaken = async (port: number): Promise<boolean> =>
  (await Promise.all(['127.0.0.1', '::1'].map((host) => accepts(host, port)))).includes(true);

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const answer = (yes: boolean) => () => {
      socket.destroy();
      resolve(yes);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false));
  });

const wanted = ({ port, text }: Readiness): string =>
  [port !== undefined && `port ${port}`, text !== undefined && `the text "${text}"`]
    .filter((each) => each !== false)
    .join(' and ') || 'a moment without output and new processes';

/**
 * Waits until a program is ready to be killed, and finds its descendants meanwhile.
 * @param onOutput is given what the program prints.
 * @throws UserError where it ends before, or is not ready in time.
 */
export async function waitUntilReady(
  { name, child, descendants, output }: Program,
  readiness: Readiness,
  signal: AbortSignal,
  onOutput?: (text: string) => void,
): Promise<void> {
  const { port, text, timeoutMs } = readiness;
  const hasCondition = port !== undefined || text !== undefined;
  const quietMs = hasCondition ? QUIET_MS.afterCondition : QUIET_MS.alone;
  const start = performance.now();
  let [isMet, lastChange, known] = [!hasCondition, start, 0];
  for (;;) {
    descendants.scan();
    const fresh = output.read();
    onOutput?.(fresh);
    const now = performance.now();
    // A loop that starts the same helper again and again is quiet too.
    const kinds = new Set(descendants.all.map((each) => `${familyOf(each)} ${each.row.comm}`)).size;
    if (kinds !== known || (!hasCondition && fresh !== '')) lastChange = now;
    known = kinds;

    const ended = howItEnded(child);
    if (ended !== undefined) {
      const left = descendants.living().length;
      throw new UserError(
        `${name} ended ${ended} before it could be killed`,
        left > 0
          ? `It left ${left} processes behind. prove needs the owner itself to stay: give it the command that runs on.`
          : undefined,
      );
    }
    if (!isMet) {
      isMet =
        (text === undefined || output.text().includes(text)) && (port === undefined || (await isTaken(port)));
      if (isMet) lastChange = performance.now();
    }
    if (isMet && now - lastChange >= quietMs) return;
    if (now - start > timeoutMs) {
      throw new UserError(
        `${name} was not ready within ${timeoutMs / 1000} s (waited for ${wanted(readiness)})`,
        hasCondition
          ? 'Give it more time with --ready-timeout SECONDS.'
          : 'Say when it is ready with --ready-port PORT or --ready-text TEXT.',
      );
    }
    await sleep(SCAN_EVERY_MS, undefined, { signal });
  }
}
