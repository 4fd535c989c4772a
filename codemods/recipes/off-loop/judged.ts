import { shownPath, symbolAt } from 'eslint-plugin-owned-spawn/api';
import type { PlannedSite } from '../../plan/plan.ts';
import { REASONS, type Reason } from '../reasons.ts';
import type { Blocker } from './requirements.ts';
import type { Closure, SurveyedSite } from './survey.ts';

/** A site and what becomes of it. */
export interface Judged extends SurveyedSite {
  closure: Closure;
  status: PlannedSite['status'];
  reason?: Reason | undefined;
  /** The places that stand in the way, the nearest first. */
  blockers: readonly Blocker[];
  text?: string | undefined;
  set: string;
}

type Verdict = Pick<Judged, 'status' | 'reason' | 'blockers'>;

/** What stands in the way of calls that nothing on the loop leads to either. */
const IDLE = new Set<Blocker['reason']>(['top-level', 'replaced-in-test', 'unawaited-caller']);

/** What becomes of a site by itself. */
export function judge({ blockers, isOnLoop }: Closure, everywhere: boolean): Verdict {
  const [first] = blockers;
  // All its callers were followed, and the start of the program is all that there is.
  const isIdle = !isOnLoop && blockers.every(({ reason }) => IDLE.has(reason));
  if (isIdle && !everywhere) return { status: 'suppressed', reason: 'not-on-loop', blockers: [] };
  if (first) return { status: 'left', reason: first.reason, blockers };
  return { status: 'migrate', blockers };
}

/** Takes back that a site is migrated. */
export function leave(each: Judged, reason: Reason, text?: string): void {
  each.status = 'left';
  each.reason = reason;
  each.text = text;
}

/** A site as the plan has it. */
export function plannedSite(each: Judged, base: string): PlannedSite {
  const { site, status, reason, text, closure, set, blockers } = each;
  const { line, column } = site.name.loc.start;
  return {
    status,
    line,
    column: column + 1,
    symbol: symbolAt(site.call),
    callee: site.api,
    ...(status === 'migrate' ? { set } : {}),
    ...(status === 'migrate' && closure.notes.size > 0 ? { notes: [...closure.notes].sort() } : {}),
    ...(reason && status !== 'migrate'
      ? {
          reason,
          ...REASONS[reason],
          short: text ?? REASONS[reason].short + placesText(blockers, each, base),
        }
      : {}),
  };
}

/** Up to three of the places that stand in the way. */
function placesText(blockers: readonly Blocker[], { module, site }: SurveyedSite, base: string): string {
  const { start, end } = site.call.loc;
  const others = blockers.filter(
    ({ file, line }) => file !== module.view.filename || line < start.line || line > end.line,
  );
  if (others.length === 0) return '';
  const places = others
    .slice(0, 3)
    .map(
      ({ reason, file, line, column }) =>
        `${reason === blockers[0]?.reason ? '' : `${reason} `}${shownPath(file, base)}:${line}:${column}`,
    );
  const more = others.length > 3 ? `, … (${others.length})` : '';
  return ` (${places.join(', ')}${more})`;
}
