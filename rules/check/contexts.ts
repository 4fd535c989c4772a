import { readFile } from 'node:fs/promises';
import type { ContextSettings } from '../apis/context-settings.ts';
import { loopTable, type LoopSettings } from '../apis/loop-table.ts';
import { offFile, offPath } from '../read/file-role.ts';
import { loopModule } from '../read/loop-module.ts';
import { parseModule } from '../read/module-view.ts';
import { fileSetting } from '../read/silent-call.ts';
import { baseOf, isScript, shownPath, sourceFiles } from './files.ts';
import type { LintOptions } from './lint-files.ts';
import { isMinified } from './minified.ts';
import { fileConfigs, forcedConfig } from './settings.ts';

/** Files that are off the event loop as a whole, for one reason. */
export interface OffLoopFiles {
  reason: string;
  /** The setting under `context` that says so. */
  setting: string;
  files: string[];
}

/** What counts as off the event loop for the files that share settings. */
export interface LoopContext {
  context: ContextSettings;
  /** The user's own rows. */
  handlers: NonNullable<LoopSettings['handlers']>;
  offLoop: NonNullable<LoopSettings['offLoop']>;
  /** How many files these settings count for. */
  files: number;
  offFiles: OffLoopFiles[];
}

/**
 * Reads what counts as off the event loop in every source file below the paths, by the settings of each.
 * An aborted run returns what it has.
 *
 * @throws {UserError} for a path or a config that is not there or is wrong
 */
export async function contextsOf({
  paths: given,
  cwd,
  config,
  ignored,
  signal,
  progress,
}: Pick<LintOptions, 'paths' | 'cwd' | 'config' | 'ignored' | 'signal' | 'progress'>): Promise<
  LoopContext[]
> {
  const paths = given.length > 0 ? given : ['.'];
  const base = baseOf(paths, cwd);
  const configs = fileConfigs(base, forcedConfig(config, cwd));
  const files = (await sourceFiles(paths, cwd, ignored)).filter(({ path }) => isScript(path));
  const contexts = new Map<string, LoopContext>();
  for (const [index, file] of files.entries()) {
    if (signal.aborted) break;
    progress(`reading ${index + 1}/${files.length} ${shownPath(file.path, base)}`);
    const its = await configs(file);
    if (!its) continue;
    const settings = its.settings?.['owned-spawn'] as LoopSettings | undefined;
    const { context } = loopTable(settings);
    const { handlers = [], offLoop = [] } = settings ?? {};
    const key = JSON.stringify([context, handlers, offLoop]);
    const known = contexts.get(key) ?? { context, handlers, offLoop, files: 0, offFiles: [] };
    contexts.set(key, known);
    known.files += 1;
    const reason = await reasonOf(file.path, settings);
    if (reason === undefined) continue;
    const group = known.offFiles.find((each) => each.reason === reason);
    if (group) group.files.push(shownPath(file.path, base));
    else known.offFiles.push({ reason, setting: fileSetting(reason), files: [shownPath(file.path, base)] });
  }
  progress('');
  return [...contexts.values()];
}

/** Why a file is off the loop as a whole; what cannot be read or parsed is none of ours to judge. */
async function reasonOf(path: string, settings: LoopSettings | undefined): Promise<string | undefined> {
  const byPath = offPath(path, loopTable(settings));
  if (byPath !== undefined) return byPath;
  try {
    const text = await readFile(path, 'utf8');
    return isMinified(path, text) ? undefined : offFile(loopModule(parseModule(text, path), settings));
  } catch {
    return undefined;
  }
}
