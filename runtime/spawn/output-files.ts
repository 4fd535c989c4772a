import { readlinkSync, statSync } from 'node:fs';
import type { StdioOptions } from 'node:child_process';

/** The files that a child's stdout and stderr go to; null where they are pipes, terminals or nothing, or where that cannot be told. */
export function outputFiles(stdio: StdioOptions | undefined): {
  stdout: string | null;
  stderr: string | null;
} {
  const of = (index: number): string | null => fileOf(Array.isArray(stdio) ? stdio[index] : stdio, index);
  return { stdout: of(1), stderr: of(2) };
}

function fileOf(entry: unknown, index: number): string | null {
  const fd = entry === 'inherit' ? index : typeof entry === 'object' && entry !== null ? fdOf(entry) : entry;
  if (typeof fd !== 'number') return null;
  try {
    const path = readlinkSync(`/proc/self/fd/${fd}`);
    return path.startsWith('/') && statSync(path).isFile() ? path : null;
  } catch {
    return null; // no /proc, a pipe, or a file without a name any more
  }
}

const fdOf = (stream: object): unknown => ('fd' in stream ? stream.fd : undefined);
