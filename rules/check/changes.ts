import { resolve } from 'node:path';
import { git } from './git.ts';
import { mergeBase } from './history.ts';

/** What changed in one file; lines count from 1. */
export interface FileChanges {
  /** Ranges of new lines, both ends included. */
  lines: (readonly [first: number, last: number])[];
  /** Lines below which, or at whose end, an excuse of ours was removed or rewritten: the next place lost it. */
  excuses: number[];
}

/** What changed in a file of the working tree, by its absolute path; `all` where git does not know the file. */
export type Changes = (path: string) => FileChanges | 'all' | undefined;

/** A marker or a directive, also where a line of it goes. */
const EXCUSE = /(?:detached-spawn|blocking-call)\s*:|(?:eslint|oxlint)-disable/i;

/**
 * How `git diff` is asked, whatever the user's git is set to; `--text` since attributes may call a generated file binary.
 */
export const DIFF: readonly string[] = [
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--no-relative', '--text', '-w', '-M'],
  ...['--unified=0', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/'],
];

/**
 * What changed since the current branch left a revision, uncommitted changes and files that git does not track included.
 * Changes of spaces alone count for nothing, and a renamed file is compared with what it was.
 *
 * @param folder in the repository
 * @throws {UserError} where there is no git or no such commit
 */
export async function changesSince(folder: string, revision: string): Promise<Changes> {
  const base = await mergeBase(folder, revision);
  const root = ((await git(folder, 'rev-parse', '--show-toplevel')) ?? folder).replace(/\n$/, '');
  const tracked = new Set(
    ((await git(root, 'ls-files', '-z')) ?? '').split('\0').map((name) => resolve(root, name)),
  );
  const diff = await git(root, '-c', 'core.quotePath=false', 'diff', ...DIFF, base, '--');
  const changed = new Map([...readDiff(diff ?? '')].map(([name, changes]) => [resolve(root, name), changes]));
  return (path) => (tracked.has(path) ? changed.get(path) : 'all');
}

/** The changes of a `git diff --unified=0`, by the files' new names. */
export function readDiff(diff: string): Map<string, FileChanges> {
  const files = new Map<string, FileChanges>();
  let current: FileChanges | undefined;
  // A line of a hunk may look like a header: hunks say how many they have.
  let [left, end] = [0, 0];
  for (const line of diff.split('\n')) {
    if (left > 0) {
      if (/^[-+]/.test(line)) left -= 1;
      if (line.startsWith('-') && EXCUSE.test(line)) current?.excuses.push(end);
      continue;
    }
    const [, quoted] = /^\+\+\+ (.*?)\t?$/.exec(line) ?? [];
    if (quoted !== undefined) {
      const name = unquoted(quoted);
      current = name.startsWith('b/') ? { lines: [], excuses: [] } : undefined;
      if (current) files.set(name.slice(2), current);
    }
    const [, removed = '1', start, added = '1'] =
      /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined) continue;
    left = Number(removed) + Number(added);
    // A hunk that only removes names the line before it.
    end = Number(start) + Math.max(Number(added) - 1, 0);
    if (Number(added) > 0) current?.lines.push([Number(start), end]);
  }
  return files;
}

/** A name as git quotes it where it holds quotes, backslashes or control characters: as C does. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const octal = name.replaceAll(
    /\\([0-7]{3})/g,
    (_, digits: string) => `\\u${Number.parseInt(digits, 8).toString(16).padStart(4, '0')}`,
  );
  return JSON.parse(octal.replaceAll('\\a', '\\u0007').replaceAll('\\v', '\\u000b')) as string;
}
