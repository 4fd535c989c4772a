import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  allowedSites,
  baseOf,
  compiler,
  cutOf,
  facadeNameEdits,
  findBlocking,
  forcedConfig,
  isScript,
  looksBroken,
  loopTable,
  offFile,
  programOf,
  references,
  settingsFinder,
  shownPath,
  sourceFiles,
  summaryOf,
  symbolAt,
  applyEdits,
  hasOverlap,
  joinEdits,
  sortedEdits,
  twinNameEdits,
  type BlockingSite,
  type Edit,
  type LoopModule,
  type SpawnSettings,
  type WrappingEdit,
} from 'eslint-plugin-owned-spawn/api';
import { disabledAt } from '../../plan/disabled.ts';
import { packageJsonOf } from '../../plan/package-json.ts';
import { sha256 } from '../../plan/plan-text.ts';
import type { FilePlan, PlannedSite } from '../../plan/plan.ts';
import { planManifests, type Planned, type ProjectOptions } from '../../plan/project.ts';
import { todoEdit } from '../../plan/todo-edit.ts';
import { REASONS, type Reason } from '../reasons.ts';
import { defaultNamesIn } from './default-names.ts';
import { modulesOf, type Modules } from './modules.ts';
import { packagesOf } from './packages.ts';
import { racesOf } from './races.ts';
import type { Blocker, Ground } from './requirements.ts';
import { sqliteHandles, type SqliteHandle } from './sqlite-handles.ts';
import { surveyOf, type Closure, type SurveyedSite } from './survey.ts';

/** The rules whose findings the recipe mends. */
export const OFF_LOOP_RULES = ['no-blocking-call', 'no-blocking-call-path', 'no-blocking-sqlite'] as const;

/** A site and what becomes of it. */
interface Judged extends SurveyedSite {
  closure: Closure;
  status: PlannedSite['status'];
  reason?: Reason | undefined;
  /** The places that stand in the way, the nearest first. */
  blockers: readonly Blocker[];
  text?: string | undefined;
  set: string;
}

/**
 * Plans to move blocking calls off the event loop, over all files at once; writes nothing.
 *
 * @throws {UserError} for a path or a config that is not there or is wrong
 */
export async function planOffLoop(options: ProjectOptions): Promise<Planned> {
  const { cwd, signal, progress } = options;
  const paths = options.paths.length > 0 ? options.paths : ['.'];
  const base = baseOf(paths, cwd);
  const given = (await sourceFiles(paths, cwd, false)).filter(({ path }) => isScript(path));
  const planned: Planned = {
    plan: { version: 1, recipe: 'off-loop', files: {} },
    base,
    texts: new Map(),
    failures: [],
    notes: [],
    manifests: [],
    files: given.length,
  };
  const settings = await settingsOf(given, options, base);
  const chosen = new Set([...settings.keys()]);
  if (chosen.size === 0) return planned;
  progress('reading the program');
  const around = await sourceFiles([projectFolder(base)], cwd, false);
  const all = [...new Set([...given, ...around].map(({ path }) => path).filter(isScript))];
  const ts = compiler();
  const program = programOf(ts, all, (path) => options.overlay?.get(path));
  const textOf = (file: string): string | undefined => program.getSourceFile(file)?.text;
  const modules = modulesOf(textOf, (file) => settings.get(file));
  const packages = packagesOf(textOf);
  const databases = new Map<LoopModule, SqliteHandle[]>();
  const ground: Ground = {
    modules,
    references: references(ts, program),
    isEsModule: packages.isEsModule,
    isPublic: packages.isPublic,
    isGiven: (file) => chosen.has(file),
    defaultNames: defaultNamesIn(all, textOf),
    databasesOf(module) {
      const its = databases.get(module) ?? sqliteHandles(ground, module);
      databases.set(module, its);
      return its;
    },
    allowApiChange: options.allowApiChange ?? false,
  };
  const survey = surveyOf(ground);
  const sites: Judged[] = [];
  const unseen: SurveyedSite[] = [];
  const files = [...chosen].sort();
  for (const [i, file] of files.entries()) {
    if (signal.aborted) return planned;
    const text = textOf(file);
    const table = loopTable(settings.get(file));
    if (text === undefined || !table.mention.test(text)) continue;
    progress(`planning ${i + 1}/${files.length} ${shownPath(file, base)}`);
    // Between two files a signal is heard.
    await setImmediate();
    const isNew = !modules.has(file);
    const module = modules.at(file);
    if (!module) continue;
    if (findBlocking(module).length === 0 || (offFile(module) !== undefined && !options.everywhere)) {
      if (isNew) modules.forget(file);
      continue;
    }
    const excuse = excusesOf(module, settings.get(file));
    for (const [at, site] of findBlocking(module).entries()) {
      const surveyed = survey.site(module, site);
      if (site.isLight && !site.isRepeated && !options.everywhere) {
        unseen.push(surveyed);
        continue;
      }
      const excused = excuse(at, site);
      const closure = survey.closureOf(surveyed);
      sites.push({
        ...surveyed,
        closure,
        ...(excused
          ? { status: 'suppressed', reason: excused, blockers: [] }
          : judge(closure, options.everywhere ?? false)),
        set: '',
      });
    }
  }
  keepSteps(sites, unseen);
  nameSets(sites, base);
  refuse(sites, options);
  keepTogether(sites);
  const kept = selectedOf(sites, options);
  const edits = settle(kept, modules, options.todos);
  for (const file of new Set([...kept.map(({ module }) => module.view.filename), ...edits.keys()])) {
    const shown = shownPath(file, base);
    const text = options.overlay?.get(file) ?? (await readFile(file, 'utf8'));
    const its = edits.get(file) ?? [];
    planned.plan.files[shown] = {
      sha256: sha256(text),
      edits: its,
      sites: kept
        .filter(({ module }) => module.view.filename === file)
        .map((each) => plannedSite(each, base)),
    };
    if (its.length > 0) planned.texts.set(shown, { path: file, text });
  }
  const users = sites.flatMap(({ status, closure }) =>
    status === 'migrate' ? [...closure.databases].map(({ module }) => module.view.filename) : [],
  );
  await planManifests(new Set(users), planned, options.overlay);
  progress('');
  const sorted = Object.entries(planned.plan.files).sort(([a], [b]) => (a < b ? -1 : 1));
  planned.plan.files = Object.fromEntries(sorted);
  return planned;
}

/** The settings of each file that the user's config has a say about. */
async function settingsOf(
  files: Awaited<ReturnType<typeof sourceFiles>>,
  { config, cwd }: ProjectOptions,
  base: string,
): Promise<Map<string, SpawnSettings>> {
  const find = settingsFinder(base, forcedConfig(config, cwd));
  const found = new Map<string, SpawnSettings>();
  for (const file of files) {
    const settings = await find(file);
    if (settings) found.set(file.path, settings);
  }
  return found;
}

/** All that may call what is migrated: the package around the given folder. */
function projectFolder(base: string): string {
  const manifest = packageJsonOf(`${base}/x`);
  return manifest === undefined ? base : dirname(manifest);
}

/** What a marker, a group of the settings or a directive says of a module's blocking calls. */
function excusesOf(
  module: LoopModule,
  settings: SpawnSettings | undefined,
): (at: number, site: BlockingSite) => Reason | undefined {
  const read = summaryOf(module);
  const cut = cutOf(module, read);
  const isDisabled = disabledAt(module.view, OFF_LOOP_RULES);
  const allowed = allowedSites(module.view, findBlocking(module), settings, 'blocking-call');
  return (at, site) => {
    const { line, column } = site.name.loc.start;
    const unit = read.summary.sites[at]?.unit ?? -1;
    if (allowed.has(site)) return 'allow';
    if (cut?.sites.has(at) || cut?.units.has(unit)) return 'marker';
    return isDisabled(line, column) ? 'eslint-disabled' : undefined;
  };
}

type Verdict = Pick<Judged, 'status' | 'reason' | 'blockers'>;

function judge({ blockers, isOnLoop }: Closure, everywhere: boolean): Verdict {
  const [first] = blockers;
  // All its callers were followed, and the start of the program is all that there is.
  const isIdle = !isOnLoop && blockers.every(({ reason }) => reason === 'top-level');
  if (isIdle && !everywhere) return { status: 'suppressed', reason: 'not-on-loop', blockers: [] };
  if (first) return { status: 'left', reason: first.reason, blockers };
  return { status: 'migrate', blockers };
}

/** What was one step stays one: where a call moves, others may be parted, so it is asked until nothing is added. */
function keepSteps(sites: readonly Judged[], unseen: readonly SurveyedSite[]): void {
  for (;;) {
    const moving = sites.filter(({ status, closure }) => status === 'migrate' && closure.isOnLoop);
    const lost = racesOf([...sites, ...unseen], moving);
    const isWhole = !keepTogether(sites);
    if (lost.size === 0 && isWhole) return;
    for (const each of moving) {
      const blocker = lost.get(each);
      if (!blocker) continue;
      leave(each, blocker.reason);
      each.blockers = [blocker];
    }
  }
}

/** A database moves with all its calls, or not at all. @returns whether one was left for another's sake */
function keepTogether(sites: readonly Judged[]): boolean {
  let isChanged = false;
  for (let size = -1; size !== 0;) {
    size = 0;
    const staying = new Map<SqliteHandle, Judged>();
    for (const each of sites)
      if (each.status !== 'migrate') for (const one of each.closure.databases) staying.set(one, each);
    for (const each of sites) {
      const mate = [...each.closure.databases].map((one) => staying.get(one)).find(Boolean);
      if (each.status !== 'migrate' || !mate) continue;
      size++;
      leave(each, mate.status === 'left' ? (mate.reason ?? 'sqlite') : 'sqlite');
      each.blockers = mate.blockers;
    }
    isChanged ||= size > 0;
  }
  return isChanged;
}

/** Sites that share a function that must be async, or a database, are one set, named after the first of them. */
function nameSets(sites: Judged[], base: string): void {
  const leaders = new Map<unknown, Judged>();
  const names = new Map<string, number>();
  for (const each of sites) {
    if (each.status !== 'migrate') continue;
    const { module, site, closure } = each;
    const met = [...closure.functions, ...closure.databases]
      .map((fn) => leaders.get(fn))
      .find((leader) => leader !== undefined);
    const wish = `${shownPath(module.view.filename, base)}#${symbolAt(site.call)} ${site.api}`;
    const count = (names.get(wish) ?? 0) + 1;
    names.set(wish, count);
    each.set = met?.set ?? (count === 1 ? wish : `${wish} ${String(count)}`);
    for (const fn of [...closure.functions, ...closure.databases]) {
      const other = leaders.get(fn);
      if (other && other.set !== each.set)
        for (const one of sites) if (one.set === other.set) one.set = each.set;
      leaders.set(fn, each);
    }
  }
}

function refuse(sites: readonly Judged[], { refused }: ProjectOptions): void {
  for (const each of sites) {
    const refusal = refused?.get(each.set);
    if (each.status === 'migrate' && refusal) leave(each, refusal.reason, refusal.text);
  }
}

/** The sites that were asked for. A set of which a site, or a file to edit, was not is left whole. */
function selectedOf(sites: readonly Judged[], { selected }: ProjectOptions): readonly Judged[] {
  if (!selected) return sites;
  const kept = sites.filter(({ module, reason }) => selected(module.view.filename, reason));
  const whole = new Set(kept);
  const going = sites.filter(({ status }) => status === 'migrate');
  const parted = new Set(
    going.flatMap((each) =>
      whole.has(each) && each.closure.patches.every(({ file }) => selected(file, each.reason))
        ? []
        : [each.set],
    ),
  );
  for (const each of kept)
    if (each.status === 'migrate' && parted.has(each.set)) leave(each, 'outside-paths');
  return kept;
}

function leave(each: Judged, reason: Reason, text?: string): void {
  each.status = 'left';
  each.reason = reason;
  each.text = text;
}

/** The edits of all that is migrated; where two cannot be made together, their sets are left, and all is made again. */
function settle(
  sites: readonly Judged[],
  modules: Modules,
  hasTodos: boolean,
): Map<string, FilePlan['edits']> {
  for (;;) {
    const { plans, failed } = draft(sites, modules, hasTodos);
    if (failed.size === 0) return plans;
    const sets = new Set(sites.filter((each) => failed.has(each)).map(({ set }) => set));
    for (const each of sites)
      if (each.status === 'migrate' && sets.has(each.set)) leave(each, failed.get(each) ?? 'overlap');
  }
}

interface Drafted {
  plans: Map<string, FilePlan['edits']>;
  failed: Map<Judged, Reason>;
}

function draft(sites: readonly Judged[], modules: Modules, hasTodos: boolean): Drafted {
  const byFile = new Map<string, { edit: WrappingEdit; set: string }[]>();
  const twins = new Map<LoopModule, Judged[]>();
  const add = (file: string, edits: readonly WrappingEdit[], set: string): void => {
    byFile.set(file, [...(byFile.get(file) ?? []), ...edits.map((edit) => ({ edit, set }))]);
  };
  const failed = new Map<Judged, Reason>();
  const going = sites.filter(({ status }) => status === 'migrate');
  for (const each of going) {
    for (const { file, edits } of each.closure.patches) add(file, edits, each.set);
    if (each.twin) twins.set(each.module, [...(twins.get(each.module) ?? []), each]);
  }
  for (const [module, its] of twins) {
    const calls = its.flatMap(({ twin }) => twin ?? []);
    const { edits, done } = twinNameEdits(module, calls);
    for (const each of its) if (!each.twin || !done.has(each.twin)) failed.set(each, 'indirect-call');
    for (const set of new Set(its.map((each) => each.set))) add(module.view.filename, edits, set);
  }
  const opened = new Map<LoopModule, Set<SqliteHandle>>();
  for (const { closure } of going)
    for (const each of closure.databases)
      opened.set(each.module, (opened.get(each.module) ?? new Set()).add(each));
  for (const [module, its] of opened) {
    const edits = facadeNameEdits(
      module,
      [...its].flatMap(({ names }) => names),
    );
    const users = going.filter(({ closure }) => [...closure.databases].some((each) => its.has(each)));
    for (const each of users) if (!edits) failed.set(each, 'type-use');
    for (const set of new Set(users.map((each) => each.set))) add(module.view.filename, edits ?? [], set);
  }
  if (hasTodos) for (const [file, edits] of todosOf(sites)) add(file, edits, '');
  const plans: Drafted['plans'] = new Map();
  for (const [file, its] of byFile) {
    const text = modules.at(file)?.view.text ?? '';
    const edits = sortedEdits(joinEdits(its.map(({ edit }) => edit)));
    const reason = hasOverlap(edits)
      ? 'overlap'
      : looksBroken(applyEdits(text, edits), file)
        ? 'reparse'
        : undefined;
    if (reason) {
      const sets = new Set(its.map(({ set }) => set));
      for (const each of going) if (sets.has(each.set)) failed.set(each, reason);
    }
    plans.set(
      file,
      edits.map((edit) => ({
        ...edit,
        old: text.slice(edit.start, edit.end),
        sets: setsOf(its, edit),
      })),
    );
  }
  return { plans, failed };
}

function setsOf(its: readonly { edit: Edit; set: string }[], { start, end }: Edit): string[] {
  const found = its.filter(({ edit }) => edit.start === start && edit.end === end).map(({ set }) => set);
  return [...new Set(found)].filter(Boolean).sort();
}

/** A comment above each statement with a call that is left, in front of all else that is put there. */
function todosOf(sites: readonly Judged[]): Map<string, WrappingEdit[]> {
  const found = new Map<string, Map<number, WrappingEdit>>();
  for (const { module, site, status, reason, text } of sites) {
    if (status !== 'left' || reason === undefined) continue;
    const edit = todoEdit(module.view, site.call, reason, text ?? REASONS[reason].short);
    const file = module.view.filename;
    const its = found.get(file) ?? new Map<number, WrappingEdit>();
    if (edit && !its.has(edit.start)) its.set(edit.start, { ...edit, rank: -1e8 });
    found.set(file, its);
  }
  return new Map([...found].map(([file, its]) => [file, [...its.values()]]));
}

function plannedSite(each: Judged, base: string): PlannedSite {
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
