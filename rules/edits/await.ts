import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import { isFunction, isInside, type FunctionNode } from '../read/nodes.ts';
import type { Edit } from './edit.ts';

/** An edit that may stand at one place with others: what goes around more of the text goes further out. */
export interface WrappingEdit extends Edit {
  /** The length of what is wrapped, negative for what goes in front of it. */
  rank?: number;
}

/** Where `await` cannot stand. */
export type NoAwait =
  'parameter-default' | 'class-field' | 'static-block' | 'decorator' | 'top-level' | 'optional-chain';

/** The function in whose body a node stands, undefined for the top level; or why nothing can be awaited there. */
export function awaitPlace(node: TSESTree.Node): { fn: FunctionNode | undefined } | { reason: NoAwait } {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (isFunction(parent)) {
      const isParameter = parent.params.some((param) => isInside(node, param));
      return isParameter ? { reason: 'parameter-default' } : { fn: parent };
    }
    if (parent.type === 'StaticBlock') return { reason: 'static-block' };
    if (parent.type === 'Decorator') return { reason: 'decorator' };
    if (/^(PropertyDefinition|AccessorProperty|TSEnumMember)$/.test(parent.type))
      return { reason: 'class-field' };
  }
  return { fn: undefined };
}

/** The whole chain that a call ends, `a?.b()`; undefined where the chain goes on behind it. */
export function awaitTarget(call: TSESTree.Node): TSESTree.Node | undefined {
  if (call.parent?.type === 'ChainExpression') return call.parent;
  for (let at = call; ;) {
    const { parent } = at;
    const goesOn =
      (parent?.type === 'MemberExpression' && parent.object === at) ||
      (parent?.type === 'CallExpression' && parent.callee === at) ||
      (parent?.type === 'TSNonNullExpression' && parent.expression === at);
    if (parent?.type === 'ChainExpression') return hasOptional(call) ? undefined : call;
    if (!goesOn) return call;
    at = parent;
  }
}

/** Whether what comes before may end the chain early. */
function hasOptional(node: TSESTree.Node): boolean {
  for (let at: TSESTree.Node = node; ;) {
    if (at.type === 'CallExpression') {
      if (at.optional) return true;
      at = at.callee;
    } else if (at.type === 'MemberExpression') {
      if (at.optional) return true;
      at = at.object;
    } else if (at.type === 'TSNonNullExpression') at = at.expression;
    else return false;
  }
  return false;
}

/** Whether `await x` in the place of x needs parentheses. */
function needsParentheses(node: TSESTree.Node): boolean {
  const { parent } = node;
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node;
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee === node;
    case 'TaggedTemplateExpression':
    case 'TSNonNullExpression':
      return true;
    case 'BinaryExpression':
      return parent.operator === '**' && parent.left === node;
    case 'ClassDeclaration':
    case 'ClassExpression':
      return parent.superClass === node;
    default:
      return false;
  }
}

/** Awaits an expression in its place; an `await` that was of no use is of use now. */
export function awaitEdits(view: ModuleView, node: TSESTree.Node, before = '', after = ''): WrappingEdit[] {
  if (node.parent?.type === 'AwaitExpression') return wrapEdits(node, before, after);
  const isWrapped = needsParentheses(node) && !isParenthesized(view, node);
  const open = isWrapped ? `${guard(view, node)}(await ${before}` : `await ${before}`;
  return wrapEdits(node, open, `${after}${isWrapped ? ')' : ''}`);
}

/** Puts texts in front of an expression and behind it. */
export function wrapEdits(
  { range: [start, end] }: TSESTree.Node,
  before: string,
  after: string,
): WrappingEdit[] {
  const rank = end - start;
  const edits: WrappingEdit[] = [];
  if (before !== '') edits.push({ start, end: start, text: before, rank: -rank });
  if (after !== '') edits.push({ start: end, end, text: after, rank });
  return edits;
}

function isParenthesized({ text }: ModuleView, { range: [start, end] }: TSESTree.Node): boolean {
  return /\(\s*$/.test(text.slice(0, start)) && /^\s*\)/.test(text.slice(end)) && !isArgument(text, start);
}

/** Of a call: `f(x)`, `f(x)(y)`, `a[0](x)`, `f<T>(x)`. */
const isArgument = (text: string, start: number): boolean =>
  /[\w$)\]>?.]\s*\(\s*$/.test(text.slice(0, start));

/** A statement that begins with a parenthesis goes on with the one before, where that has no semicolon. */
function guard({ text }: ModuleView, node: TSESTree.Node): string {
  let at: TSESTree.Node | undefined = node;
  while (at && at.type !== 'ExpressionStatement')
    at = at.parent?.range[0] === node.range[0] ? at.parent : undefined;
  const { parent } = at ?? {};
  if (!at || !parent || !('body' in parent) || !Array.isArray(parent.body)) return '';
  const before = (parent.body as TSESTree.Node[])[(parent.body as TSESTree.Node[]).indexOf(at) - 1];
  const isOpen =
    before && /^(Expression|Return|Throw|Break|Continue|VariableD|Import|Export|TSType)/.test(before.type);
  return isOpen && text.charAt(before.range[1] - 1) !== ';' ? ';' : '';
}

/** One edit for all that is put in at one place, the outer before the inner and what closes before what opens. */
export function joinEdits(edits: readonly WrappingEdit[]): Edit[] {
  const inserted = new Map<number, WrappingEdit[]>();
  const others: Edit[] = [];
  for (const edit of edits) {
    if (edit.start !== edit.end) others.push({ start: edit.start, end: edit.end, text: edit.text });
    else inserted.set(edit.start, [...(inserted.get(edit.start) ?? []), edit]);
  }
  for (const [at, its] of inserted) {
    const texts = new Map(its.map((edit) => [`${String(edit.rank)} ${edit.text}`, edit]));
    const sorted = [...texts.values()].sort((a, b) => order(a) - order(b));
    others.push({ start: at, end: at, text: sorted.map(({ text }) => text).join('') });
  }
  return others;
}

/** Closings first, inner before outer; then whole lines; then openings, outer before inner; then all else. */
function order({ rank = 0, text }: WrappingEdit): number {
  if (rank > 0) return rank - 1e9;
  if (rank === 0 && text.endsWith('\n')) return -5e8;
  return rank < 0 ? rank : 1;
}
