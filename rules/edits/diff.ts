import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Terminal } from 'owned-spawn/cli';

/** A file's unified diff, as `git apply` and `patch -p1` take it. */
export function unifiedDiff(path: string, before: string, after: string): string {
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

/** Colours a diff's lines as git does. */
export function coloured(diff: string, { bold, cyan, green, red }: Terminal): string {
  return diff.replace(/^.+$/gm, (line) => {
    if (/^(?:---|\+\+\+) /.test(line)) return bold(line);
    if (line.startsWith('@@')) return cyan(line);
    if (line.startsWith('+')) return green(line);
    return line.startsWith('-') ? red(line) : line;
  });
}
