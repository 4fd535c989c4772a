import {
  functionAround,
  isFunction,
  isInside,
  lastName,
  walk,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

const MUTATORS = /^(add|clear|delete|pop|push|set|shift|splice|unshift)$/;

/** A change of state that outlives the call that makes it. */
export interface Write {
  node: TSESTree.Node;
  /** The text of what is changed: `count`, `this.sessions`. */
  target: string;
  /** What it is changed to. */
  values: readonly TSESTree.Node[];
}

/** The nodes of a function, those of inner ones left out. */
export function nodesOf(fn: FunctionNode): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  walk(fn.body, (node, inner) => {
    if (isOwn(inner) || isFunction(node)) found.push(node);
  });
  return found.sort((a, b) => a.range[0] - b.range[0]);

  /** What is given to `forEach` becomes a loop. */
  function isOwn(inner: TSESTree.Node | undefined): boolean {
    if (inner === undefined || inner === fn) return true;
    return isLoopBody(inner) && isOwn(functionAround(inner));
  }
}

/** Whether a function is given to `forEach`. */
export const isLoopBody = ({ parent }: TSESTree.Node): boolean =>
  parent?.type === 'CallExpression' && lastName(parent.callee) === 'forEach';

/** A node and all that is below it, in any order. */
export function nodesIn(root: TSESTree.Node): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  walk(root, (node) => {
    found.push(node);
  });
  return found;
}

/** What a node changes of what others see too: variables from outside of the function, members of `this`, globals. */
export function writeOf({ index, view }: LoopModule, fn: FunctionNode, node: TSESTree.Node): Write[] {
  const make = (target: TSESTree.Node, values: readonly TSESTree.Node[]): Write[] =>
    isShared(target) ? [{ node, target: view.text.slice(...target.range), values }] : [];
  if (node.type === 'AssignmentExpression') return make(node.left, [node.right]);
  if (node.type === 'UpdateExpression') return make(node.argument, []);
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return make(node.argument, []);
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
  const { object } = node.callee;
  const name = lastName(node.callee) ?? '';
  if (MUTATORS.test(name)) return make(object, node.arguments);
  return isGlobal(object, 'process') && /^(chdir|umask)$/.test(name)
    ? [{ node, target: `process.${name}`, values: node.arguments }]
    : [];

  function isShared(target: TSESTree.Node): boolean {
    const held = holderOf(target);
    const root = index.rootOf(held)?.root;
    if (root) return !('identifiers' in root) || !root.identifiers.some((id) => isInside(id, fn));
    return held.type === 'MemberExpression' && isGlobal(startOf(held));
  }

  function isGlobal(start: TSESTree.Node, name?: string): boolean {
    if (start.type !== 'Identifier' || (name !== undefined && start.name !== name)) return false;
    return index.variableOf(start) === undefined;
  }
}

const startOf = (node: TSESTree.Node): TSESTree.Node =>
  node.type === 'MemberExpression' ? startOf(node.object) : node;

/** `sessions` for `sessions[id]`. */
const holderOf = (target: TSESTree.Node): TSESTree.Node =>
  target.type === 'MemberExpression' && target.computed ? holderOf(target.object) : target;

export const isRead = (
  node: TSESTree.Node,
  target: string,
  textOf: (node: TSESTree.Node) => string,
): boolean => {
  if (!/^(Identifier|MemberExpression)$/.test(node.type) || textOf(node) !== target) return false;
  const { parent } = node;
  if (parent?.type === 'AssignmentExpression' && parent.left === node && parent.operator === '=')
    return false;
  if (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) return false;
  // `sessions.set(…)` changes and does not look.
  return !(
    parent?.type === 'MemberExpression' &&
    parent.object === node &&
    MUTATORS.test(lastName(parent) ?? '') &&
    parent.parent.type === 'CallExpression'
  );
};

/** Whether something hangs on what a place holds. */
export function isTest(node: TSESTree.Node, fn: FunctionNode): boolean {
  for (let at = node; at.parent && at !== fn; at = at.parent) {
    const { parent } = at;
    if ('test' in parent && parent.test === at) return true;
    if (parent.type === 'LogicalExpression' && parent.left === at) return true;
  }
  return false;
}

/** Whether a function may come from one node to a later one: they are in no two branches, and it does not end in between. */
export function isOnOneWay(first: TSESTree.Node, second: TSESTree.Node, fn: FunctionNode): boolean {
  for (let at = first; at.parent && at !== fn; at = at.parent) {
    const { parent } = at;
    const ways =
      parent.type === 'TryStatement' && parent.block === at ? [parent.handler, parent.finalizer] : [];
    if (isInside(second, at) || ways.some((way) => way && isInside(second, way))) return true;
    const isBranch =
      parent.type === 'SwitchStatement' || (parent.type === 'IfStatement' && parent.test !== at);
    if (isBranch && isInside(second, parent)) return parent.type === 'SwitchStatement' && !breaks(at);
    if (ends(at) && functionAround(at) === fn && !isCaught(parent, second, fn)) return false;
  }
  return true;
}

/** Whether what is thrown, or returned, comes by a later node all the same. */
function isCaught(from: TSESTree.Node, node: TSESTree.Node, fn: FunctionNode): boolean {
  for (let at = from; at.parent && at !== fn; at = at.parent)
    if (at.type === 'TryStatement' && isInside(node, at)) return true;
  return false;
}

const lastOf = (node: TSESTree.Node): string | undefined =>
  (node.type === 'BlockStatement'
    ? node.body.at(-1)
    : node.type === 'SwitchCase'
      ? node.consequent.at(-1)
      : node
  )?.type;

const ends = (node: TSESTree.Node): boolean => /^(Return|Throw)Statement$/.test(lastOf(node) ?? '');

const breaks = (node: TSESTree.Node): boolean => ends(node) || lastOf(node) === 'BreakStatement';
