import type { Edit } from './edit.ts';

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/**
 * The small edits that one large edit is made of: ESLint merges the edits of a suggestion, and all text between them,
 * into one. Applied to `text`, they give what the large one gives.
 */
export function splitEdit(text: string, { start, end, text: replacement }: Edit): Edit[] {
  const [before, after] = [linesOf(text.slice(start, end)), linesOf(replacement)];
  const edits: Edit[] = [];
  let offset = start;
  for (let [a, b] = [0, 0]; a < before.length || b < after.length;) {
    if (before[a] === after[b]) {
      offset += before[a]?.length ?? 0;
      [a, b] = [a + 1, b + 1];
      continue;
    }
    const [removed, added] = nextMatch(before, after, a, b);
    const old = before.slice(a, a + removed).join('');
    edits.push(
      trimmed(old, { start: offset, end: offset + old.length, text: after.slice(b, b + added).join('') }),
    );
    offset += old.length;
    [a, b] = [a + removed, b + added];
  }
  return edits;
}

/** How many lines of each side to pass until the two are equal again. */
function nextMatch(before: string[], after: string[], a: number, b: number): [number, number] {
  const [left, right] = [before.length - a, after.length - b];
  for (let distance = 1; distance <= left + right; distance++) {
    for (let removed = Math.max(0, distance - right); removed <= Math.min(left, distance); removed++) {
      const added = distance - removed;
      if (before[a + removed] === after[b + added]) return [removed, added];
    }
  }
  return [left, right];
}

/** The edit without what both texts begin and end with. */
function trimmed(old: string, { start, end, text }: Edit): Edit {
  const shorter = Math.min(old.length, text.length);
  let head = 0;
  while (head < shorter && old[head] === text[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}
