import { readFile } from 'node:fs/promises';
import {
  baseOf,
  collectGarbage,
  forcedConfig,
  isScript,
  settingsFinder,
  shownPath,
  sourceFiles,
  type SpawnSettings,
} from 'eslint-plugin-owned-spawn/api';
import { packageFolder } from '../../plan/package-json.ts';
import type { FilePlan } from '../../plan/plan.ts';
import { sha256 } from '../../plan/plan-text.ts';
import { planManifests, type Planned, type ProjectOptions } from '../../plan/project.ts';
import { callsOf } from './call-points.ts';
import { groundOf } from './ground.ts';
import { hostedModules } from './hosted-modules.ts';
import { plannedSite, type Judged } from './judged.ts';
import { judgedSites } from './judged-sites.ts';
import { keepOrder, keepSteps, keepTogether, nameSets, refuse, selectedOf, wake } from './sets.ts';
import { settle } from './settle.ts';

/**
 * Plans to move blocking calls off the event loop, over all files at once; writes nothing.
 *
 * @throws {UserError} for a path or a config that is not there or is wrong
 */
export async function planOffLoop(options: ProjectOptions): Promise<Planned> {
  const { cwd, progress } = options;
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
  if (settings.size === 0) return planned;
  progress('reading the program');
  const around = await sourceFiles([packageFolder(base)], cwd, false);
  const files = new Set([...given, ...around].map(({ path }) => path).filter(isScript));
  const ground = groundOf([...files], settings, options);
  const { modules } = ground;
  const judged = await judgedSites(ground, settings, base, options);
  if (!judged) return planned;
  const { sites, unseen } = judged;
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
  await planFiles(planned, kept, settle(kept, modules, options.todos), options.overlay);
  const users = sites.flatMap(({ status, closure }) =>
    status === 'migrate' ? [...closure.databases].map(({ module }) => module.view.filename) : [],
  );
  await planManifests(new Set(users), planned, options.overlay);
  const sorted = Object.entries(planned.plan.files).sort(([a], [b]) => (a < b ? -1 : 1));
  planned.plan.files = Object.fromEntries(sorted);
  progress('');
  return planned;
}

/** Puts the files into the plan: their edits, and the sites that it names. */
async function planFiles(
  { plan, texts, base }: Planned,
  sites: readonly Judged[],
  edits: ReadonlyMap<string, FilePlan['edits']>,
  overlay: ProjectOptions['overlay'],
): Promise<void> {
  for (const file of new Set([...sites.map(({ module }) => module.view.filename), ...edits.keys()])) {
    const shown = shownPath(file, base);
    const text = overlay?.get(file) ?? (await readFile(file, 'utf8'));
    const its = edits.get(file) ?? [];
    plan.files[shown] = {
      sha256: sha256(text),
      edits: its,
      sites: sites
        .filter(({ module }) => module.view.filename === file)
        .map((each) => plannedSite(each, base)),
    };
    if (its.length > 0) texts.set(shown, { path: file, text });
  }
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
