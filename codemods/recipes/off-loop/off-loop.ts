import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import {
  baseOf,
  collectGarbage,
  compiler,
  contextOf,
  cutOf,
  directiveAt,
  findBlocking,
  forcedConfig,
  growSlowly,
  isRepeated,
  isScript,
  loopTable,
  offFile,
  programOf,
  references,
  settingsFinder,
  shownPath,
  sourceFiles,
  summaryOf,
  type BlockingSite,
  type LoopModule,
  type SpawnSettings,
} from 'eslint-plugin-owned-spawn/api';
import { packageFolder } from '../../plan/package-json.ts';
import { placeKey } from '../../plan/place-before.ts';
import { sha256 } from '../../plan/plan-text.ts';
import { planManifests, type Planned, type ProjectOptions } from '../../plan/project.ts';
import type { Reason } from '../reasons.ts';
import { replacedInTests } from '../replaced-in-tests.ts';
import { callsOf } from './call-points.ts';
import { defaultNamesIn } from './default-names.ts';
import { hostedModules } from './hosted-modules.ts';
import { importingOf } from './importing.ts';
import { judge, plannedSite, type Judged } from './judged.ts';
import { modulesOf } from './modules.ts';
import { packagesOf } from './packages.ts';
import type { Ground } from './requirements.ts';
import { keepOrder, keepSteps, keepTogether, nameSets, refuse, selectedOf, wake } from './sets.ts';
import { settle } from './settle.ts';
import { sqliteHandles, type SqliteHandle } from './sqlite-handles.ts';
import { hasTestDouble } from './test-doubles.ts';
import { surveyOf, type Closure, type SurveyedSite } from './survey.ts';

/** The rules whose findings the recipe mends. */
export const OFF_LOOP_RULES = ['no-blocking-call', 'no-blocking-call-path', 'no-blocking-sqlite'] as const;

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
  const around = await sourceFiles([packageFolder(base)], cwd, false);
  const all = [...new Set([...given, ...around].map(({ path }) => path).filter(isScript))];
  const ts = compiler();
  // The program stays to the end, and a tree of each module that the plan touches: a quarter of the memory, for 15 % more time.
  growSlowly(20);
  const program = programOf(ts, all, (path) => options.overlay?.get(path));
  const sourceOf = program.getSourceFile.bind(program);
  const textOf = (file: string): string | undefined => sourceOf(file)?.text;
  const modules = modulesOf(ts, sourceOf, (file) => settings.get(file));
  const packages = packagesOf(textOf);
  const databases = new WeakMap<LoopModule, SqliteHandle[]>();
  const ground: Ground = {
    modules,
    references: references(ts, program),
    importing: importingOf(ts, program),
    isEsModule: packages.isEsModule,
    isPublic: packages.isPublic,
    isExpressWaiting: (file) => (packages.majorOf(file, 'express') ?? 0) >= 5,
    isGiven: (file) => chosen.has(file),
    defaultNames: defaultNamesIn(all, textOf),
    replacedInTests: replacedInTests(all, textOf, (name) => /Sync$|^sync$/.test(name)),
    despiteDoubles: options.despiteDoubles ?? false,
    databasesOf(module) {
      const its = databases.get(module) ?? sqliteHandles(ground, module);
      databases.set(module, its);
      return its;
    },
    isVoid: (file, given) =>
      options.voids?.has(
        placeKey(file, { line: given.loc.start.line, column: given.loc.start.column + 1 }),
      ) ?? false,
    allowApiChange: options.allowApiChange ?? false,
    twins: options.twins ?? false,
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
    const module = modules.at(file);
    const blocking = module ? findBlocking(module) : [];
    if (!module || blocking.length === 0 || (offFile(module) !== undefined && !options.everywhere)) continue;
    const excuse = excusesOf(module);
    for (const [at, site] of blocking.entries()) {
      const surveyed = survey.site(module, site);
      const closure = survey.closureOf(surveyed);
      if (site.isLight && !site.isRepeated && !isRepeatedBy(closure) && !options.everywhere) {
        unseen.push(surveyed);
        continue;
      }
      const excused = excuse(at, site);
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
  for (const { site, closure } of sites)
    if (closure.patches.some(({ file }) => hasTestDouble(textOf(file) ?? '', site.api)))
      closure.notes.add('test-double');
  keepOrder(sites, modules);
  // Each leaves many modules that nobody holds, and V8 would first take memory for the next.
  collectGarbage();
  const calls = await callsOf(ground, [...sites, ...unseen]);
  collectGarbage();
  do keepSteps(ground, calls, sites, unseen);
  while (wake(sites, modules));
  nameSets(sites, base);
  refuse(sites, options);
  keepTogether(sites);
  const kept = selectedOf(sites, options);
  const proposals = hostedModules(kept, ground, base);
  if (proposals.length > 0) planned.plan.proposals = proposals;
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

/** Whether a call on the way to a site runs many times. */
const isRepeatedBy = ({ awaits }: Closure): boolean =>
  awaits.some(({ module, node }) => isRepeated(node, contextOf(module).unitOf(node).fn));

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

/** What a marker, a group of the settings or a directive says of a module's blocking calls. */
function excusesOf(module: LoopModule): (at: number, site: BlockingSite) => Reason | undefined {
  const read = summaryOf(module);
  const cut = cutOf(module, read);
  const disabled = directiveAt(module.view, OFF_LOOP_RULES);
  return (at, site) => {
    const { line, column } = site.name.loc.start;
    const unit = read.summary.sites[at]?.unit ?? -1;
    const excuse = cut?.sites.get(at) ?? cut?.units.get(unit);
    if (excuse) return excuse.by === 'group' ? 'allow' : 'marker';
    return disabled(line, column) && 'eslint-disabled';
  };
}
