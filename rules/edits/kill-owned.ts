import type { TSESTree } from '@typescript-eslint/utils';
import { isNothing } from '../read/child-uses.ts';
import { childOfPid } from '../read/child-of-pid.ts';
import { heldBy } from '../read/held-by.ts';
import { constantValue, indexOf, type ModuleIndex, type Root } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import { negated } from '../read/negated.ts';
import { bareExpression, functionAround, isClass, isInside, literalText } from '../read/nodes.ts';

/** A `process.kill(-child.pid, …)` that `killOwned` replaces. */
export interface GroupKill {
  call: TSESTree.CallExpression;
  /** The calls that start the child. */
  starts: readonly TSESTree.Node[];
  /** What of the call nothing uses any more: not the child that its pid names. */
  gone: readonly TSESTree.Node[];
  /** The arguments of `killOwned`, as text. */
  args: string;
  /** A failure was caught and forgotten; without that nobody waits for the promise. */
  isCaught: boolean;
}

/** The kills of the groups that the given calls start that can be replaced: all of a child's, or none. */
export function ownedKills(view: ModuleView, calls: ReadonlySet<TSESTree.Node>): GroupKill[] {
  const index = indexOf(view);
  const found = index.callsNamed('kill').flatMap((call) => kill(index, call) ?? []);
  return [...new Set(found.map(({ holder }) => holder))].flatMap((holder) => {
    const mine = found.filter((each) => each.holder === holder);
    const [first] = mine;
    const values = first ? valuesOf(index, first.root, first.path) : [];
    const given = values.map((value) => value && bareExpression(value));
    const starts = given.flatMap((value) => (value && calls.has(value) ? [value] : []));
    const others = given.filter((value) => !value || !(calls.has(value) || isNothing(value)));
    if (starts.length === 0 || others.length > 0) return [];
    const kills = mine
      .filter(({ signal }) => signal !== 0)
      .map((each) => replacement(view, each, mine, starts));
    return kills.every((each) => each !== undefined) ? kills : [];
  });
}

interface Kill {
  call: TSESTree.CallExpression;
  /** The variable or member that holds the child; equal for equal holders. */
  holder: string;
  root: Root;
  path: string[];
  /** The child, as text. */
  child: string;
  /** The call itself names it: `child.pid`. */
  isNamed: boolean;
  signal: 'SIGTERM' | 'SIGKILL' | 0 | undefined;
}

const SIGNALS: Readonly<Record<string, Kill['signal']>> = {
  SIGTERM: 'SIGTERM',
  '15': 'SIGTERM',
  SIGKILL: 'SIGKILL',
  '9': 'SIGKILL',
  '0': 0,
};

const ids = new WeakMap<object, number>();
let lastId = 0;
function idOf(object: object): number {
  const id = ids.get(object) ?? ++lastId;
  ids.set(object, id);
  return id;
}

/** Reads `process.kill(-<child>.pid, signal?)`. */
function kill(index: ModuleIndex, call: TSESTree.Node): Kill | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const callee = bareExpression(call.callee);
  if (
    callee.type !== 'MemberExpression' ||
    callee.object.type !== 'Identifier' ||
    callee.object.name !== 'process'
  )
    return undefined;
  const [target, signal] = call.arguments;
  if (!target) return undefined;
  const here = negated(target);
  const leader = here ?? negated(constantValue(index, target) ?? target);
  const child = leader && childOfPid(index, leader);
  const at = child && holderOf(index, child);
  if (!at) return undefined;
  const isNamed = isInside(child, call);
  if (!(isNamed || isSameAt(index, child, bareExpression(here ?? target), call))) return undefined;
  const text = signal ? (signal.type === 'Literal' ? String(signal.value) : literalText(signal)) : 'SIGTERM';
  return {
    call,
    holder: [idOf(at.root), ...at.path].join('.'),
    root: at.root,
    path: at.path,
    child: isNamed ? index.view.text.slice(...child.range) : childText(index, child),
    isNamed,
    signal: text === undefined ? undefined : SIGNALS[text],
  };
}

/**
 * Whether the child that had a pid goes by the same name at a call: it is a constant, or what holds it is given a child in one
 * place only, and what holds the pid goes with it.
 */
function isSameAt(
  index: ModuleIndex,
  child: TSESTree.Expression,
  pid: TSESTree.Node,
  call: TSESTree.CallExpression,
): boolean {
  const given = [heldBy(index, child), heldBy(index, pid)];
  if (given.includes(undefined)) return false;
  const [childGiven, pidGiven] = given.map((value) => value && functionAround(value));
  const areTogether = childGiven === pidGiven;
  if (child.type !== 'Identifier') {
    const root = index.rootOf(child)?.root;
    return areTogether && root !== undefined && index.rootOf(pid)?.root === root;
  }
  const variable = index.variableOf(child);
  // Of scopes around one place the later are the inner ones.
  const seen = index.view.scopeManager.scopes.filter(
    ({ block, set }) => set.has(child.name) && isInside(call, block),
  );
  if (!variable || seen.at(-1)?.set.get(child.name) !== variable) return false;
  const def = variable.defs[0];
  if (def?.type === 'Variable' && def.parent.kind === 'const') return true;
  return areTogether && pid.type === 'Identifier' && index.variableOf(pid)?.scope === variable.scope;
}

/** The variable or member that holds a child, also by a constant of another name: `const child = this.child`. */
function holderOf(index: ModuleIndex, node: TSESTree.Node): ReturnType<ModuleIndex['rootOf']> {
  const at = index.rootOf(node);
  if (!at || !('references' in at.root)) return at;
  const [def, ...others] = at.root.defs;
  if (def?.type !== 'Variable' || others.length > 0 || def.parent.kind !== 'const') return at;
  const { id, init } = def.node;
  const from = id.type === 'Identifier' && init ? holderOf(index, init) : undefined;
  return from ? { ...from, path: [...from.path, ...at.path] } : at;
}

/** Everything that a variable or a member is given; undefined for what cannot be seen. */
function valuesOf(index: ModuleIndex, root: Root, path: readonly string[]): (TSESTree.Node | undefined)[] {
  if ('references' in root) {
    if (path.length > 0) return [undefined];
    const written = root.references
      .filter((reference) => reference.isWrite())
      .map(({ writeExpr }) => writeExpr ?? undefined);
    return root.defs[0]?.type === 'Variable' ? written : [...written, undefined];
  }
  if (path.length !== 1) return [undefined];
  const assigned = index
    .memberWrites(root)
    .filter(({ path: [first] }) => first === path[0])
    .map(({ node, path: at }) =>
      at.length === 1 && node.type === 'AssignmentExpression' ? node.right : undefined,
    );
  const fields = isClass(root) ? root.body.body.filter((member) => index.keyOf(member) === path[0]) : [];
  const initial = fields.flatMap((field) =>
    field.type === 'PropertyDefinition' ? (field.value ?? []) : [undefined],
  );
  return [...initial, ...assigned];
}

function replacement(
  view: ModuleView,
  { call, child, isNamed, signal }: Kill,
  all: readonly Kill[],
  starts: readonly TSESTree.Node[],
): GroupKill | undefined {
  if (signal === undefined) return undefined;
  const attempt = tryAround(call);
  if (!isDiscarded(call) || (attempt && !isLastOf(attempt, call))) return undefined;
  const grace = signal === 'SIGKILL' ? '0' : delayOf(view, call, all);
  return {
    call,
    starts,
    gone: [call.callee, ...call.arguments.slice(isNamed ? 1 : 0)],
    args: grace === undefined ? child : `${child}, { graceMs: ${grace} }`,
    isCaught: attempt !== undefined,
  };
}

/** A child's name; what may hold nothing by its type was looked at by its pid. */
function childText(index: ModuleIndex, child: TSESTree.Expression): string {
  const { view } = index;
  const text = view.text.slice(...child.range);
  if (!/\.[cm]?tsx?$/.test(view.filename)) return text;
  const { root, path } = index.rootOf(child) ?? {};
  const declared = !root
    ? undefined
    : 'references' in root
      ? root.defs[0]?.name
      : isClass(root)
        ? root.body.body.find((member) => index.keyOf(member) === path?.[0])
        : undefined;
  const type = declared && 'typeAnnotation' in declared ? declared.typeAnnotation : undefined;
  const mayBeNothing =
    (declared && 'optional' in declared && declared.optional) ||
    (type && /\b(?:undefined|null)\b/.test(view.text.slice(...type.range)));
  return mayBeNothing ? `${text}!` : text;
}

/** Whether a call's value is thrown away. */
function isDiscarded(call: TSESTree.CallExpression): boolean {
  let node: TSESTree.Node = call;
  while (
    node.parent &&
    (bareExpression(node.parent) === call ||
      (node.parent.type === 'LogicalExpression' &&
        node.parent.right === node &&
        node.parent.operator !== '??'))
  )
    node = node.parent;
  const { parent } = node;
  if (parent?.type === 'ExpressionStatement') return true;
  return (
    parent?.type === 'ArrowFunctionExpression' &&
    parent.body === node &&
    parent.parent.type === 'CallExpression' &&
    /^(?:setTimeout|setImmediate|on|once|addEventListener)$/.test(calleeName(parent.parent))
  );
}

function calleeName({ callee }: TSESTree.CallExpression): string {
  const bare = bareExpression(callee);
  if (bare.type === 'Identifier') return bare.name;
  return bare.type === 'MemberExpression' && bare.property.type === 'Identifier' ? bare.property.name : '';
}

/** The `try` of the same function that catches what a call throws. */
function tryAround(call: TSESTree.CallExpression): TSESTree.TryStatement | undefined {
  for (let node: TSESTree.Node = call; node.parent; node = node.parent) {
    const parent: TSESTree.Node = node.parent;
    if (parent.type === 'TryStatement' && parent.block === node && parent.handler) return parent;
    if (parent.type.includes('Function')) return undefined;
  }
  return undefined;
}

/** `process.kill` throws for a group that is gone and `killOwned` does not: what follows in the `try` would run then. */
function isLastOf({ block }: TSESTree.TryStatement, call: TSESTree.CallExpression): boolean {
  const last = block.body.at(-1);
  return last !== undefined && isInside(call, last);
}

/** The delay of the timer in the same function that sends KILL after this TERM: the grace that the author gave. */
function delayOf(view: ModuleView, call: TSESTree.CallExpression, all: readonly Kill[]): string | undefined {
  const home = functionAround(call);
  for (const other of all) {
    if (other.signal !== 'SIGKILL') continue;
    const timer = functionAround(other.call)?.parent;
    if (
      timer?.type !== 'CallExpression' ||
      calleeName(timer) !== 'setTimeout' ||
      functionAround(timer) !== home
    )
      continue;
    const delay = timer.arguments[1];
    if (delay?.type === 'Literal' && typeof delay.value === 'number') return view.text.slice(...delay.range);
  }
  return undefined;
}
