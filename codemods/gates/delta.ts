import type { SourceFile } from 'typescript';

/** Something that a tool says of a place; `key` leaves the place out, which edits move. */
export interface Said {
  /** Absolute. */
  file: string;
  /** Counts from 1, in the edited text. */
  line: number;
  key: string;
  /** The line of code, which tells what is said of one place from what is said of another. */
  code?: string;
  text: string;
  /** From 1: where something stands that gives a promise to what wants nothing back. */
  voidColumn?: number;
}

/** The line of code at a place, as {@link Said} has it. */
export const codeAt = (file: SourceFile, line: number): string =>
  file.text.slice(file.getLineStarts()[line - 1], file.getLineStarts()[line]).trim();

/** What is said after an edit more often than before it: of things that are alike, what is said of other code. */
export function delta(before: readonly Said[], after: readonly Said[]): Said[] {
  const inCode = ({ file, key, code = '' }: Said): string => [file, key, code].join('\0');
  const inFile = ({ file, key }: Said): string => [file, key].join('\0');
  return without(without(after, before, inCode), without(before, after, inCode), inFile);
}

/** Some things, for each of some others one of the same id left out. */
function without(some: readonly Said[], others: readonly Said[], idOf: (said: Said) => string): Said[] {
  const counts = new Map<string, number>();
  for (const each of others) counts.set(idOf(each), (counts.get(idOf(each)) ?? 0) + 1);
  return some.filter((each) => {
    const left = counts.get(idOf(each)) ?? 0;
    counts.set(idOf(each), left - 1);
    return left <= 0;
  });
}
