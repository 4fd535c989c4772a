import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { replaceFile, UserError } from 'owned-spawn/cli';
import { candidates, compareWithBaseline, type BaselineEntry } from './baseline.ts';
import { baseOf } from './files.ts';
import type { Finding } from './finding.ts';
import type { CheckResult } from './run.ts';

export interface BaselineOptions {
  /** As given: relative to the current folder. */
  file: string;
  cwd: string;
  /** What was checked; none means the current folder. */
  paths: readonly string[];
  /** Only read the file: in CI nobody would commit it. */
  frozen: boolean;
  /** How many entries a new file may have. */
  max: number;
}

export interface BaselineResult {
  /** Findings that the baseline does not know. */
  fresh: Finding[];
  /** How many entries the file has, or would have if it were not frozen. */
  size: number;
  change: 'none' | 'made' | 'shrunk' | 'missing' | 'outdated';
}

const VERSION = 1;

/**
 * Takes the findings that the baseline knows out of a result. The file is made where it is missing, and loses what is no
 * longer found; nothing is ever added to one that is there.
 *
 * @throws {UserError} for a file that is no baseline, is of a newer version, or cannot be written
 */
export async function applyBaseline(
  { findings, checked, failed }: CheckResult,
  { file, cwd, paths, frozen, max }: BaselineOptions,
): Promise<BaselineResult> {
  const path = resolve(cwd, file);
  const folder = dirname(path);
  const base = baseOf(paths.length > 0 ? paths : ['.'], cwd);
  const pathOf = (finding: Finding): string => resolve(base, finding.file);
  const found = candidates(
    findings,
    (finding) => relative(folder, pathOf(finding)).split(sep).join('/'),
    textHasher(pathOf),
  );
  const before = readBaseline(path, file);
  if (!before) {
    const entries = found.map(({ entry }) => entry);
    if (frozen || failed || entries.length > max) return { fresh: findings, size: 0, change: 'missing' };
    const { fresh, entries: sorted } = compareWithBaseline(findings, found, entries, NOWHERE);
    await writeBaseline(path, file, sorted);
    return { fresh, size: sorted.length, change: 'made' };
  }
  const broken = new Set(findings.filter(({ ruleId }) => ruleId === null).map(pathOf));
  const roots = (paths.length > 0 ? paths : ['.']).map((each) => resolve(cwd, each));
  const { fresh, entries } = compareWithBaseline(findings, found, before.entries, {
    isChecked: (name) => checked.has(resolve(folder, name)) && !broken.has(resolve(folder, name)),
    isGone: (name) => {
      const absolute = resolve(folder, name);
      return roots.some((root) => isWithin(absolute, root)) && !existsSync(absolute);
    },
  });
  const size = entries.length;
  if (textOf(entries) === before.text) return { fresh, size, change: 'none' };
  const isShorter = size < before.entries.length;
  if (frozen) return { fresh, size, change: isShorter ? 'outdated' : 'none' };
  await writeBaseline(path, file, entries);
  return { fresh, size, change: isShorter ? 'shrunk' : 'none' };
}

const NOWHERE = { isChecked: () => true, isGone: () => false };

const isWithin = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** Hashes the text of findings' lines, without the spaces that a formatter moves. */
function textHasher(pathOf: (finding: Finding) => string): (finding: Finding) => string {
  const known = new Map<string, string[]>();
  return (finding) => {
    const path = pathOf(finding);
    const lines = known.get(path) ?? readFileSync(path, 'utf8').split(/\r\n|[\n\r\u2028\u2029]/);
    known.set(path, lines);
    const text = (lines[finding.line - 1] ?? '').replaceAll(/\s+/g, '');
    return createHash('sha256').update(text).digest('hex').slice(0, 12);
  };
}

function readBaseline(path: string, file: string): { entries: BaselineEntry[]; text: string } | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UserError(`the baseline ${file} cannot be read: ${code ?? ''}`);
  }
  let content: { version?: unknown; findings?: unknown } | null;
  try {
    content = JSON.parse(text) as typeof content;
  } catch {
    throw new UserError(`${file} is no baseline: it does not parse as JSON`);
  }
  const version = content?.version;
  if (typeof version === 'number' && version > VERSION)
    throw new UserError(
      `the baseline ${file} has version ${version}, and this owned-spawn knows up to ${VERSION}`,
      'Update eslint-plugin-owned-spawn.',
    );
  if (version !== VERSION || !Array.isArray(content?.findings) || !content.findings.every(isEntry))
    throw new UserError(`${file} is no baseline: it needs "version": ${VERSION} and a list of "findings"`);
  return { entries: content.findings, text };
}

function isEntry(value: unknown): value is BaselineEntry {
  const entry = value as Partial<Record<keyof BaselineEntry, unknown>> | null;
  return (
    typeof entry?.file === 'string' &&
    typeof entry.rule === 'string' &&
    typeof entry.symbol === 'string' &&
    (entry.callee === null || typeof entry.callee === 'string') &&
    typeof entry.ordinal === 'number' &&
    typeof entry.text === 'string'
  );
}

/** One line an entry, so that two branches that mend two findings merge. */
function textOf(entries: readonly BaselineEntry[]): string {
  const lines = entries.map(
    ({ file, rule, symbol, callee, ordinal, text }) =>
      `\n    ${JSON.stringify({ file, rule, symbol, callee, ordinal, text })}`,
  );
  const list = lines.length > 0 ? `[${lines.join(',')}\n  ]` : '[]';
  return `{\n  "version": ${VERSION},\n  "findings": ${list}\n}\n`;
}

async function writeBaseline(path: string, file: string, entries: readonly BaselineEntry[]): Promise<void> {
  try {
    await replaceFile(path, textOf(entries));
  } catch (error) {
    throw new UserError(
      `the baseline ${file} cannot be written: ${(error as NodeJS.ErrnoException).code ?? ''}`,
    );
  }
}
