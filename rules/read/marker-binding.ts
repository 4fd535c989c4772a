import type { TSESTree } from '@typescript-eslint/utils';
import { childrenOf } from './children-of.ts';
import type { Marker } from './markers.ts';
import type { ModuleView } from './module-view.ts';

/** What a marker can bind to: a call, and the code elsewhere that decides about it (an option). */
export interface MarkerTarget {
  call: TSESTree.Node;
  cause?: TSESTree.Node | undefined;
}

/**
 * Which sites each marker stands at; a marker that binds to none has an empty list.
 *
 * A marker is a claim about one statement. It binds to a site
 * - on the line where its call, or the option that decides, begins or ends;
 * - inside the call's parentheses or the option's object;
 * - behind the end of the site's statement, or of a part of it that holds the site;
 * - in the chain that goes on from the call: `spawn(…)`, the comment, `.unref()`;
 * - before the site's statement, or before a part of it that holds the site, without a blank line between.
 *
 * A function's body has statements of its own, so nothing above a function binds to what it contains.
 */
export function bindMarkers<Target extends MarkerTarget>(
  view: ModuleView,
  markers: readonly Marker[],
  sites: readonly Target[],
): Map<Marker, Target[]> {
  const anchored = sites.map((site) => ({ site, anchors: anchorsOf(site) }));
  return new Map(
    markers.map((marker) => {
      const place = commentPlace(view, marker.comment);
      const bound = anchored.filter(({ anchors }) => anchors.some((anchor) => standsAt(place, anchor)));
      return [marker, bound.map(({ site }) => site)];
    }),
  );
}

/** Where a marker may stand for a site. */
interface Anchor {
  node: TSESTree.Node;
  /** What holds the comments that are inside it: the call, or the option's object. */
  container: TSESTree.Node | undefined;
  /** From the node up to its innermost statement. */
  path: TSESTree.Node[];
  /** Statements that begin with that one: `export`, an `if` without braces. */
  outer: TSESTree.Node[];
}

const STATEMENT =
  /Statement$|Declaration$|^(?:PropertyDefinition|AccessorProperty|MethodDefinition|StaticBlock|TSExportAssignment)$/;
const CONTROL = /^(?:If|For|ForIn|ForOf|While|DoWhile|With|Labeled)Statement$/;

function anchorsOf({ call, cause }: MarkerTarget): Anchor[] {
  const decides = cause && !(contains(cause, call) || cause === call) ? [cause] : [];
  return [
    anchorOf(call, call),
    ...decides.map((node) =>
      anchorOf(node, node.parent?.type === 'ObjectExpression' ? node.parent : undefined),
    ),
  ];
}

function anchorOf(node: TSESTree.Node, container: TSESTree.Node | undefined): Anchor {
  const path = [node];
  let top = node;
  while (!STATEMENT.test(top.type) && top.parent) path.push((top = top.parent));
  const outer: TSESTree.Node[] = [];
  for (let parent = top.parent; parent && begins(top, parent); parent = top.parent)
    outer.push((top = parent));
  return { node, container, path, outer };
}

/** Whether a comment before the parent is one about the statement in it. */
function begins(statement: TSESTree.Node, parent: TSESTree.Node): boolean {
  if (/^Export(?:Named|Default)Declaration$/.test(parent.type)) return true;
  if (statement.type === 'BlockStatement' || !CONTROL.test(parent.type)) return false;
  return !(parent.type === 'IfStatement' && parent.alternate === statement);
}

interface Place {
  comment: TSESTree.Comment;
  /** Code stands before the comment on its line, and the comment is about that. */
  isTrailing: boolean;
  /** Offset and line of the code that the comment stands directly before. */
  next: { offset: number; line: number } | undefined;
  /** Where the code ends that a chain goes on from behind the comment. */
  chained: number | undefined;
}

function commentPlace({ text, comments }: ModuleView, comment: TSESTree.Comment): Place {
  const position = comments.indexOf(comment);
  const lineStart = comment.range[0] - comment.loc.start.column;
  const before = comments
    .slice(0, position)
    .reduceRight(
      (line, { range }) =>
        range[1] > lineStart
          ? line.slice(0, Math.max(0, range[0] - lineStart)) + line.slice(range[1] - lineStart)
          : line,
      text.slice(lineStart, comment.range[0]),
    );
  let last = comment;
  let gap = gapBehind(text, last.range[1]);
  for (const following of comments.slice(position + 1)) {
    if (gap.lines > 1 || following.range[0] !== gap.end) break;
    last = following;
    gap = gapBehind(text, last.range[1]);
  }
  // In JSX a comment stands in braces of its own: `{/* … */}`.
  const inBraces = text.charAt(gap.end) === '}' && /^\s*\{\s*$/.test(before);
  const behindBraces = inBraces ? gapBehind(text, gap.end + 1) : gap;
  const isJsx = inBraces && text.charAt(behindBraces.end) === '<';
  // Behind an operator Prettier means the operand: `c ? // …`.
  const isTrailing = before.trim() !== '' && !isJsx && !/(?:[?:=([]|\|\||&&|=>)\s*$/.test(before);
  const { lines, end } = isJsx ? { lines: gap.lines + behindBraces.lines, end: behindBraces.end } : gap;
  const isNext = lines <= (isTrailing ? 0 : 1) && end < text.length;
  return {
    comment,
    isTrailing,
    next: isNext ? { offset: end, line: last.loc.end.line + lines } : undefined,
    chained: /^\??\.(?!\.)/.test(text.slice(end, end + 3)) ? codeEnd(text, comments, position) : undefined,
  };
}

/** Where the code before a comment, and before the comments above it, ends. */
function codeEnd(text: string, comments: readonly TSESTree.Comment[], position: number): number {
  let end = text.slice(0, comments[position]?.range[0]).trimEnd().length;
  for (let at = position - 1; comments[at]?.range[1] === end; at--)
    end = text.slice(0, comments[at]?.range[0]).trimEnd().length;
  return end;
}

/** The blank space from an offset on: how many line ends are in it, and where it ends. */
function gapBehind(text: string, offset: number): { lines: number; end: number } {
  const blank = /^\s*/.exec(text.slice(offset))?.[0] ?? '';
  return { lines: blank.match(/\r\n|[\n\r\u2028\u2029]/g)?.length ?? 0, end: offset + blank.length };
}

function standsAt(
  { comment, isTrailing, next, chained }: Place,
  { node, container, path, outer }: Anchor,
): boolean {
  const { start, end } = comment.loc;
  if (start.line === node.loc.end.line || end.line === node.loc.start.line) return true;
  if (container && contains(container, comment) && isDirectlyIn(container, comment)) return true;
  const whole = [...path, ...outer.filter(({ type }) => type.startsWith('Export'))];
  const isBehind = (part: TSESTree.Node): boolean =>
    part.range[1] <= comment.range[0] && part.loc.end.line === start.line;
  if (isTrailing && whole.some(isBehind)) return true;
  if (chained !== undefined && path.some(({ range }) => range[1] === chained)) return true;
  if (!next) return false;
  if ([...path, ...outer].some(({ range }) => range[0] === next.offset)) return true;
  const statement = path.at(-1);
  return node.loc.start.line === next.line && statement !== undefined && contains(statement, comment);
}

function contains(outer: TSESTree.Node, inner: TSESTree.Node | TSESTree.Comment): boolean {
  return outer.range[0] < inner.range[0] && inner.range[1] < outer.range[1];
}

/** Whether no statement lies between: a comment in a callback's body belongs to the callback. */
function isDirectlyIn(outer: TSESTree.Node, comment: TSESTree.Comment): boolean {
  const inner = childrenOf(outer).find((child) => contains(child, comment));
  return (
    !inner || (!STATEMENT.test(inner.type) && inner.type !== 'ClassBody' && isDirectlyIn(inner, comment))
  );
}
