import type { TSESTree } from '@typescript-eslint/utils';
import { walk } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import { functionAround, isInside, type FunctionNode } from '../read/nodes.ts';
import type { WrappingEdit } from './await.ts';
import { commentsIn } from './trivia.ts';

type Inline = FunctionNode & { body: TSESTree.Node };

/**
 * Turns `list.forEach((x) => { … })` into `for (const x of list) { … }`; undefined where that would mean something else:
 * an index, a value that is used, `this`, a `return` with a value or inside a loop, a `var`, a comment that would be lost.
 */
export function forOfEdits(
  view: ModuleView,
  call: TSESTree.CallExpression,
  fn: Inline,
): WrappingEdit[] | undefined {
  const { text } = view;
  const statement = call.parent;
  const { callee } = call;
  const [param, ...more] = fn.params;
  const [, self, ...others] = call.arguments;
  if (statement.type !== 'ExpressionStatement' || callee.type !== 'MemberExpression' || callee.optional)
    return undefined;
  if (
    others.length > 0 ||
    (self && !/^(ThisExpression|Identifier)$/.test(self.type)) ||
    more.length > 0 ||
    fn.generator ||
    param?.type === 'RestElement' ||
    param?.type === 'AssignmentPattern'
  )
    return undefined;
  if (usesOwnThis(fn) || fn.typeParameters) return undefined;
  const returns = ownReturns(fn);
  if (returns.some((each) => each.argument !== null || isInLoop(each, fn))) return undefined;
  if (declaresForFunction(view, fn) || (param && sharesNames(param, callee.object))) return undefined;
  const isBlock = fn.body.type === 'BlockStatement';
  if (!isBlock && !/^(Await|Call|Assignment|Update|New)Expression$/.test(fn.body.type)) return undefined;

  const list = callee.object.range;
  const gaps: [number, number][] = [
    [list[1], fn.body.range[0]],
    [fn.body.range[1], isBlock ? statement.range[1] : call.range[1]],
  ];
  if (gaps.some(([start, end]) => hasComment(view, start, end, param))) return undefined;
  // A parenthesis around the list or the body would be torn apart.
  if (callee.object.range[0] !== call.range[0] || /^\s*\(/.test(bodyGap(text, fn))) return undefined;
  const name = param ? patternText(text, param) : '_';
  const keyword = param && isWritten(view, param) ? 'let' : 'const';
  const [start] = statement.range;
  return [
    { start, end: start, text: `for (${keyword} ${name} of `, rank: -1e6 },
    { start: list[1], end: fn.body.range[0], text: ') ' },
    ...gaps
      .slice(1)
      .filter(([from, to]) => to > from)
      .map(([from, to]) => ({ start: from, end: to, text: '' })),
    ...returns.map(({ range }) => ({ start: range[0], end: range[0] + 'return'.length, text: 'continue' })),
  ];
}

function hasComment(view: ModuleView, start: number, end: number, param: TSESTree.Node | undefined): boolean {
  return commentsIn(view, start, end).some(
    (comment) => !param || !isInside(comment as unknown as TSESTree.Node, param),
  );
}

/** What stands between an arrow and its body. */
function bodyGap(text: string, fn: FunctionNode): string {
  if (fn.type !== 'ArrowFunctionExpression') return '';
  const before = text.slice(fn.range[0], fn.body.range[0]);
  return before.slice(before.lastIndexOf('=>') + 2);
}

/** A name or a pattern without its type. */
function patternText(text: string, param: TSESTree.Parameter): string {
  const type = 'typeAnnotation' in param ? param.typeAnnotation : undefined;
  return text.slice(param.range[0], type ? type.range[0] : param.range[1]).trimEnd();
}

function inOwn(fn: FunctionNode, visit: (node: TSESTree.Node, isNested: boolean) => void): void {
  walk(fn.body, (node, inner) => {
    visit(node, inner !== undefined);
  });
}

function usesOwnThis(fn: FunctionNode): boolean {
  if (fn.type === 'ArrowFunctionExpression') return false;
  let found = false;
  inOwn(fn, (node) => {
    found ||= node.type === 'ThisExpression' || (node.type === 'Identifier' && node.name === 'arguments');
  });
  return found;
}

function ownReturns(fn: FunctionNode): TSESTree.ReturnStatement[] {
  const found: TSESTree.ReturnStatement[] = [];
  inOwn(fn, (node, isNested) => {
    if (node.type === 'ReturnStatement' && !isNested) found.push(node);
  });
  return found;
}

function isInLoop(node: TSESTree.Node, fn: FunctionNode): boolean {
  for (let at = node.parent; at && at !== fn; at = at.parent)
    if (/^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(at.type)) return true;
  return false;
}

/** `var` and functions belong to the whole function around; a `var` that nothing but its own block sees may. */
function declaresForFunction(view: ModuleView, fn: FunctionNode): boolean {
  let found = false;
  inOwn(fn, (node, isNested) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'var' && !isNested)
      found ||= !isLocal(view, fn, node);
    found ||= node.type === 'FunctionDeclaration' && node.parent === fn.body;
  });
  return found;
}

/** Whether the names of a `var` have a value whenever they are read, and mean nothing else in the function around. */
function isLocal(
  { scopeManager }: ModuleView,
  fn: FunctionNode,
  { declarations, parent }: TSESTree.VariableDeclaration,
): boolean {
  const around = functionAround(fn);
  return declarations.every((declarator) => {
    if (!declarator.init) return false;
    return scopeManager.getDeclaredVariables(declarator).every(({ name, references, identifiers }) => {
      const isOwn = references.every(
        ({ identifier }) =>
          functionAround(identifier) === fn &&
          isInside(identifier, parent) &&
          identifier.range[0] >= declarator.range[0],
      );
      const isElsewhere = scopeManager.scopes.some(({ references: all, variables }) =>
        [...all.map(({ identifier }) => identifier), ...variables.flatMap((each) => each.identifiers)].some(
          (id) => id.name === name && !isInside(id, fn) && (!around || isInside(id, around)),
        ),
      );
      return isOwn && identifiers.length === 1 && !isElsewhere;
    });
  });
}

/** `x.forEach((x) => …)`: in the loop's head its own name is not there yet. */
function sharesNames(param: TSESTree.Node, list: TSESTree.Node): boolean {
  const names = new Set<string>();
  walk(param, (node) => {
    if (node.type === 'Identifier') names.add(node.name);
  });
  let found = false;
  walk(list, (node) => {
    found ||= node.type === 'Identifier' && names.has(node.name);
  });
  return found;
}

/** Whether a name of a parameter gets another value. */
function isWritten({ scopeManager }: ModuleView, param: TSESTree.Node): boolean {
  return scopeManager.scopes.some(({ variables }) =>
    variables.some(
      ({ identifiers, references }) =>
        identifiers.some((id) => isInside(id, param)) && references.some((use) => use.isWrite() && !use.init),
    ),
  );
}
