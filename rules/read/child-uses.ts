import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex, Root } from './module-index.ts';
import {
  bareExpression,
  calleeOf,
  functionAround,
  isInside,
  lastName,
  literalText,
  type CallNode,
  type FunctionNode,
} from './nodes.ts';

/** What becomes of the value of a call that starts a child. */
export interface Child {
  call: CallNode;
  /** The function that starts it; undefined at the top level. */
  around: FunctionNode | undefined;
  /** The variables and members that hold it. */
  names: { root: Root; path: string[]; node: TSESTree.Node }[];
  /** The lists, sets and maps that it is put into. */
  collections: { root: Root | undefined; node: TSESTree.Node }[];
  returned: TSESTree.Node | undefined;
  /** It is an argument of a call. */
  isPassed: boolean;
  /** It is awaited, handed to something that is, or read to its end. */
  isAwaited: boolean;
}

/** A call on a child or on a part of it: `child.on(…)`, `child.stdout.on(…)`. */
export interface ChildUse {
  /** Below the child: `['stdout', 'on']`. */
  path: readonly string[];
  call: CallNode;
}

/** Methods that take a listener of an event. */
export const listens = /^(?:on|once|addListener|prependListener)$/;
const collects = /^(?:push|unshift|add|set)$/;
/** Functions that wait for something else than the end. */
const waitsForStart = /ready|listen|start|spawn|open|port|health|boot|up$/i;

/** Follows the child of a call to where it goes, within the function that starts it. */
export function childOf(index: ModuleIndex, call: CallNode): Child {
  const around = functionAround(call);
  const child: Child = {
    call,
    around,
    names: [],
    collections: [],
    returned: undefined,
    isPassed: false,
    isAwaited: false,
  };
  follow(index, call, child);
  return child;
}

function follow(index: ModuleIndex, node: TSESTree.Node, child: Child): void {
  const { parent } = node;
  switch (parent?.type) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'ChainExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'ArrayExpression':
    case 'ObjectExpression':
      follow(index, parent, child);
      return;
    case 'Property':
      if (parent.value === node) follow(index, parent, child);
      return;
    case 'AwaitExpression':
      child.isAwaited = true;
      return;
    case 'ReturnStatement':
      child.returned ??= parent;
      return;
    case 'ArrowFunctionExpression':
      if (parent.body === node) child.returned ??= node;
      return;
    case 'VariableDeclarator':
      if (parent.init === node && parent.id.type === 'Identifier') addName(index, parent.id, child);
      return;
    case 'AssignmentExpression':
      if (parent.right !== node) return;
      addName(index, parent.left, child);
      follow(index, parent, child);
      return;
    case 'CallExpression':
    case 'NewExpression':
      if (parent.callee !== node) followArgument(index, parent, child);
      return;
    case 'MemberExpression':
      if (parent.object === node) followMember(index, parent, child);
      return;
    default:
  }
}

function addName(index: ModuleIndex, target: TSESTree.Node, child: Child): void {
  const place = index.rootOf(target);
  if (!place || child.names.some(({ root, path }) => root === place.root && startsWith(place.path, path)))
    return;
  child.names.push({ ...place, node: target });
  if (!('references' in place.root) || place.path.length > 0) return;
  for (const { identifier } of place.root.references) {
    if (identifier !== target && functionAround(identifier) === child.around)
      follow(index, identifier, child);
  }
}

/** Whether a path begins with another. */
export const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((key, at) => path[at] === key);

/** `children.push(child)` keeps it; `once(child, 'exit')` and `await run(child)` wait for its end. */
function followArgument(
  index: ModuleIndex,
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  child: Child,
): void {
  child.isPassed = true;
  const callee = bareExpression(call.callee);
  const name = lastName(callee) ?? '';
  if (callee.type === 'MemberExpression' && collects.test(name))
    child.collections.push({ root: index.rootOf(callee.object)?.root, node: callee.object });
  const [, event] = call.arguments;
  child.isAwaited ||=
    name === 'once'
      ? /^(?:exit|close)$/.test((event && literalText(event)) ?? '')
      : isAwaitedCall(call) && !waitsForStart.test(name);
}

/** `await f(x)`, `f(x).then(…)`, `Promise.all([f(x)])`. */
function isAwaitedCall(call: TSESTree.Node): boolean {
  const { parent } = call;
  if (parent?.type === 'ChainExpression') return isAwaitedCall(parent);
  if (parent?.type === 'ArrayExpression')
    return parent.parent.type === 'CallExpression' && lastName(parent.parent.callee) === 'all';
  return parent?.type === 'AwaitExpression' || (parent?.type === 'MemberExpression' && isContinued(parent));
}

/** `.then(…)` and `.finally(…)` on a promise. */
const isContinued = (member: TSESTree.MemberExpression): boolean =>
  /^(?:then|finally)$/.test(lastName(member) ?? '') && member.parent.type === 'CallExpression';

function followMember(index: ModuleIndex, member: TSESTree.MemberExpression, child: Child): void {
  const name = lastName(member) ?? '';
  const { parent } = member;
  const isCalled = parent.type === 'CallExpression' && parent.callee === member;
  // `spawn(…).on('error', log)` is the child again.
  if (isCalled && listens.test(name)) follow(index, parent, child);
  else if (isContinued(member)) child.isAwaited = true;
  // `for await (const line of child.stdout)`, `await text(child.stdout)`, Bun's `await child.exited`.
  else if (/^(?:stdout|stderr|exited)$/.test(name)) {
    child.isAwaited ||=
      parent.type === 'AwaitExpression' ||
      (parent.type === 'ForOfStatement' && parent.await) ||
      (parent.type === 'CallExpression' && !isCalled && isAwaitedCall(parent));
  }
}

/** The calls on a child, chained to its start or by any of its names, anywhere in the module. */
export function usesOf(index: ModuleIndex, { call, names }: Child): ChildUse[] {
  const named = names.flatMap(({ root, path }) =>
    (methodCalls(index).get(root) ?? [])
      .filter((use) => use.path.length > path.length && startsWith(use.path, path))
      .map((use) => ({ path: use.path.slice(path.length), call: use.call })),
  );
  return [...chainedTo(call), ...named];
}

/** The calls of `spawn(…).on(…).on(…)`. */
function chainedTo(node: TSESTree.Node): ChildUse[] {
  const path: string[] = [];
  let above = node.parent;
  for (; above?.type === 'MemberExpression'; above = above.parent) path.push(lastName(above) ?? '');
  if (above?.type !== 'CallExpression' || path.length === 0) return [];
  return [{ path, call: above }, ...chainedTo(above)];
}

const byRoot = new WeakMap<ModuleIndex, Map<Root, ChildUse[]>>();

/** All calls of methods, by the variable or the `this` at the start of their callee. */
function methodCalls(index: ModuleIndex): Map<Root, ChildUse[]> {
  const known = byRoot.get(index);
  if (known) return known;
  const uses = new Map<Root, ChildUse[]>();
  for (const call of index.calls) {
    const callee = calleeOf(call);
    const place = callee.type === 'MemberExpression' ? index.rootOf(callee) : undefined;
    if (!place) continue;
    const list = uses.get(place.root) ?? [];
    list.push({ path: place.path, call });
    uses.set(place.root, list);
  }
  byRoot.set(index, uses);
  return uses;
}

/** Whether code outside of the function that starts a child can have it. */
export const isShared = ({ around, names, returned, isPassed }: Child): boolean =>
  isPassed || returned !== undefined || names.some(({ root }) => !around || !isLocal(root, around));

/** Whether a variable is declared in a function, so that nothing outside can hold what it holds. */
export const isLocal = (root: Root, around: FunctionNode): boolean =>
  'defs' in root && root.defs.every(({ name }) => isInside(name, around));

/** Whether a call takes the child by its name, in an inner function too: `() => stop(child)`. */
export const isHandedOn = ({ names }: Child): boolean =>
  names.some(
    ({ root, path }) =>
      path.length === 0 &&
      'references' in root &&
      root.references.some(({ identifier: { parent } }) => parent.type === 'CallExpression'),
  );

/** `null` and `undefined`: no child yet, or no more. */
export const isNothing = (value: TSESTree.Node): boolean =>
  (value.type === 'Literal' && value.value === null) || lastName(value) === 'undefined';
