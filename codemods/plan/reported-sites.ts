import {
  applyEdits,
  findSpawns,
  parseModule,
  type Edit,
  type ModuleView,
  type SpawnSettings,
  type SpawnSite,
} from 'eslint-plugin-owned-spawn/api';
import type { Reason } from '../recipes/reasons.ts';

/** The sites that the rule reports, unless something excuses them. */
export const reportedSites = (view: ModuleView, settings: SpawnSettings | undefined): SpawnSite[] =>
  findSpawns(view, settings).filter(({ verdict }) => verdict.is === 'yes' || verdict.is === 'maybe');

/**
 * The gate: rewritten sites that detection finds in the edited text as before (`detached` went, a launcher in argv stays),
 * with the reason to leave them. Undefined where the edited text does not parse.
 *
 * @param rewritten sites whose child is to end with its owner
 */
export function stillReported(
  { text, filename }: ModuleView,
  rewritten: readonly SpawnSite[],
  edits: readonly Edit[],
  settings: SpawnSettings | undefined,
): Map<SpawnSite, Reason> | undefined {
  const found = new Map<SpawnSite, Reason>();
  if (edits.length === 0) return found;
  let after: Map<number, SpawnSite>;
  try {
    const reported = reportedSites(parseModule(applyEdits(text, edits), filename), settings);
    after = new Map(reported.map((site) => [site.call.range[0], site]));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  for (const site of rewritten) {
    const again = after.get(moved(site.call.range[0], edits));
    if (again) found.set(site, STUBBORN[again.form]);
  }
  return found;
}

const STUBBORN: Readonly<Record<SpawnSite['form'], Reason>> = {
  option: 'options-elsewhere',
  ineffective: 'options-elsewhere',
  launcher: 'launcher',
  shell: 'shell-text',
};

/** Where an offset is once the edits before it are made. */
function moved(offset: number, edits: readonly Edit[]): number {
  const before = edits.filter(({ start, end }) => end <= offset && (start < offset || start === end));
  return before.reduce((at, { start, end, text }) => at + text.length - (end - start), offset);
}
