import type { TSESTree } from '@typescript-eslint/utils';
import type { Callees } from './callee.ts';
import type { ModuleIndex } from './module-index.ts';
import { bareExpression, isFunction, lastName, type FunctionNode } from './nodes.ts';

/** How code is reached while its module loads. */
export interface LoadTime {
  /** The list that is gone through on the way, if it is not written down in the module. */
  list: TSESTree.Node | undefined;
  /** Whether a function with a name is called on the way: the boot function of a program, perhaps. */
  throughFunction: boolean;
}

/** How far calls are followed up. */
const maximumHops = 4;

/** Callers of a callback that run it at once: `list.map(fn)`, `new Promise(fn)`. */
const runsNow =
  /^(?:forEach|map|flatMap|filter|some|every|find|findIndex|reduce|reduceRight|from|mapValues|each|Promise)$/;

/**
 * How code is reached while its module loads: it stands at the top level, in functions that are called at once, or in
 * functions that the module calls from there only.
 *
 * @returns undefined for code that others reach later, and for what only a program's entry file runs
 */
export function loadTimeOf(
  index: ModuleIndex,
  callees: Callees,
  node: TSESTree.Node,
  hops = maximumHops,
): LoadTime | undefined {
  let list: TSESTree.Node | undefined;
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (isGuard(index, parent, at) || isInstanceField(parent, at)) return undefined;
    list ??= listOf(index, parent, at);
    if (!isFunction(parent)) continue;
    const call = calledAtOnce(parent);
    if (!call) return throughCallers(index, callees, parent, list, hops);
    // `(async () => { … })()` that reads the command line is a program's main function.
    if (/\bprocess\.argv\b/.test(index.view.text.slice(...parent.range))) return undefined;
    list ??= callbackList(index, call, parent);
  }
  return { list, throughFunction: false };
}

function throughCallers(
  index: ModuleIndex,
  callees: Callees,
  fn: FunctionNode,
  list: TSESTree.Node | undefined,
  hops: number,
): LoadTime | undefined {
  if (hops === 0) return undefined;
  const calls = callees.callersOf(fn).map((call) => ({ call, list: undefined }));
  const handed = callbackCalls(index, fn).map((call) => ({ call, list: callbackList(index, call, fn) }));
  const ways = [...calls, ...handed].map((way) => {
    const load = loadTimeOf(index, callees, way.call, hops - 1);
    return load && { list: way.list ?? load.list };
  });
  if (ways.length === 0 || ways.includes(undefined)) return undefined;
  return { list: list ?? ways.find((way) => way?.list)?.list, throughFunction: true };
}

/** The calls that take a function by its name and run it at once: `list.forEach(start)`. */
function callbackCalls(index: ModuleIndex, fn: FunctionNode): TSESTree.CallExpression[] {
  const name = fn.id ?? (fn.parent.type === 'VariableDeclarator' ? fn.parent.id : undefined);
  const variable = name?.type === 'Identifier' ? index.variableOf(name) : undefined;
  return (variable?.references ?? []).flatMap(({ identifier: { parent }, identifier }) => {
    if (parent.type !== 'CallExpression' || parent.callee === identifier) return [];
    return runsNow.test(lastName(parent.callee) ?? '') ? [parent] : [];
  });
}

/** The call by which a function expression runs where it stands: its own, or one that takes it as a callback. */
function calledAtOnce(fn: FunctionNode): TSESTree.CallExpression | TSESTree.NewExpression | undefined {
  let at: TSESTree.Node = fn;
  while (at.parent && at.parent !== fn && bareExpression(at.parent) === fn) at = at.parent;
  // `(function () { … }).call(this)`
  const applied =
    at.parent?.type === 'MemberExpression' && /^(?:call|apply)$/.test(lastName(at.parent) ?? '');
  const call = applied ? at.parent?.parent : at.parent;
  if (call?.type !== 'CallExpression' && call?.type !== 'NewExpression') return undefined;
  const callee = bareExpression(call.callee);
  return applied || callee === fn || runsNow.test(lastName(callee) ?? '') ? call : undefined;
}

/** A field of a class gets its value when an instance is made; a static one while the module loads. */
const isInstanceField = (parent: TSESTree.Node, at: TSESTree.Node): boolean =>
  parent.type === 'PropertyDefinition' && !parent.static && parent.value === at;

/** Tests that tell whether the file is a program's entry, a worker's or a cluster's. */
const guards =
  /\brequire\.main\b|\bimport\.meta\.(?:main|url|filename)\b|\bprocess\.argv\b|\bisMain\w*|\bparentPort\b|\bworkerData\b|\bcluster\b|\bisPrimary\b|\bisMaster\b|\bisWorker\b/;

function isGuard({ view }: ModuleIndex, parent: TSESTree.Node, at: TSESTree.Node): boolean {
  const test =
    parent.type === 'IfStatement' || parent.type === 'ConditionalExpression'
      ? parent.test
      : parent.type === 'LogicalExpression'
        ? parent.left
        : undefined;
  return test !== undefined && test !== at && guards.test(view.text.slice(...test.range));
}

/** The list of a loop's own head: `for (const x of list)`. */
function listOf(index: ModuleIndex, parent: TSESTree.Node, at: TSESTree.Node): TSESTree.Node | undefined {
  if (parent.type !== 'ForOfStatement' && parent.type !== 'ForInStatement') return undefined;
  return parent.body === at && isConfigured(index, parent.right) ? parent.right : undefined;
}

/** The list of `list.forEach(fn)`. */
function callbackList(
  index: ModuleIndex,
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  fn: FunctionNode,
): TSESTree.Node | undefined {
  const callee = bareExpression(call.callee);
  if (callee.type !== 'MemberExpression' || bareExpression(callee.object) === fn) return undefined;
  const list = lastName(callee) === 'from' ? call.arguments[0] : callee.object;
  return list && isConfigured(index, list) ? list : undefined;
}

/** Whether the members of a list come from outside the module: not written down in it, nor made by counting. */
function isConfigured(index: ModuleIndex, list: TSESTree.Node): boolean {
  const node = bareExpression(list);
  switch (node.type) {
    case 'CallExpression':
      return isConfiguredCall(index, node);
    case 'Identifier': {
      const [def] = index.variableOf(node)?.defs ?? [];
      if (def?.type !== 'Variable' || def.node.id.type !== 'Identifier' || !def.node.init)
        return def !== undefined;
      return isConfigured(index, def.node.init);
    }
    default:
      return node.type === 'MemberExpression' || node.type === 'AwaitExpression';
  }
}

/** `Object.entries(x)` and `x.filter(…)` are as their x is; what other functions return comes from outside. */
function isConfiguredCall(
  index: ModuleIndex,
  { callee, arguments: [first] }: TSESTree.CallExpression,
): boolean {
  const bare = bareExpression(callee);
  if (bare.type !== 'MemberExpression') return true;
  if (/^(?:Object|Array|_|lodash)$/.test(lastName(bare.object) ?? ''))
    return first !== undefined && isConfigured(index, first);
  // As many workers as there are processors are no list of anybody's.
  return lastName(bare) !== 'cpus' && isConfigured(index, bare.object);
}
