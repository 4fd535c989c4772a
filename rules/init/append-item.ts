import type { TSESTree } from '@typescript-eslint/utils';
import type { Edit } from '../edits/edit.ts';
import { eolNear, indentOf, isBlank, lineEnd, lineStart } from '../edits/lines.ts';
import { codeAfter } from '../edits/trivia.ts';
import type { ModuleView } from '../read/module-view.ts';

/** What stands between two brackets, parted by commas. */
export interface ItemList {
  /** Behind the opening bracket. */
  start: number;
  /** Before the closing one. */
  end: number;
  items: readonly TSESTree.Node[];
}

/** Puts an item at the end of a list, on a line of its own where the list is written so, with a comma where it has them. */
export function appendItem(view: ModuleView, { start, end, items }: ItemList, item: string): Edit[] {
  const { text } = view;
  const last = items.at(-1);
  if (!last) return [inEmpty(text, start, end, item)];
  const after = codeAfter(view, last.range[1]);
  const hasComma = text.charAt(after) === ',';
  const tail = hasComma ? after + 1 : last.range[1];
  const stop = lineEnd(text, tail);
  const isBroken = stop < end && !view.comments.some(({ range }) => range[0] < stop && range[1] > stop);
  if (!isBroken) return [{ start: tail, end: tail, text: hasComma ? ` ${item},` : `, ${item}` }];
  const line = eolNear(text, tail) + indentAmong(text, last, end) + item + (hasComma ? ',' : '');
  if (hasComma) return [{ start: stop, end: stop, text: line }];
  if (stop === tail) return [{ start: tail, end: tail, text: `,${line}` }];
  return [
    { start: tail, end: tail, text: ',' },
    { start: stop, end: stop, text: line },
  ];
}

function inEmpty(text: string, start: number, end: number, item: string): Edit {
  const stop = lineEnd(text, start);
  if (stop >= end) return { start, end: isBlank(text, start, end) ? end : start, text: item };
  // Comments may stand there: the item goes below them.
  const indent = `${indentOf(text, end)}  `;
  const at = lineStart(text, end);
  return { start: at, end: at, text: `${indent}${item},${eolNear(text, start)}` };
}

/** The indentation of an item's line; where the item shares the line with a bracket, one step more than the closing one. */
function indentAmong(text: string, item: TSESTree.Node, end: number): string {
  const [start] = item.range;
  return isBlank(text, lineStart(text, start), start) ? indentOf(text, start) : `${indentOf(text, end)}  `;
}
