import { createHash } from 'node:crypto';
import {
  allowedSites,
  applyEdits,
  bindMarkers,
  directiveAt,
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
  type NoteCode,
  type OwnMode,
  type SpawnSettings,
  type SpawnSite,
} from 'eslint-plugin-owned-spawn/api';
import { REASONS, type Reason } from '../recipes/reasons.ts';
import type { FilePlan, Outliving, PlannedSite, Refusal } from './plan.ts';
import { reportedSites, stillReported } from './reported-sites.ts';
import type { Selected } from './selection.ts';
import { todoEdit } from './todo-edit.ts';

export interface PlanOptions {
  outliving: Outliving;
  /** Put a marker without its reason above each site that is left as outliving. */
  markers: boolean;
  /** Put a comment with the reason above each other site that is left. */
  todos: boolean;
  /** What the user's ESLint config says under `settings['owned-spawn']` for the file, checked. */
  settings?: SpawnSettings | undefined;
  /** Which sites are planned at all, by the reason that they have or would have by default. */
  selected?: Selected | undefined;
  /** Why the file is not to be migrated although it could be. */
  refusal?: Refusal | undefined;
  /** Where a test replaces what a site calls, which the runtime would get past. */
  doubleOf?: ((site: SpawnSite) => string | undefined) | undefined;
  /** Whether calls are migrated too that a test replaces by a double. */
  despiteDoubles?: boolean | undefined;
}

/** A file's plan, and whether its code will import the runtime. */
export interface TextPlan extends FilePlan {
  usesRuntime: boolean;
}

type Decision =
  | { do: OwnMode; notes?: readonly NoteCode[] }
  | { leave: Reason; text?: string | undefined }
  | { suppress: Reason };

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
  const plan = { sha256: sha256(text), ...NOTHING };
  let view: ModuleView;
  try {
    view = parseModule(code, path);
  } catch (error) {
    const broken = syntaxError(error);
    return options.selected?.({ ...broken, path }) === false ? plan : { ...plan, sites: [broken] };
  }
  const sites = reportedSites(view, options.settings);
  const all = planSites(view, sites, path, options);
  const kept = sites.filter((site, n) => {
    const { line, column } = site.name.loc.start;
    const reason = reasonOf(view, site, all.sites[n]);
    return options.selected?.({ path, line, column: column + 1, reason }) ?? true;
  });
  return { ...plan, ...(kept.length < sites.length ? planSites(view, kept, path, options) : all) };
}

const NOTHING = { edits: [], sites: [], usesRuntime: false };

/** Why a site is left, or would be if nothing had been said about children that outlive, and about doubles. */
function reasonOf(view: ModuleView, site: SpawnSite, planned: PlannedSite | undefined): Reason | undefined {
  const isOption = site.form === 'option' && !site.api.startsWith('owned-spawn.');
  if (planned?.reason) return planned.reason;
  if (isOption && intentOf(view, site).kind === 'outlives') return 'outlives';
  return planned?.notes?.includes('test-double') ? 'replaced-in-test' : undefined;
}

/** Plans the given sites of a file together: they may share options, imports and variables. */
function planSites(
  view: ModuleView,
  sites: readonly SpawnSite[],
  path: string,
  options: PlanOptions,
): Omit<TextPlan, 'sha256'> {
  if (sites.length === 0) return NOTHING;
  const code = view.text;
  const decide = decider(view, path, sites, options);
  const first = draft(
    view,
    sites.map((site) => ({ site, decision: decide(site) })),
    options,
  );
  const stubborn = first.edits && stillReported(view, owned(first), first.edits, options.settings);
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
    : !stubborn || (looksBroken(applyEdits(code, last.edits), path) && !looksBroken(code, path))
      ? 'reparse'
      : undefined;
  if (!last.edits || reason)
    return {
      ...NOTHING,
      sites: last.sites.map((each) => (each.status === 'migrate' ? leave(each, reason ?? 'overlap') : each)),
    };
  return {
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

/** The sites of a draft whose child is to end with its owner. */
const owned = ({ decisions, sites }: Draft): SpawnSite[] =>
  decisions.flatMap(({ site, decision }, n) =>
    sites[n]?.status === 'migrate' && 'do' in decision && decision.do === 'own' ? [site] : [],
  );

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
  { outliving, settings, refusal, doubleOf, despiteDoubles }: PlanOptions,
): (site: SpawnSite) => Decision {
  const bound = bindMarkers(view, readMarkers(view), sites);
  const marked = new Set(
    [...bound].flatMap(([{ kind, fault }, at]) =>
      kind === 'detached-spawn' && fault === undefined ? at : [],
    ),
  );
  const allowed = allowedSites(view, sites, settings, 'detached-spawn');
  const disabled = directiveAt(view, ['no-detached-spawn']);
  const isWorker = /\bworker_threads\b/.test(view.text) && /\bparentPort\b/.test(view.text);
  return (site) => {
    const { line, column } = site.name.loc.start;
    if (marked.has(site)) return { suppress: 'marker' };
    if (allowed.has(site)) return { suppress: 'allow' };
    if (disabled(line, column)) return { suppress: 'eslint-disabled' };
    if (refusal) return { leave: refusal.reason, text: refusal.text };
    if (site.form === 'ineffective') return { do: 'own' };
    if (isWorker) return { leave: 'worker' };
    if (TEST_FILE.test(path)) return { leave: 'test-code' };
    if (site.form !== 'option' || site.api.startsWith('owned-spawn.')) return { do: 'own' };
    const { kind, signal } = intentOf(view, site);
    const isOutliving = kind === 'outlives' && outliving !== 'own';
    if (isOutliving && outliving === 'leave') return left('outlives', signal);
    const double = doubleOf?.(site);
    if (double !== undefined && !despiteDoubles) return left('replaced-in-test', double);
    return { do: isOutliving ? 'detach' : 'own', notes: double === undefined ? [] : ['test-double'] };
  };
}

const left = (reason: Reason, detail: string): Decision => ({
  leave: reason,
  text: detail === '' ? REASONS[reason].short : `${REASONS[reason].short} (${detail})`,
});

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
  const notes = [...result.notes, ...(decision.notes ?? [])];
  const { kept = [] } = result;
  return {
    status: 'migrate',
    ...place,
    ...(notes.length > 0 && { notes }),
    ...(kept.length > 0 && { kept }),
  };
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
  const edit = todoEdit(view, site.call, reason, short);
  return edit ? [edit] : [];
}
