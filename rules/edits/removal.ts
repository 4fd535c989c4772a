import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { Edit } from './edit.ts';
import { isBlank, lineEnd, lineStart, nextLine } from './lines.ts';
import { codeAfter, codeBefore, commentsIn } from './trivia.ts';

const remove = (start: number, end: number): Edit => ({ start, end, text: '' });

/** Removes a stretch of code and leaves the comments in it. */
function removeCode(view: ModuleView, start: number, end: number): Edit[] {
  const edits: Edit[] = [];
  let at = start;
  for (const { range, type } of commentsIn(view, start, end)) {
    if (range[0] > at) edits.push(remove(at, range[0]));
    // A line comment ends with its line: without the line end it would go on over the code behind it.
    at = type === 'Line' ? nextLine(view.text, range[1]) : range[1];
  }
  if (end > at) edits.push(remove(at, end));
  return edits;
}

/** Where the comma after a node ends, if there is one. */
function commaEnd(view: ModuleView, node: TSESTree.Node): number | undefined {
  const at = codeAfter(view, node.range[1]);
  return view.text.charAt(at) === ',' ? at + 1 : undefined;
}

/** The stretch that a neighbouring run of items takes up, commas and white space that go with it included. */
function stretchOf(
  view: ModuleView,
  first: TSESTree.Node,
  last: TSESTree.Node,
  prev: TSESTree.Node | undefined,
  next: TSESTree.Node | undefined,
): [start: number, end: number] {
  const { text } = view;
  const start = first.range[0];
  const end = commaEnd(view, last) ?? last.range[1];
  const startsLine = isBlank(text, lineStart(text, start), start);
  const endsLine = isBlank(text, end, lineEnd(text, end));
  if (startsLine && endsLine && (next || commaEnd(view, last) !== undefined))
    return [lineStart(text, start), nextLine(text, end)];
  if (next && !endsLine) return [start, next.range[0]];
  if (prev && next) return [commaEnd(view, prev) ?? prev.range[1], end];
  // A comma behind the last item is the list's own style: the one before goes instead.
  if (prev) return [prev.range[1], last.range[1]];
  return [codeBefore(view, start), end];
}

/** Whether a comment goes on with the line that an item ends. */
function isFollowedByComment(view: ModuleView, end: number): boolean {
  const [comment] = commentsIn(view, end, lineEnd(view.text, end));
  return comment !== undefined && isBlank(view.text, end, comment.range[0]);
}

/** Where the spaces behind an offset end; at the end of a line they are nobody's gap. */
function spacesEnd(text: string, offset: number): number {
  const end = offset + (/^[^\S\n\r\u2028\u2029]*/.exec(text.slice(offset))?.[0].length ?? 0);
  return end === lineEnd(text, offset) ? offset : end;
}

function removeRun(
  view: ModuleView,
  run: readonly TSESTree.Node[],
  prev: TSESTree.Node | undefined,
  next: TSESTree.Node | undefined,
): Edit[] {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return [];
  const [start, end] = stretchOf(view, first, last, prev, next);
  if (commentsIn(view, start, end).length === 0 && !isFollowedByComment(view, commaEnd(view, last) ?? end))
    return [remove(start, end)];
  // Comments stay where they are; only the items' own code goes.
  const edits = run.flatMap((item) => {
    const own = commaEnd(view, item) ?? item.range[1];
    const isBehindComment = commentsIn(view, item.range[1], own).length > 0;
    return removeCode(view, item.range[0], isBehindComment ? own : spacesEnd(view.text, own));
  });
  const before = prev && !next && commaEnd(view, last) === undefined ? commaEnd(view, prev) : undefined;
  return before === undefined ? edits : [remove(before - 1, before), ...edits];
}

/** Removes some items of a list parted by commas; comments stay. The brackets stay also where nothing is left. */
export function removeItems(
  view: ModuleView,
  items: readonly TSESTree.Node[],
  gone: ReadonlySet<TSESTree.Node>,
): Edit[] {
  if (items.every((item) => gone.has(item))) {
    const [first, last] = [items[0], items.at(-1)];
    if (!first || !last) return [];
    const [open, close] = [
      codeBefore(view, first.range[0]),
      codeAfter(view, commaEnd(view, last) ?? last.range[1]),
    ];
    if (commentsIn(view, open, close).length === 0) return [remove(open, close)];
  }
  const edits: Edit[] = [];
  for (let i = 0; i < items.length; i++) {
    let end = i;
    const run: TSESTree.Node[] = [];
    for (let item = items[end]; item && gone.has(item); item = items[++end]) run.push(item);
    edits.push(...removeRun(view, run, items[i - 1], items[end]));
    i = end;
  }
  return edits;
}

/** Without its semicolon, code that begins with one of these goes on with the statement before it. */
const CONTINUES = /[([`+\-*/,.<>?%&|^=!~]/;

/** Whether a stretch of whole lines stands between two blank ones. */
function isBetweenBlanks(text: string, start: number, end: number): boolean {
  const above = text.slice(0, start).replace(/(?:\r\n|[\n\r\u2028\u2029])$/, '');
  return (
    start > 0 &&
    end < text.length &&
    isBlank(above, lineStart(above, above.length), above.length) &&
    isBlank(text, end, lineEnd(text, end))
  );
}

/** Removes a statement, with its line where it has it alone; comments stay. */
export function removeStatement(view: ModuleView, statement: TSESTree.Node): Edit[] {
  const { text } = view;
  const [start, end] = statement.range;
  const before = codeBefore(view, start);
  if (!/[;{}]/.test(text.charAt(before - 1)) && CONTINUES.test(text.charAt(codeAfter(view, end))))
    return [{ start, end, text: ';' }];
  const alone = isBlank(text, lineStart(text, start), start) && isBlank(text, end, lineEnd(text, end));
  if (!alone || commentsIn(view, start, end).length > 0) return removeCode(view, start, spacesEnd(text, end));
  const [from, to] = [lineStart(text, start), nextLine(text, end)];
  // Of two blank lines that would meet, one goes along.
  return [remove(from, isBetweenBlanks(text, from, to) ? nextLine(text, to) : to)];
}
