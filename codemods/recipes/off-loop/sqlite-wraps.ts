import {
  eolNear,
  functionAround,
  indentOf,
  isClass,
  isFunction,
  isInside,
  lastName,
  walk,
  wrapEdits,
  type FunctionNode,
  type LoopModule,
  type WrappingEdit,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { SqliteHandle } from './sqlite-handles.ts';
import { isLoopBody } from './shared-state.ts';
import { outermost } from './value-uses.ts';

/** Statements that become one transaction, since nothing may come between them. */
export interface SqliteWrap {
  module: LoopModule;
  start: number;
  end: number;
  edits: readonly WrappingEdit[];
}

/**
 * The transaction around what a function does between two places; undefined where it is not certain that it then does the
 * same: something jumps out of it, or what it declares is changed behind it.
 *
 * @param from the end of what is first in it
 * @param to the end of what is last in it
 */
export function sqliteWrap(
  handle: SqliteHandle,
  module: LoopModule,
  fn: FunctionNode,
  from: number,
  to: number,
): SqliteWrap | undefined {
  const database = isLoopBody(fn) || fn.generator ? undefined : nameOf(handle, module, fn);
  if (database === undefined) return undefined;
  const opening = `await ${database}.transaction(async () => `;
  if (fn.body.type !== 'BlockStatement') {
    if (fn.body.type === 'ObjectExpression') return undefined;
    const [start, end] = fn.body.range;
    return { module, start, end, edits: aroundAll(fn.body, opening, ')()') };
  }
  // The smallest list of statements that holds both, or one further out.
  for (
    let block: TSESTree.Node | undefined = blockAround(fn, from, to);
    block;
    block = blockOf(block.parent)
  ) {
    const wrap =
      block.type === 'BlockStatement' && isInside(block, fn) ? within(module, fn, block) : undefined;
    if (wrap || block === fn.body) return wrap;
  }
  return undefined;

  function within(
    place: LoopModule,
    { body }: FunctionNode,
    block: TSESTree.BlockStatement,
  ): SqliteWrap | undefined {
    const at = (offset: number): number =>
      block.body.findIndex(({ range }) => range[0] < offset && offset <= range[1]);
    const [first, last] = [at(from), at(to)];
    const inside = block.body.slice(first, last + 1);
    const rest = block.body.slice(last + 1);
    const jumps = inside.flatMap(jumpsIn);
    if (first < 0 || last < 0 || jumps.some(({ type }) => type !== 'ReturnStatement')) return undefined;
    if (jumps.length > 0) {
      // What returns out of it ends the function with it: so it goes to the end of the function.
      if (block !== body || !rest.every(isPlainReturn)) return undefined;
      const all = [...inside, ...rest];
      const gives = all
        .flatMap(jumpsIn)
        .some((each) => each.type === 'ReturnStatement' && each.argument !== null);
      return around(place, all, `${gives ? 'return ' : ''}${opening}{`, '})()');
    }
    const names = namesUsedBehind(place, inside, rest);
    if (!names) return undefined;
    if (names.length === 0) return around(place, inside, `${opening}{`, '})()');
    const list = `{ ${names.join(', ')} }`;
    return around(place, inside, `const ${list} = ${opening}{`, `})()`, `return ${list}`);
  }
}

/** Whether a place of a module is in a transaction that was put around it. */
export const isWrapped = ({ wraps }: SqliteHandle, place: LoopModule, { range }: TSESTree.Node): boolean =>
  [...wraps.values()].some(
    ({ module, start, end }) => module === place && range[0] >= start && range[1] <= end,
  );

/** By what name a function reaches the database: a variable that nothing hides, or a field of its own class. */
function nameOf(handle: SqliteHandle, place: LoopModule, fn: FunctionNode): string | undefined {
  const { open, module } = handle;
  if (place !== module) return unhidden(place, handle.imported.get(place));
  const { parent } = outermost(open);
  const holder =
    parent?.type === 'VariableDeclarator'
      ? parent.id
      : parent?.type === 'AssignmentExpression'
        ? parent.left
        : parent?.type === 'PropertyDefinition' && !parent.static
          ? parent.key
          : undefined;
  if (holder?.type === 'Identifier' && parent?.type !== 'PropertyDefinition') return unhidden(module, holder);
  const owner = classAround(open);
  const name = holder && lastName(holder);
  if (!owner || name === undefined || thisOf(fn) !== owner) return undefined;
  const key = holder?.type === 'MemberExpression' ? holder.property : holder;
  return `this.${key?.type === 'PrivateIdentifier' ? '#' : ''}${name}`;
}

/** A name of a module that no other hides. */
function unhidden({ index, view }: LoopModule, name: TSESTree.Identifier | undefined): string | undefined {
  const variable = name && index.variableOf(name);
  const { scopes } = view.scopeManager;
  const isHidden =
    scopes.filter((scope) => scope.variables.some((each) => each.name === name?.name)).length > 1;
  return variable?.scope.block.type === 'Program' && !isHidden ? variable.name : undefined;
}

function classAround(node: TSESTree.Node): TSESTree.Node | undefined {
  let at: TSESTree.Node | undefined = node;
  while (at && !isClass(at)) at = at.parent;
  return at;
}

/** The class whose instance `this` is in a function. */
function thisOf(fn: FunctionNode): TSESTree.Node | undefined {
  let at: FunctionNode | undefined = fn;
  while (at?.type === 'ArrowFunctionExpression' && at.parent.type !== 'PropertyDefinition')
    at = functionAround(at);
  const member = at?.parent;
  if (member?.type !== 'MethodDefinition' && member?.type !== 'PropertyDefinition') return undefined;
  return member.static ? undefined : member.parent.parent;
}

/** The smallest block of a function that holds two places. */
function blockAround(fn: FunctionNode, from: number, to: number): TSESTree.Node | undefined {
  let found: TSESTree.Node | undefined;
  walk(fn.body, (node) => {
    const [start, end] = node.range;
    if (node.type !== 'BlockStatement' || start >= from || end < to) return;
    if (!found || isInside(node, found)) found = node;
  });
  return found ?? (fn.body.type === 'BlockStatement' ? fn.body : undefined);
}

function blockOf(node: TSESTree.Node | undefined): TSESTree.Node | undefined {
  let at = node;
  while (at && at.type !== 'BlockStatement' && !isFunction(at)) at = at.parent;
  return at;
}

/** What leaves a statement otherwise than by its end: `return`, and what a loop around it would do. */
function jumpsIn(statement: TSESTree.Node): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  walk(statement, (node, inner) => {
    if (inner !== undefined && inner !== statement) return;
    if (node.type === 'ReturnStatement' || node.type === 'YieldExpression') found.push(node);
    else if (/^(Break|Continue)Statement$/.test(node.type) && !staysIn(node, statement)) found.push(node);
  });
  return found;
}

/** Whether the loop that a `break` or a `continue` without a label is of stands in a statement. */
function staysIn(node: TSESTree.Node, statement: TSESTree.Node): boolean {
  if ('label' in node && node.label) return false;
  for (let at: TSESTree.Node | undefined = node; at; at = at.parent) {
    if (/^(For|While|DoWhile)|^SwitchStatement$/.test(at.type) && at.type.endsWith('Statement'))
      return at.type !== 'SwitchStatement' || node.type === 'BreakStatement' ? isInside(at, statement) : true;
    if (at === statement) return false;
  }
  return false;
}

/** `return n + 1;`: nothing that could fail, or be seen, before the transaction is over. */
function isPlainReturn(statement: TSESTree.Statement): boolean {
  if (statement.type !== 'ReturnStatement') return false;
  let isPlain = true;
  walk(statement, (node) => {
    isPlain &&= !/^(Call|New|Await|Assignment|Update|TaggedTemplate|Import)Expression$/.test(node.type);
  });
  return isPlain;
}

/** The constants of some statements that others use; undefined where these could change them. */
function namesUsedBehind(
  { view }: LoopModule,
  inside: readonly TSESTree.Statement[],
  rest: readonly TSESTree.Statement[],
): string[] | undefined {
  const names: string[] = [];
  for (const statement of inside) {
    if (/^(Function|Class|TS)\w*Declaration$/.test(statement.type)) return undefined;
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { name, references } of view.scopeManager.getDeclaredVariables(statement)) {
      const isUsed = references.some(({ identifier }) => rest.some((each) => isInside(identifier, each)));
      if (!isUsed) continue;
      if (references.some((each) => each.isWrite() && each.init !== true)) return undefined;
      names.push(name);
    }
    if (statement.kind === 'var' && names.length > 0) return undefined;
  }
  return names;
}

function around(
  module: LoopModule,
  statements: readonly TSESTree.Statement[],
  before: string,
  after: string,
  result?: string,
): SqliteWrap | undefined {
  const [first, last] = [statements[0], statements.at(-1)];
  if (!first || !last) return undefined;
  const { text } = module.view;
  const [start, end] = [first.range[0], last.range[1]];
  const line = eolNear(text, start) + indentOf(text, start);
  const semicolon = text.charAt(end - 1) === ';' || text.charAt(end - 1) === '}' ? ';' : '';
  const ending = `${result === undefined ? '' : `${line}${result}${semicolon}`}${line}${after}${semicolon}`;
  return {
    module,
    start,
    end,
    edits: aroundAll({ range: [start, end] } as TSESTree.Node, `${before}${line}`, ending),
  };
}

/** Around everything else that is put around the same text. */
const aroundAll = (node: TSESTree.Node, before: string, after: string): WrappingEdit[] =>
  wrapEdits(node, before, after).map((edit) => ({ ...edit, rank: (edit.rank ?? 0) * 1.5 }));
