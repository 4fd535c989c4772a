import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserError } from 'owned-spawn/cli';
import { configFinder } from './config.ts';
import type { ConfigFault } from './file-options.ts';
import { crossingOf, type Crossing } from './crossing.ts';
import { growSlowly } from './garbage.ts';
import { baseOf, isScript, shownPath, sourceFiles, type SourceFile } from './files.ts';
import { builtInLint, userLint, type Lint, type Linted } from './lint.ts';
import { isMinified } from './minified.ts';
import { forcedConfig } from './settings.ts';
import type { Staged } from './staged.ts';

export interface LintOptions {
  /** Files and folders; none means the current folder. */
  paths: readonly string[];
  cwd: string;
  /** An ESLint config to use for all files, whatever it names. */
  config?: string | undefined;
  /** Take minified files too. */
  minified: boolean;
  /** Take files that git ignores too. */
  ignored: boolean;
  /** Follow calls from file to file too. */
  crossFile?: boolean;
  /** Lint only one of so many parts of the files, counted from 1; calls are followed through all. */
  shard?: { part: number; of: number } | undefined;
  /** Lint only what is staged, as it is staged. */
  staged?: Pick<Staged, 'files' | 'contentOf'> | undefined;
  signal: AbortSignal;
  progress: (text: string) => void;
}

/** Why a file was left out. */
export type Skip = 'minified' | 'binary' | 'unhandled';

export interface LintedFiles {
  /** How many files were found. */
  files: number;
  /** Files left out, as reports name them. */
  skipped: Record<Skip, string[]>;
  /** Why calls could not be followed from file to file; undefined where they were. */
  uncrossed?: unknown;
  /** The tsconfigs that are broken. */
  faults: readonly ConfigFault[];
}

/** A file that was linted. */
export interface LintedFile {
  /** Absolute. */
  path: string;
  /** As reports name it. */
  shown: string;
  /** The folder that reports are relative to. */
  base: string;
  text: string;
  linted: Linted;
}

/**
 * Lints every source file below the paths, one after another, by the config that counts for it; nothing is kept of them.
 * An aborted run ends early.
 *
 * @param fail is told of a file that cannot be read or that a rule broke down on
 * @throws {UserError} for a path or a config that is not there or is wrong
 */
export async function lintFiles(
  options: LintOptions,
  visit: (file: LintedFile) => void,
  fail: (shown: string, error: unknown) => void,
): Promise<LintedFiles> {
  const { cwd, signal, progress } = options;
  const paths = options.paths.length > 0 ? options.paths : ['.'];
  const base = baseOf(paths, cwd);
  progress('listing files');
  const all = options.staged?.files ?? (await sourceFiles(paths, cwd, options.ignored));
  const crossing = options.crossFile ? crossingOf(all, options.staged?.contentOf) : undefined;
  const { part, of } = options.shard ?? { part: 1, of: 1 };
  const files = all.filter((_, index) => index % of === part - 1);
  growSlowly(50);
  const lintOf = linters(options, base, crossing);
  const skipped: LintedFiles['skipped'] = { minified: [], binary: [], unhandled: [] };
  for (const [index, file] of files.entries()) {
    if (signal.aborted) break;
    const shown = shownPath(file.path, base);
    progress(`checking ${index + 1}/${files.length} ${shown}`);
    try {
      const result = await lintFile(file, options, lintOf(file));
      if (typeof result === 'string') skipped[result].push(shown);
      else if (result) visit({ path: file.path, shown, base, ...result });
    } catch (error) {
      if (error instanceof UserError) throw error;
      fail(shown, error);
    }
  }
  progress('');
  return { files: files.length, skipped, uncrossed: crossing?.failure(), faults: crossing?.faults() ?? [] };
}

async function lintFile(
  { path, explicit }: SourceFile,
  { minified, staged }: LintOptions,
  lint: Lint | undefined,
): Promise<{ text: string; linted: Linted } | Skip | undefined> {
  const content = staged?.contentOf(path);
  const bytes = content === undefined ? await readFile(path) : Buffer.from(content);
  // As git tells binary files.
  if (bytes.subarray(0, 8000).includes(0)) return 'binary';
  const text = bytes.toString('utf8');
  if (!explicit && !minified && isMinified(path, text)) return 'minified';
  if (lint === undefined) return 'unhandled';
  const linted = await lint(path, text);
  return linted && { text, linted };
}

/** Chooses the linter of a file; undefined for a file that nothing can parse. */
function linters(
  { cwd, config }: LintOptions,
  base: string,
  crossing: Crossing | undefined,
): (file: SourceFile) => Lint | undefined {
  const forced = forcedConfig(config, cwd);
  const configOf = configFinder();
  const builtIn = builtInLint(crossing);
  const users = new Map<string, Lint>();
  const userLintOf = (configFile: string, explicit: boolean): Lint => {
    const key = `${String(explicit)} ${configFile}`;
    const known =
      users.get(key) ?? userLint(configFile, forced ? base : dirname(configFile), !explicit, crossing);
    users.set(key, known);
    return known;
  };
  return ({ path, explicit }) => {
    const configFile = forced ?? configOf(dirname(path));
    if (configFile === undefined) return isScript(path) ? builtIn : undefined;
    return userLintOf(configFile, explicit);
  };
}
