import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import {
  applyEdits,
  baseOf,
  concerns,
  forcedConfig,
  isMinified,
  isScript,
  settingsFinder,
  shownPath,
  sourceFiles,
  type SourceFile,
} from 'eslint-plugin-owned-spawn/api';
import { runtimeEdit, packageJsonOf, runtimeRange } from './package-json.ts';
import { planText, sha256, type PlanOptions, type TextPlan } from './plan-text.ts';
import type { FilePlan, Plan, Refusal } from './plan.ts';
import { spawnDoubles, type SpawnDoubles } from './spawn-doubles.ts';

export interface ProjectOptions extends Omit<PlanOptions, 'settings' | 'refusal' | 'doubleOf'> {
  /** Files and folders; none means the current folder. */
  paths: readonly string[];
  cwd: string;
  /** An ESLint config to take the settings from for all files, whatever it names. */
  config?: string | undefined;
  /** Recipe `off-loop`: whether exported functions may change. */
  allowApiChange?: boolean | undefined;
  /** Recipe `off-loop`: whether functions that must stay as they are get an asynchronous twin. */
  twins?: boolean | undefined;
  /** Recipe `off-loop`: whether calls are moved too that nothing on the event loop leads to. */
  everywhere?: boolean | undefined;
  /** Recipe `off-loop`: where functions stand (see placeKey) that must not give a promise, as nothing is wanted back. */
  voids?: ReadonlySet<string> | undefined;
  /** Sets that are not to be migrated. */
  refused?: ReadonlyMap<string, Refusal> | undefined;
  /** Texts that count instead of those on the disk, by absolute path. */
  overlay?: ReadonlyMap<string, string> | undefined;
  signal: AbortSignal;
  progress: (text: string) => void;
}

/** A plan and what is around it. */
export interface Planned {
  plan: Plan;
  /** The folder that the plan's paths are relative to. */
  base: string;
  /** Absolute paths and the texts that the plan was made for, of the files with edits. */
  texts: Map<string, { path: string; text: string }>;
  /** Files that could not be read as text, in words. */
  failures: string[];
  /** What a person should know besides. */
  notes: string[];
  /** The folders of the manifests that get the runtime. */
  manifests: string[];
  /** How many source files were found. */
  files: number;
}

/**
 * Plans the migration of every source file below the paths; writes nothing.
 *
 * @throws {UserError} for a path or a config that is not there or is wrong
 */
export async function planProject(options: ProjectOptions): Promise<Planned> {
  const { cwd, signal, progress } = options;
  const paths = options.paths.length > 0 ? options.paths : ['.'];
  const base = baseOf(paths, cwd);
  const settingsOf = settingsFinder(base, forcedConfig(options.config, cwd));
  const files = await sourceFiles(paths, cwd, false);
  const planned: Planned = {
    plan: { version: 1, recipe: 'spawn-owned', files: {} },
    base,
    texts: new Map(),
    failures: [],
    notes: [],
    manifests: [],
    files: files.length,
  };
  const users = new Set<string>();
  const doubles = spawnDoubles(base, options);
  for (const [i, file] of files.entries()) {
    if (signal.aborted) break;
    const shown = shownPath(file.path, base);
    progress(`planning ${i + 1}/${files.length} ${shown}`);
    const settings = await settingsOf(file);
    const refusal = options.refused?.get(shown);
    if (settings && (await planFile(file, shown, { ...options, settings, refusal }, doubles, planned)))
      users.add(file.path);
  }
  progress('');
  await planManifests(users, planned, options.overlay);
  const sorted = Object.entries(planned.plan.files).sort(([a], [b]) => (a < b ? -1 : 1));
  planned.plan.files = Object.fromEntries(sorted);
  return planned;
}

async function bytesOf(path: string, overlay: ProjectOptions['overlay']): Promise<Buffer> {
  const text = overlay?.get(path);
  return text === undefined ? readFile(path) : Buffer.from(text);
}

/** Plans one file; tells whether it will import the runtime. */
async function planFile(
  { path, explicit }: SourceFile,
  shown: string,
  { overlay, ...options }: PlanOptions & Pick<ProjectOptions, 'overlay'>,
  doubles: SpawnDoubles,
  { plan, texts, failures }: Planned,
): Promise<boolean> {
  if (!isScript(path)) return false;
  let bytes: Buffer;
  try {
    bytes = await bytesOf(path, overlay);
  } catch (error) {
    failures.push(`${shown}: cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
    return false;
  }
  // As git tells binary files.
  if (bytes.subarray(0, 8000).includes(0)) return false;
  const text = bytes.toString('utf8');
  if ((!explicit && isMinified(path, text)) || !concerns(path, text, options.settings)) return false;
  let planned: TextPlan;
  try {
    const whole = planText(text, path, { ...options, selected: undefined });
    // The tests around are read only where there is something that they may replace.
    const isMigrated = whole.sites.some(({ status }) => status === 'migrate');
    const doubleOf = isMigrated ? await doubles(path) : undefined;
    planned = doubleOf || options.selected ? planText(text, path, { ...options, doubleOf }) : whole;
  } catch (error) {
    failures.push(`${shown}: the recipe broke down on this file, a bug of ours: ${(error as Error).message}`);
    return false;
  }
  const { usesRuntime, ...filePlan } = planned;
  if (filePlan.sites.length === 0) return false;
  if (filePlan.edits.length > 0 && !Buffer.from(text, 'utf8').equals(bytes)) {
    failures.push(`${shown}: is not UTF-8 text: rewriting it would change other characters`);
    return false;
  }
  plan.files[shown] = asSet(filePlan, shown);
  if (filePlan.edits.length > 0) texts.set(shown, { path, text });
  return usesRuntime;
}

/** The sites of a file share imports, options and variables: they are migrated together or not at all. */
function asSet({ sha256: hash, edits, sites }: FilePlan, set: string): FilePlan {
  return {
    sha256: hash,
    edits: edits.map((edit) => ({ ...edit, sets: [set] })),
    sites: sites.map((site) => (site.status === 'migrate' ? { ...site, set } : site)),
  };
}

/** Adds the runtime to the package.json of each file that will import it. */
export async function planManifests(
  users: ReadonlySet<string>,
  planned: Planned,
  overlay: ProjectOptions['overlay'],
): Promise<void> {
  const manifests = new Set<string>();
  const homeless: string[] = [];
  for (const user of users) {
    const manifest = packageJsonOf(user);
    if (manifest) manifests.add(manifest);
    else homeless.push(shownPath(user, planned.base));
  }
  const [first] = homeless;
  if (first !== undefined) {
    const more = homeless.length > 1 ? ` and ${homeless.length - 1} more` : '';
    planned.notes.push(`no package.json above ${first}${more}: add the dependency owned-spawn by hand`);
  }
  for (const path of [...manifests].sort()) {
    const shown = relative(planned.base, path).split(sep).join('/');
    try {
      const text = (await bytesOf(path, overlay)).toString('utf8');
      const code = text.replace(/^\uFEFF/, '');
      const edit = runtimeEdit(code, runtimeRange());
      if (!edit) continue;
      JSON.parse(applyEdits(code, [edit]));
      planned.plan.files[shown] = {
        sha256: sha256(text),
        edits: [{ ...edit, old: code.slice(edit.start, edit.end) }],
        sites: [],
      };
      planned.texts.set(shown, { path, text });
      planned.manifests.push(path);
    } catch (error) {
      planned.failures.push(
        `${shown}: the dependency owned-spawn cannot be added: ${(error as Error).message}`,
      );
    }
  }
}
