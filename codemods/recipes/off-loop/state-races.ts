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

/** A change of state that others share, after a look at it, with a wait in between. */
export interface StateRace {
  node: TSESTree.Node;
  /** The change is made of what was seen, or hangs on it: it would undo what others did meanwhile. */
  isLost: boolean;
}

const MUTATORS = /^(add|clear|delete|pop|push|set|shift|splice|unshift)$/;

interface Write {
  node: TSESTree.Node;
  /** The text of what is changed: `count`, `this.sessions`. */
  target: string;
  /** What it is changed to. */
  values: readonly TSESTree.Node[];
}

/**
 * Where a function would change shared state by what it saw before a wait.
 *
 * @param waits the calls in the function that are awaited from now on
 */
export function stateRaces(
  module: LoopModule,
  fn: FunctionNode,
  waits: readonly TSESTree.Node[],
): StateRace[] {
  const { text } = module.view;
  const own = nodesOf(fn);
  const textOf = (node: TSESTree.Node): string => text.slice(...node.range);
  const races: StateRace[] = [];
  for (const write of own.flatMap((node) => writeOf(module, fn, node))) {
    const { node, target, values } = write;
    const inside = waits.filter((wait) => values.some((value) => isInside(wait, value)));
    const isCompound =
      node.type === 'AssignmentExpression' &&
      node.operator !== '=' &&
      !/^(\?\?|\|\||&&)=$/.test(node.operator);
    if (
      inside.length > 0 &&
      (isCompound || values.some((value) => mentionsBefore(value, target, inside[0])))
    ) {
      races.push({ node, isLost: true });
      continue;
    }
    // `cache ??= await load()` has looked at it by then, and only fills it.
    if (inside.length > 0 && node.type === 'AssignmentExpression' && node.operator !== '=')
      races.push({ node, isLost: false });
    const before = waits.filter((wait) => wait.range[0] < node.range[1] && !isElsewhere(wait, node, fn));
    const last = before.at(-1);
    if (!last) continue;
    const seen = own.filter(
      (each) => isRead(each, target, textOf) && each.range[0] < last.range[0] && !isInside(each, node),
    );
    if (seen.length === 0 || alreadyWaits(own, seen, node)) continue;
    const tainted = new Set(seen.flatMap((each) => declared(each)));
    const uses = values.some((value) => names(value).some((name) => tainted.has(name)));
    const isFilled = inside.length > 0 || values.some((value) => comesFrom(own, value, waits));
    const isTested = seen.some((each) => isTest(each, fn));
    races.push({ node, isLost: uses || (isTested && !isFilled) });
  }
  return races;

  /** `total + await x` has read `total` by then. */
  function mentionsBefore(value: TSESTree.Node, target: string, wait: TSESTree.Node | undefined): boolean {
    return nodesIn(value).some(
      (each) => isRead(each, target, textOf) && wait !== undefined && each.range[0] < wait.range[0],
    );
  }
}

/** The nodes of a function, those of inner ones left out. */
function nodesOf(fn: FunctionNode): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  walk(fn.body as unknown as TSESTree.Program, (node, inner) => {
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

function nodesIn(root: TSESTree.Node): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  walk(root as unknown as TSESTree.Program, (node) => {
    found.push(node);
  });
  return found;
}

function writeOf({ index, view }: LoopModule, fn: FunctionNode, node: TSESTree.Node): Write[] {
  const make = (target: TSESTree.Node, values: readonly TSESTree.Node[]): Write[] =>
    isShared(target) ? [{ node, target: view.text.slice(...target.range), values }] : [];
  if (node.type === 'AssignmentExpression') return make(node.left, [node.right]);
  if (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    MUTATORS.test(lastName(node.callee) ?? '')
  )
    return make(node.callee.object, node.arguments);
  return [];

  function isShared(target: TSESTree.Node): boolean {
    const root = index.rootOf(holderOf(target))?.root;
    if (!root) return false;
    if (!('identifiers' in root)) return true;
    return !root.identifiers.some((id) => isInside(id, fn));
  }
}

/** `sessions` for `sessions[id]`. */
const holderOf = (target: TSESTree.Node): TSESTree.Node =>
  target.type === 'MemberExpression' && target.computed ? holderOf(target.object) : target;

const isRead = (node: TSESTree.Node, target: string, textOf: (node: TSESTree.Node) => string): boolean => {
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

/** The names that are given what a place holds. */
function declared(node: TSESTree.Node): string[] {
  for (let at: TSESTree.Node | undefined = node; at && !isFunction(at); at = at.parent) {
    if (at.type === 'VariableDeclarator') return names(at.id);
    if (at.type.endsWith('Statement')) return [];
  }
  return [];
}

const names = (node: TSESTree.Node): string[] =>
  nodesIn(node).flatMap((each) => (each.type === 'Identifier' ? [each.name] : []));

/** Whether a value is, or is made of, what is waited for. */
function comesFrom(
  own: readonly TSESTree.Node[],
  value: TSESTree.Node,
  waits: readonly TSESTree.Node[],
): boolean {
  const wanted = new Set(names(value));
  // Through a few names: `const text = read(); const data = JSON.parse(text)`.
  for (let step = 0; step < 4; step++) {
    for (const node of own) {
      if (
        node.type !== 'VariableDeclarator' ||
        !node.init ||
        !names(node.id).some((name) => wanted.has(name))
      )
        continue;
      const { init } = node;
      if (waits.some((wait) => isInside(wait, init))) return true;
      for (const name of names(init)) wanted.add(name);
    }
  }
  return false;
}

/** Whether something hangs on what a place holds. */
function isTest(node: TSESTree.Node, fn: FunctionNode): boolean {
  for (let at = node; at.parent && at !== fn; at = at.parent) {
    const { parent } = at;
    if ('test' in parent && parent.test === at) return true;
    if (parent.type === 'LogicalExpression' && parent.left === at) return true;
  }
  return false;
}

/** Whether a wait stands in another branch than a node. */
export function isElsewhere(wait: TSESTree.Node, node: TSESTree.Node, fn: FunctionNode): boolean {
  for (let at = wait; at.parent && at !== fn; at = at.parent) {
    const { parent } = at;
    if (parent.type !== 'IfStatement' || !isInside(node, parent) || parent.test === at) continue;
    const other = parent.consequent === at ? parent.alternate : parent.consequent;
    if (other && isInside(node, other)) return true;
  }
  return false;
}

/** Whether the function waits already between the look and the change. */
function alreadyWaits(
  own: readonly TSESTree.Node[],
  seen: readonly TSESTree.Node[],
  node: TSESTree.Node,
): boolean {
  const from = seen.at(-1)?.range[0] ?? 0;
  return own.some(
    (each) => each.type === 'AwaitExpression' && each.range[0] > from && each.range[1] < node.range[1],
  );
}
