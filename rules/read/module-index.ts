import type { TSESLint, TSESTree } from '@typescript-eslint/utils';
import { childrenOf } from './children-of.ts';
import type { ModuleView } from './module-view.ts';
import {
  bareExpression,
  calleeOf,
  isClass,
  isFunction,
  lastName,
  literalText,
  type CallNode,
  type ClassNode,
} from './nodes.ts';
import { pushTo } from './push-to.ts';

export type Variable = TSESLint.Scope.Variable;

/** Whose members `this` names: a class, an object literal, or, in functions used as classes, the whole module. */
export type ThisOwner = ClassNode | TSESTree.ObjectExpression | TSESTree.Program;

/** What members are written on: a variable or a `this`. */
export type Root = Variable | ThisOwner;

/** A change of a member after its object was made. */
export interface MemberWrite {
  /** The member's path below the root; `Object.assign(root, …)` writes at `[]`. */
  path: string[];
  node: TSESTree.AssignmentExpression | TSESTree.CallExpression | TSESTree.UnaryExpression;
}

/** Everything of a module that is looked up by name, gathered in one walk. */
export interface ModuleIndex {
  view: ModuleView;
  /** Calls, constructions and tagged templates in the order of the text. */
  calls: readonly CallNode[];
  /** Objects that have a property named `detached`. */
  detachable: readonly TSESTree.ObjectExpression[];
  /** Calls by the callee's last name. */
  callsNamed(name: string): readonly CallNode[];
  /** The variable an identifier stands for; undefined for globals. */
  variableOf(identifier: TSESTree.Identifier | TSESTree.JSXIdentifier): Variable | undefined;
  /** The variable or `this` at the start of a member chain, and the path below it. */
  rootOf(node: TSESTree.Node): { root: Root; path: string[] } | undefined;
  memberWrites(root: Root): readonly MemberWrite[];
  /** What is assigned to a member. */
  assignedTo(root: Root, path: readonly string[]): readonly TSESTree.Expression[];
  /** A property's name where it is static: `x.a`, `x['a']`, `x[KEY]` with a constant KEY. */
  keyOf(node: TSESTree.MemberExpression | TSESTree.Property | TSESTree.ClassElement): string | undefined;
  /** Return statements of each function, and an arrow's own expression. */
  returnsOf(fn: TSESTree.Node): readonly TSESTree.Expression[];
}

const indexes = new WeakMap<TSESTree.Program, ModuleIndex>();

/** The index of a module, made at the first call. */
export function indexOf(view: ModuleView): ModuleIndex {
  const known = indexes.get(view.ast);
  if (known) return known;
  const made = makeIndex(view);
  indexes.set(view.ast, made);
  return made;
}

function makeIndex(view: ModuleView): ModuleIndex {
  const calls: CallNode[] = [];
  const named = new Map<string, CallNode[]>();
  const writes: MemberWrite['node'][] = [];
  const returns = new Map<TSESTree.Node, TSESTree.Expression[]>();
  const detachable: TSESTree.ObjectExpression[] = [];

  walk(view.ast, (node, fn) => {
    if (
      node.type === 'CallExpression' ||
      node.type === 'NewExpression' ||
      node.type === 'TaggedTemplateExpression'
    ) {
      calls.push(node);
    } else if (node.type === 'AssignmentExpression') {
      if (bareExpression(node.left).type === 'MemberExpression') writes.push(node);
    } else if (node.type === 'UnaryExpression') {
      if (node.operator === 'delete') writes.push(node);
    } else if (node.type === 'Property') {
      if (!node.computed && node.parent.type === 'ObjectExpression' && isDetached(node.key))
        detachable.push(node.parent);
    } else if (node.type === 'ReturnStatement') {
      if (fn && node.argument) pushTo(returns, fn, node.argument);
    } else if (node.type === 'ArrowFunctionExpression') {
      if (node.body.type !== 'BlockStatement') pushTo(returns, node, node.body);
    }
  });
  calls.sort(byStart);
  for (const call of calls) {
    const callee = calleeOf(call);
    const name = lastName(callee);
    if (name === undefined) continue;
    pushTo(named, name, call);
    // `f.call(…)` and `f.apply(…)` call f.
    const applied =
      callee.type === 'MemberExpression' && /^(call|apply)$/.test(name) ? lastName(callee.object) : undefined;
    if (applied !== undefined) pushTo(named, applied, call);
    if (call.type === 'CallExpression' && isMutator(name)) writes.push(call);
  }
  writes.sort(byStart);

  let variables: Map<TSESTree.Node, Variable> | undefined;
  let memberWrites: Map<Root, MemberWrite[]> | undefined;
  const assigned = new Map<Root, Map<string, TSESTree.Expression[]>>();
  const index: ModuleIndex = {
    view,
    calls,
    detachable,
    callsNamed: (name) => named.get(name) ?? [],
    variableOf: (identifier) => (variables ??= variablesOf(view)).get(identifier),
    rootOf: (node) => rootOf(index, node),
    memberWrites(root) {
      memberWrites ??= writesByRoot(index, writes);
      return memberWrites.get(root) ?? [];
    },
    assignedTo(root, path) {
      const known = assigned.get(root) ?? assignmentsByPath(index.memberWrites(root));
      assigned.set(root, known);
      return known.get(path.join()) ?? [];
    },
    keyOf: (node) => keyOf(index, node),
    returnsOf: (fn) => returns.get(fn) ?? [],
  };
  return index;
}

const isDetached = (key: TSESTree.Node) =>
  (key.type === 'Identifier' ? key.name : literalText(key)) === 'detached';

/** Calls that write into their first argument: `Object.assign`, `_.defaults`, `$.extend`. */
const isMutator = (name: string) => /^(assign|_?extend|defaults|defaultsDeep|merge)$/.test(name);

const byStart = (a: TSESTree.Node, b: TSESTree.Node) => a.range[0] - b.range[0];

function variablesOf({ scopeManager }: ModuleView): Map<TSESTree.Node, Variable> {
  const variables = new Map<TSESTree.Node, Variable>();
  // A class has a variable outside and one in its own scope, for one name: the outer one stands for both.
  const outer = (variable: Variable) => variables.get(variable.identifiers[0] as TSESTree.Node) ?? variable;
  for (const scope of scopeManager.scopes) {
    for (const variable of scope.variables) {
      if (variable.defs.length === 0) continue;
      const known = outer(variable);
      for (const name of variable.identifiers) variables.set(name, known);
    }
  }
  for (const { references } of scopeManager.scopes) {
    for (const { identifier, resolved } of references) {
      if (resolved && resolved.defs.length > 0) variables.set(identifier, outer(resolved));
    }
  }
  return variables;
}

/** Visits every node, in any order, without recursion: bundles nest thousands deep. */
export function walk(
  root: TSESTree.Node,
  visit: (node: TSESTree.Node, fn: TSESTree.Node | undefined) => void,
): void {
  const stack: [TSESTree.Node, TSESTree.Node | undefined][] = [[root, undefined]];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const [node, fn] = entry;
    visit(node, fn);
    const inner = isFunction(node) ? node : fn;
    for (const child of childrenOf(node)) stack.push([child, inner]);
  }
}

function writesByRoot(index: ModuleIndex, writes: readonly MemberWrite['node'][]): Map<Root, MemberWrite[]> {
  const byRoot = new Map<Root, MemberWrite[]>();
  for (const node of writes) {
    const target =
      node.type === 'AssignmentExpression'
        ? node.left
        : node.type === 'UnaryExpression'
          ? node.argument
          : node.arguments[0];
    const found = target && index.rootOf(target);
    if (found) pushTo(byRoot, found.root, { path: found.path, node });
  }
  return byRoot;
}

/** Looked up by path, for some objects of bundles have thousands of members. */
function assignmentsByPath(writes: readonly MemberWrite[]): Map<string, TSESTree.Expression[]> {
  const byPath = new Map<string, TSESTree.Expression[]>();
  for (const { node, path } of writes)
    if (node.type === 'AssignmentExpression') pushTo(byPath, path.join(), node.right);
  return byPath;
}

function rootOf(index: ModuleIndex, node: TSESTree.Node): { root: Root; path: string[] } | undefined {
  const path: string[] = [];
  let at = bareExpression(node);
  while (at.type === 'MemberExpression') {
    const key = index.keyOf(at);
    if (key === undefined) return undefined;
    path.unshift(key);
    at = bareExpression(at.object);
  }
  if (at.type === 'ThisExpression') return { root: thisRoot(index, at), path };
  if (at.type !== 'Identifier') return undefined;
  const variable = index.variableOf(at);
  if (!variable) return undefined;
  const self = selfOf(index, variable);
  return self
    ? { root: thisRoot(index, self.node), path: [...self.path, ...path] }
    : { root: variable, path };
}

/** What a `this` is a name of: in static members of a class, its variable. */
function thisRoot(index: ModuleIndex, node: TSESTree.ThisExpression): Root {
  const owner = thisOwner(node);
  const name = isClass(owner) && isStatic(node) ? owner.id : undefined;
  return (name && index.variableOf(name)) ?? owner;
}

/** Whether a `this` in a class is the class itself. */
export function isStatic(node: TSESTree.ThisExpression): boolean {
  let at: TSESTree.Node = node;
  while (at.parent && at.parent.type !== 'ClassBody') at = at.parent;
  return at.type === 'StaticBlock' || ('static' in at && at.static);
}

/** The `this` of `const self = this`, and of `const { member } = this`, with the member. */
function selfOf(
  index: ModuleIndex,
  variable: Variable,
): { node: TSESTree.ThisExpression; path: string[] } | undefined {
  const [def] = variable.defs;
  if (def?.node.type !== 'VariableDeclarator' || def.node.init?.type !== 'ThisExpression') return undefined;
  const { id, init: node } = def.node;
  if (id.type === 'Identifier') return { node, path: [] };
  const property =
    id.type === 'ObjectPattern' ? id.properties.find(({ value }) => value === def.name) : undefined;
  const key = property?.type === 'Property' ? index.keyOf(property) : undefined;
  return key === undefined ? undefined : { node, path: [key] };
}

/** Whose members a `this` names. */
export function thisOwner(node: TSESTree.Node): ThisOwner {
  let at: TSESTree.Node = node;
  while (at.parent) {
    const parent: TSESTree.Node = at.parent;
    if (isClass(parent) && at === parent.body) return parent;
    if (
      parent.type === 'Property' &&
      at.type === 'FunctionExpression' &&
      parent.parent.type === 'ObjectExpression' &&
      !isPrototypeTable(parent.parent)
    ) {
      return parent.parent;
    }
    at = parent;
  }
  return at;
}

/** The methods of a class made by a call, `Class.extend({ … })` or `inherits(A, { … })`, share `this` with its constructor. */
function isPrototypeTable(object: TSESTree.ObjectExpression): boolean {
  const { parent } = object;
  return parent.type === 'AssignmentExpression' && lastName(parent.left) === 'prototype';
}

function keyOf(
  index: ModuleIndex,
  node: TSESTree.MemberExpression | TSESTree.Property | TSESTree.ClassElement,
): string | undefined {
  if (node.type === 'StaticBlock' || node.type === 'TSIndexSignature') return undefined;
  const key = node.type === 'MemberExpression' ? node.property : node.key;
  if (!node.computed) {
    if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') return key.name;
    return key.type === 'Literal' ? String(key.value) : undefined;
  }
  return constantText(index, key);
}

/** The text of a string literal, or of a constant that holds one. */
export function constantText(index: ModuleIndex, node: TSESTree.Node, depth = 4): string | undefined {
  const bare = bareExpression(node);
  const text = literalText(bare);
  if (text !== undefined || depth === 0) return text;
  if (bare.type === 'BinaryExpression' && bare.operator === '+') {
    const left = constantText(index, bare.left, depth - 1);
    const right = constantText(index, bare.right, depth - 1);
    return left === undefined || right === undefined ? undefined : left + right;
  }
  const value = constantValue(index, bare);
  return value && constantText(index, value, depth - 1);
}

/** What a constant is made of, by its name. */
export function constantValue(index: ModuleIndex, name: TSESTree.Node): TSESTree.Expression | undefined {
  const def = name.type === 'Identifier' ? index.variableOf(name)?.defs[0] : undefined;
  if (def?.type !== 'Variable' || def.parent.kind !== 'const' || def.node.id.type !== 'Identifier')
    return undefined;
  return def.node.init ?? undefined;
}
