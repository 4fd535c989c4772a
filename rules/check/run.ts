import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import type { TSESLint } from '@typescript-eslint/utils';
import type { Linter } from 'eslint';
import { UserError } from 'owned-spawn/cli';
import { splitEdit } from '../edits/split-edit.ts';
import { configFinder } from './config.ts';
import { baseOf, isScript, shownPath, sourceFiles, type SourceFile } from './files.ts';
import { byPlace, type Exception, type Finding } from './finding.ts';
import { builtInLint, userLint, type Lint, type Linted } from './lint.ts';
import { isMinified } from './minified.ts';
import { placesOf } from './place.ts';

export interface CheckOptions {
  /** Files and folders; none means the current folder. */
  paths: readonly string[];
  cwd: string;
  /** An ESLint config to use for all files, whatever it names. */
  config?: string | undefined;
  /** Take minified files too. */
  minified: boolean;
  /** Take files that git ignores too. */
  ignored: boolean;
  signal: AbortSignal;
  progress: (text: string) => void;
}

/** Why a file was left out. */
export type Skip = 'minified' | 'binary' | 'unhandled';

export interface CheckResult {
  /** In the order of {@link byPlace}. */
  findings: Finding[];
  /** What an `eslint-disable` with a reason waives, in the same order. */
  exceptions: Exception[];
  /** How many files were found. */
  files: number;
  /** Files left out, as reports name them. */
  skipped: Record<Skip, string[]>;
  /** Whether some file could not be read or a rule broke down on it. */
  failed: boolean;
}

/**
 * Checks every source file below the paths, one after another; only findings are kept in memory.
 * An aborted run returns what it has.
 * @throws {UserError} for a path or a config that is not there or is wrong
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const { cwd, signal, progress } = options;
  const paths = options.paths.length > 0 ? options.paths : ['.'];
  const base = baseOf(paths, cwd);
  const lintOf = linters(options, base);
  progress('listing files');
  const files = await sourceFiles(paths, cwd, options.ignored);
  const result: CheckResult = {
    findings: [],
    exceptions: [],
    files: files.length,
    skipped: { minified: [], binary: [], unhandled: [] },
    failed: false,
  };
  for (const [index, file] of files.entries()) {
    if (signal.aborted) break;
    const shown = shownPath(file.path, base);
    progress(`checking ${index + 1}/${files.length} ${shown}`);
    try {
      await checkFile(file, shown, options, lintOf(file), result);
    } catch (error) {
      if (error instanceof UserError) throw error;
      result.failed = true;
      result.findings.push(breakdown(shown, error));
    }
  }
  progress('');
  result.findings.sort(byPlace);
  result.exceptions.sort((a, b) => byPlace(a.finding, b.finding));
  return result;
}

async function checkFile(
  { path, explicit }: SourceFile,
  shown: string,
  { minified }: CheckOptions,
  lint: Lint | undefined,
  { findings, exceptions, skipped }: CheckResult,
): Promise<void> {
  const bytes = await readFile(path);
  // As git tells binary files.
  if (bytes.subarray(0, 8000).includes(0)) return void skipped.binary.push(shown);
  const text = bytes.toString('utf8');
  if (!explicit && !minified && isMinified(path, text)) return void skipped.minified.push(shown);
  if (lint === undefined) return void skipped.unhandled.push(shown);
  const linted = await lint(path, text);
  if (!linted) return;
  const toFinding = findingsOf(linted, path, shown);
  findings.push(...linted.messages.map(toFinding));
  for (const message of linted.suppressed) {
    const reason = message.suppressions.map(({ justification }) => justification.trim()).find(Boolean);
    // Without a reason the directive waives nothing here, though it quiets ESLint.
    if (reason === undefined) findings.push(toFinding(message));
    else exceptions.push({ finding: toFinding(message), reason });
  }
}

/** Chooses the linter of a file; undefined for a file that nothing can parse. */
function linters({ cwd, config }: CheckOptions, base: string): (file: SourceFile) => Lint | undefined {
  const forced = config === undefined ? undefined : resolve(cwd, config);
  if (forced !== undefined && !existsSync(forced))
    throw new UserError(`the config ${config ?? ''} does not exist`);
  const configOf = configFinder();
  const builtIn = builtInLint();
  const users = new Map<string, Lint>();
  const userLintOf = (configFile: string, explicit: boolean): Lint => {
    const key = `${String(explicit)} ${configFile}`;
    const known = users.get(key) ?? userLint(configFile, forced ? base : dirname(configFile), !explicit);
    users.set(key, known);
    return known;
  };
  return ({ path, explicit }) => {
    const configFile = forced ?? configOf(dirname(path));
    if (configFile === undefined) return isScript(path) ? builtIn : undefined;
    const lint = userLintOf(configFile, explicit);
    if (!isScript(path)) return lint;
    return async (file, text) => {
      const linted = await lint(file, text);
      // The user's parser may refuse what no project of theirs includes (dist, scripts); ours takes it.
      return linted?.messages.some(({ fatal }) => fatal) ? builtIn(file, text) : linted;
    };
  };
}

/** Turns ESLint's messages about one file into findings. */
function findingsOf(
  { source, settings }: Linted,
  path: string,
  shown: string,
): (message: Linter.LintMessage) => Finding {
  const code = source as unknown as TSESLint.SourceCode | undefined;
  let places: ReturnType<typeof placesOf> | undefined;
  return ({ ruleId, messageId, message, severity, line, column, endLine, endColumn, suggestions }) => {
    places ??= code && placesOf(code, path, settings);
    const { cause, ...place } = places?.(line, column) ?? { symbol: '', callee: null };
    return {
      ruleId,
      messageId: ruleId === null ? 'unparsable' : (messageId ?? null),
      message,
      severity: severity === 1 ? 1 : 2,
      file: shown,
      line,
      column,
      endLine: endLine ?? line,
      endColumn: endColumn ?? column,
      ...place,
      ...(cause && ruleId === 'owned-spawn/no-detached-spawn'
        ? { path: [{ name: cause.name, file: shown, line: cause.line, column: cause.column }] }
        : {}),
      suggestions: (suggestions ?? []).map(({ messageId: id, desc, fix: { range, text } }) => ({
        messageId: id ?? null,
        desc,
        edits: code
          ? splitEdit(code.text, { start: range[0], end: range[1], text })
          : [{ start: range[0], end: range[1], text }],
      })),
    };
  };
}

/** The finding for a file that could not be read or that a rule broke down on. */
function breakdown(file: string, error: unknown): Finding {
  const { code, ruleId, currentNode, message } = error as NodeJS.ErrnoException & {
    ruleId?: string;
    currentNode?: { loc?: { start: { line: number; column: number } } };
  };
  const { line, column } = currentNode?.loc?.start ?? { line: 1, column: 0 };
  const [what] = message.split('\n');
  const unreadable = code !== undefined && ruleId === undefined;
  return {
    ruleId: null,
    messageId: unreadable ? 'unreadable' : 'crashed',
    message: unreadable
      ? `This file cannot be read: ${code}.`
      : `${ruleId ?? 'The check'} broke down on this file, a bug of ours: ${what ?? ''}`,
    severity: 2,
    file,
    line,
    column: column + 1,
    endLine: line,
    endColumn: column + 1,
    symbol: '',
    callee: null,
    suggestions: [],
  };
}
