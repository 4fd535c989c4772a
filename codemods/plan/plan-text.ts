import { createHash } from 'node:crypto';
import {
  allowedSites,
  applyEdits,
  bindMarkers,
  commentAbove,
  findSpawns,
  hasOverlap,
  intentOf,
  looksBroken,
  markerSkeletonEdits,
  ownSpawns,
  parseModule,
  readMarkers,
  sortedEdits,
  symbolAt,
  type Edit,
  type EditResult,
  type ModuleSyntaxError,
  type ModuleView,
  type OwnMode,
  type SpawnSettings,
  type SpawnSite,
} from 'eslint-plugin-owned-spawn/api';
import { REASONS, type Reason } from '../recipes/reasons.ts';
import { disabledAt } from './disabled.ts';
import type { FilePlan, Outliving, PlannedSite } from './plan.ts';

export interface PlanOptions {
  outliving: Outliving;
  /** Put a marker without its reason above each site that is left as outliving. */
  markers: boolean;
  /** Put a comment with the reason above each other site that is left. */
  todos: boolean;
  /** What the user's ESLint config says under `settings['owned-spawn']` for the file, checked. */
  settings?: SpawnSettings | undefined;
}

/** A file's plan, and whether its code will import the runtime. */
export interface TextPlan extends FilePlan {
  usesRuntime: boolean;
}

type Decision = { do: OwnMode } | { leave: Reason; text?: string } | { suppress: Reason };

const TODO = 'owned-spawn-todo:';
const TEST_FILE = /[.-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__(?:tests|mocks)__\//;

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/**
 * Plans one file.
 *
 * @param text the file's text, a byte order mark included
 * @param path its extension says how to parse; groups of the settings name files by the end of it
 */
export function planText(text: string, path: string, options: PlanOptions): TextPlan {
  const code = text.replace(/^\uFEFF/, '');
  const plan = { sha256: sha256(text), edits: [], sites: [], usesRuntime: false };
  let view: ModuleView;
  try {
    view = parseModule(code, path);
  } catch (error) {
    return { ...plan, sites: [syntaxError(error)] };
  }
  const sites = candidates(view, options);
  if (sites.length === 0) return plan;
  const decide = decider(view, path, sites, options);
  const first = draft(
    view,
    sites.map((site) => ({ site, decision: decide(site) })),
    options,
  );
  const stubborn = first.edits && stillReported(view, first, first.edits, path, options);
  const last =
    stubborn && stubborn.size > 0
      ? draft(
          view,
          first.decisions.map(({ site, decision }) => {
            const reason = stubborn.get(site);
            return { site, decision: reason ? { leave: reason } : decision };
          }),
          options,
        )
      : first;
  const reason = !last.edits
    ? 'overlap'
    : !stubborn || looksBroken(applyEdits(code, last.edits), path)
      ? 'reparse'
      : undefined;
  if (!last.edits || reason)
    return {
      ...plan,
      sites: last.sites.map((each) => (each.status === 'migrate' ? leave(each, reason ?? 'overlap') : each)),
    };
  return {
    ...plan,
    edits: last.edits.map((edit) => ({ ...edit, old: code.slice(edit.start, edit.end) })),
    sites: last.sites,
    usesRuntime: sites.some((site, n) => last.sites[n]?.status === 'migrate' && site.form !== 'ineffective'),
  };
}

interface Decided {
  site: SpawnSite;
  decision: Decision;
}

/** What becomes of the sites, decided; the edits are missing where two of them collide. */
interface Draft {
  decisions: readonly Decided[];
  sites: PlannedSite[];
  edits: Edit[] | undefined;
}

function draft(view: ModuleView, decisions: readonly Decided[], options: PlanOptions): Draft {
  const wanted = decisions.flatMap(({ site, decision }) =>
    'do' in decision ? [{ site, mode: decision.do }] : [],
  );
  const results = new Map<SpawnSite, EditResult>();
  ownSpawns(view, wanted).forEach((result, i) => {
    const one = wanted[i];
    if (one) results.set(one.site, result);
  });
  const planned = decisions.map(({ site, decision }) => outcome(site, decision, results.get(site)));
  const rewrites = [...results.values()].flatMap((result) => ('edits' in result ? result.edits : []));
  const comments = planned.flatMap((each, i) => commentEdits(view, each, decisions[i]?.site, options));
  const edits = sortedEdits([...rewrites, ...comments]);
  return { decisions, sites: planned, edits: hasOverlap(edits) ? undefined : edits };
}

/**
 * The gate: sites that detection finds in the edited text as before (`detached` went, a launcher in argv stays), with the
 * reason to leave them. Undefined where the edited text does not parse.
 */
function stillReported(
  { text }: ModuleView,
  { decisions, sites }: Draft,
  edits: readonly Edit[],
  path: string,
  options: PlanOptions,
): Map<SpawnSite, Reason> | undefined {
  const found = new Map<SpawnSite, Reason>();
  if (edits.length === 0) return found;
  let after: Map<number, SpawnSite>;
  try {
    const reported = candidates(parseModule(applyEdits(text, edits), path), options);
    after = new Map(reported.map((site) => [site.call.range[0], site]));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  decisions.forEach(({ site, decision }, n) => {
    if (sites[n]?.status !== 'migrate' || !('do' in decision) || decision.do === 'detach') return;
    const again = after.get(moved(site.call.range[0], edits));
    if (again) found.set(site, STUBBORN[again.form]);
  });
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

const candidates = (view: ModuleView, { settings }: PlanOptions): SpawnSite[] =>
  findSpawns(view, settings).filter(({ verdict }) => verdict.is === 'yes' || verdict.is === 'maybe');

function syntaxError(error: unknown): PlannedSite {
  const { line, column, message } = error as ModuleSyntaxError;
  if (!(error instanceof SyntaxError)) throw error;
  return {
    ...leave({ status: 'left', line, column: column + 1, symbol: '', callee: '' }, 'syntax-error'),
    short: message,
  };
}

/** The recipe: what happens to a site, the first row that fits. */
function decider(
  view: ModuleView,
  path: string,
  sites: readonly SpawnSite[],
  { outliving, settings }: PlanOptions,
): (site: SpawnSite) => Decision {
  const bound = bindMarkers(view, readMarkers(view), sites);
  const marked = new Set(
    [...bound].flatMap(([{ kind, fault }, at]) =>
      kind === 'detached-spawn' && fault === undefined ? at : [],
    ),
  );
  const allowed = allowedSites(view, sites, settings);
  const isDisabled = disabledAt(view);
  const isWorker = /\bworker_threads\b/.test(view.text) && /\bparentPort\b/.test(view.text);
  return (site) => {
    const { line, column } = site.name.loc.start;
    if (marked.has(site)) return { suppress: 'marker' };
    if (allowed.has(site)) return { suppress: 'allow' };
    if (isDisabled(line, column)) return { suppress: 'eslint-disabled' };
    if (site.form === 'ineffective') return { do: 'own' };
    if (isWorker) return { leave: 'worker' };
    if (TEST_FILE.test(path)) return { leave: 'test-code' };
    if (site.form !== 'option' || site.api.startsWith('owned-spawn.')) return { do: 'own' };
    const { kind, signal } = intentOf(view, site);
    if (kind !== 'outlives' || outliving === 'own') return { do: 'own' };
    if (outliving === 'detach') return { do: 'detach' };
    return {
      leave: 'outlives',
      text: signal === '' ? REASONS.outlives.short : `${REASONS.outlives.short} (${signal})`,
    };
  };
}

function outcome(site: SpawnSite, decision: Decision, result: EditResult | undefined): PlannedSite {
  const { line, column } = site.name.loc.start;
  const place = { line, column: column + 1, symbol: symbolAt(site.call), callee: site.api };
  if ('suppress' in decision)
    return { ...leave({ status: 'left', ...place }, decision.suppress), status: 'suppressed' };
  if ('leave' in decision) {
    const left = leave({ status: 'left', ...place }, decision.leave);
    return decision.text === undefined ? left : { ...left, short: decision.text };
  }
  if (!result || 'reason' in result) return leave({ status: 'left', ...place }, result?.reason ?? 'overlap');
  return { status: 'migrate', ...place, ...(result.notes.length > 0 && { notes: result.notes }) };
}

const leave = (site: PlannedSite, reason: Reason): PlannedSite => ({
  ...site,
  status: 'left',
  reason,
  ...REASONS[reason],
});

/** The comments that were asked for above a site that is left; none where one stands already. */
function commentEdits(
  view: ModuleView,
  { status, reason, short }: PlannedSite,
  site: SpawnSite | undefined,
  { markers, todos }: PlanOptions,
): Edit[] {
  if (status !== 'left' || reason === undefined || !site) return [];
  if (markers && reason === 'outlives') {
    const bound = bindMarkers(view, readMarkers(view), [site]);
    if ([...bound.values()].some((at) => at.length > 0)) return [];
    const result = markerSkeletonEdits(view, site);
    return 'edits' in result ? result.edits : [];
  }
  if (!todos) return [];
  const edit = commentAbove(view, site.call, `${TODO} ${reason}: ${short ?? ''}`);
  const above = view.text.slice(0, edit.start).trimEnd();
  const line = above.slice(above.lastIndexOf('\n') + 1);
  return line.includes(TODO) ? [] : [edit];
}
