import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import type { PlannedEdit } from './plan.ts';

/** Edits that meet, by where they are in the text between the first and the second. */
interface Meeting {
  from: number;
  to: number;
  first: PlannedEdit[];
  second: PlannedEdit[];
}

/**
 * The edits that do at once what the second do after the first; those that meet become one.
 *
 * @param text before all of them
 * @param first sorted
 * @param second sorted; they count in the text that the first make
 */
export function composed(
  text: string,
  first: readonly PlannedEdit[],
  second: readonly PlannedEdit[],
): PlannedEdit[] {
  const between = applyEdits(text, first);
  let growth = 0;
  return meetings(first, second).map(({ from, to, first: made, second: next }) => {
    const start = from - growth;
    growth += grown(made);
    const end = to - growth;
    const moved = next.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
    const sets = [...new Set([...made, ...next].flatMap((edit) => edit.sets ?? []))];
    return {
      start,
      end,
      text: applyEdits(between.slice(from, to), moved),
      old: text.slice(start, end),
      ...(sets.length > 0 && { sets }),
    };
  });
}

function meetings(first: readonly PlannedEdit[], second: readonly PlannedEdit[]): Meeting[] {
  const all: Meeting[] = second.map((edit) => ({
    from: edit.start,
    to: edit.end,
    first: [],
    second: [edit],
  }));
  let growth = 0;
  for (const edit of first) {
    const from = edit.start + growth;
    all.push({ from, to: from + edit.text.length, first: [edit], second: [] });
    growth += grown([edit]);
  }
  const found: Meeting[] = [];
  for (const each of all.sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = found.at(-1);
    if (!last || each.from > last.to) {
      found.push(each);
      continue;
    }
    last.to = Math.max(last.to, each.to);
    last.first.push(...each.first);
    last.second.push(...each.second);
  }
  return found;
}

const grown = (edits: readonly PlannedEdit[]): number =>
  edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
