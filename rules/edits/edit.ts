/** A replacement of one stretch of a text; offsets are UTF-16 indices, `end` exclusive. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

const byPlace = (a: Edit, b: Edit): number => a.start - b.start || a.end - b.end;

/** The edits in the order of the text, each once. */
export function sortedEdits(edits: readonly Edit[]): Edit[] {
  const once = new Map(edits.map((edit) => [`${edit.start}:${edit.end}:${edit.text}`, edit]));
  return [...once.values()].sort(byPlace);
}

/** Whether two edits claim the same stretch of text, or insert at the same point. */
export function hasOverlap(sorted: readonly Edit[]): boolean {
  return sorted.some((edit, i) => {
    const next = sorted[i + 1];
    return (
      next !== undefined && (next.start < edit.end || (next.end === edit.start && next.start === edit.end))
    );
  });
}

/**
 * The text with all edits made. Offsets count in the given text, so the order of the edits does not matter.
 *
 * @throws RangeError where two edits overlap or one leaves the text: a half-made edit is worse than none.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort(byPlace);
  const last = sorted.at(-1);
  if (hasOverlap(sorted) || (last && last.end > text.length)) throw new RangeError('edits overlap');
  let at = 0;
  let out = '';
  for (const { start, end, text: replacement } of sorted) {
    out += text.slice(at, start) + replacement;
    at = end;
  }
  return out + text.slice(at);
}
