import { applyEdits, sortedEdits, type Edit } from 'eslint-plugin-owned-spawn/api';

/** Lines and columns count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A place of a file, to be looked up. */
export const placeKey = (file: string, { line, column }: Place): string => `${file}:${line}:${column}`;

/**
 * Tells where what stands at a place of an edited text stood before; of what an edit put there, where the edit is.
 *
 * @param text without a byte order mark
 */
export function placeBefore(text: string, edits: readonly Edit[]): (place: Place) => Place {
  const sorted = sortedEdits(edits);
  const starts = lineStarts(text);
  const startsAfter = lineStarts(applyEdits(text, edits));
  return ({ line, column }) => {
    let offset = (startsAfter[line - 1] ?? 0) + column - 1;
    for (const { start, end, text: put } of sorted) {
      if (offset < start) break;
      if (offset < start + put.length) {
        offset = start;
        break;
      }
      offset += end - start - put.length;
    }
    const above = starts.findLastIndex((start) => start <= offset);
    return { line: above + 1, column: offset - (starts[above] ?? 0) + 1 };
  };
}

const lineStarts = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ 0: end, index }) => index + end.length),
];
