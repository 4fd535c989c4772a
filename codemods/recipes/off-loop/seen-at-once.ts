import {
  awaitPlace,
  bareExpression,
  calleeOf,
  functionAround,
  isInside,
  lastName,
  PROMISE_METHODS,
  rolesOf,
  walk,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { placeOf, type Place } from '../place.ts';
import { programCallers, type ProgramCall } from './program-callers.ts';
import type { AwaitPoint, Ground } from './requirements.ts';
import { isOnOneWay } from './shared-state.ts';
import { endAtOnce, waitsBefore } from './waits.ts';

/** What a function did at once, and does later from now on. */
interface Delayed {
  /** The last names of what it assigns or changes. */
  names: Set<string>;
  /** It changes files or starts processes. */
  hasFiles: boolean;
  listens: boolean;
  /** It calls what is not seen. */
  isOpen: boolean;
}

const TEST_FILE = /(?:^|[\\/])(?:tests?|specs?|__tests__)[\\/]|[.-](?:test|spec)\.[cm]?[jt]sx?$/;
const MUTATORS = /^(?:add|clear|delete|pop|push|set|shift|splice|unshift)$/;
const LISTENS = /^(?:on|once|addListener|prependListener|addEventListener)$/;
const READS = /^(?:access|exists|lstat|readFile|readdir|readlink|realpath|stat|readJson|readJSON)(?:Sync)?$/;
const PURE =
  /^(?:(?:JSON|Object|Array|Math|Number|String|Boolean|Buffer|path|console|Date)$|(?:trim|split|join|map|filter|slice|replace|replaceAll|toString|includes|startsWith|endsWith|parse|stringify|keys|values|entries|some|every|find|flatMap|concat|has|get|at|test|match|exec|toLowerCase|toUpperCase|resolve|relative|dirname|basename|extname)$)/;
const MOST_DEEP = 3;

/**
 * The calls that nobody waits for of functions that are async already and block before their first wait, where what follows
 * at once sees what the function did until then: `start(); expect(state)`.
 *
 * @param awaits what is awaited from now on
 * @param functions what is async from now on, for which callers wait
 */
export function seenAtOnce(
  ground: Ground,
  awaits: readonly AwaitPoint[],
  functions: ReadonlySet<FunctionNode>,
): Place[] {
  const found = new Map<TSESTree.Node, Place>();
  for (const { module, node } of awaits) {
    const place = awaitPlace(node);
    const fn = 'fn' in place ? place.fn : undefined;
    if (!fn?.async || waitsBefore(fn, node)) continue;
    const delayed = delayedBy(module, fn, node);
    if (delayed.names.size > 0 || delayed.hasFiles || delayed.listens || delayed.isOpen)
      look(fn, delayed, new Set());
  }
  return [...found.values()];

  function look(fn: FunctionNode, delayed: Delayed, seen: Set<FunctionNode>): void {
    if (seen.has(fn) || functions.has(fn) || seen.size > MOST_DEEP) return;
    seen.add(fn);
    for (const { module, call } of runsOf(ground, fn)) {
      const around = runnerOf(module, call);
      if (isFloating(call) && observes({ module, call }, around, fn, delayed))
        found.set(call, placeOf(module.view.filename, call));
      if (around && !(around.async && waitsBefore(around, call))) look(around, delayed, seen);
    }
  }
}

/** The calls that run a function: those of its name, its own, and the one that runs it at once as a callback. */
function runsOf(ground: Ground, fn: FunctionNode): Iterable<ProgramCall> {
  const module = ground.modules.of(fn);
  const call = isPartOfOuter(module, fn) ? callWith(fn) : undefined;
  return call ? [{ module, call }] : programCallers(ground, fn);
}

/** `(async () => …)()`, `(async function () {}).call(this)`, `list.forEach(async () => …)` */
function callWith(fn: FunctionNode): ProgramCall['call'] | undefined {
  let at: TSESTree.Node | undefined = fn.parent;
  if (at.type === 'MemberExpression') at = at.parent;
  return at.type === 'CallExpression' || at.type === 'NewExpression' ? at : undefined;
}

/** Whether a callback runs at once, with the function around it. */
const isPartOfOuter = (module: LoopModule, fn: FunctionNode): boolean =>
  rolesOf(module).of(fn).run === 'inline' && !isTestBody(module, fn);

/** The function that a node runs with: what a callback that runs at once does, as long as it waits for nothing. */
function runnerOf(module: LoopModule, node: TSESTree.Node): FunctionNode | undefined {
  let fn = functionAround(node);
  while (fn && !fn.async && isPartOfOuter(module, fn)) fn = functionAround(fn);
  return fn;
}

/** Whether a node runs with a function: in it, or in a callback of it that runs at once. */
function runsWith(module: LoopModule, node: TSESTree.Node, fn: FunctionNode | undefined): boolean {
  let at = functionAround(node);
  while (at && at !== fn && isPartOfOuter(module, at)) at = functionAround(at);
  return at === fn;
}

/** `it('…', () => { … })` */
export const isTestBody = (module: LoopModule, { parent }: FunctionNode): boolean =>
  parent.type === 'CallExpression' && rolesOf(module).callbacks(parent)?.as === 'a test';

function delayedBy(module: LoopModule, fn: FunctionNode, node: TSESTree.Node): Delayed {
  const delayed: Delayed = { names: new Set(), hasFiles: false, listens: false, isOpen: false };
  gather(module, fn.body, node.range[1] - 1, endAtOnce(fn.body, node), delayed, fn, MOST_DEEP);
  return delayed;
}

/** Adds what the nodes of a text do that end within it. */
function gather(
  module: LoopModule,
  root: TSESTree.Node,
  from: number,
  to: number,
  delayed: Delayed,
  fn: FunctionNode,
  depth: number,
): void {
  const add = (target: TSESTree.Node): void => {
    const at = module.index.rootOf(target)?.root;
    // What a parameter holds is the caller's.
    const isOwn =
      at &&
      'identifiers' in at &&
      at.defs[0]?.type !== 'Parameter' &&
      at.identifiers.some((id) => isInside(id, fn));
    const isMember = bareExpression(target).type === 'MemberExpression';
    if (!isOwn || isMember) delayed.names.add(lastName(target) ?? '');
  };
  walk(root, (node) => {
    if (node.range[1] <= from || node.range[0] >= to || !runsWith(module, node, fn)) return;
    if (node.type === 'AssignmentExpression') add(node.left);
    else if (node.type === 'UpdateExpression') add(node.argument);
    else if (node.type === 'NewExpression') delayed.isOpen = true;
    else if (node.type === 'CallExpression') {
      const callee = calleeOf(node);
      const name = lastName(callee) ?? '';
      const object = callee.type === 'MemberExpression' ? callee.object : undefined;
      const entered = module.callees.functionOf(node);
      if (entered && depth > 0)
        gather(module, entered.body, ...entered.body.range, delayed, entered, depth - 1);
      else if (module.rowOf(node)?.row.blocks) delayed.hasFiles ||= !READS.test(name);
      else if (object && MUTATORS.test(name)) add(object);
      else if (LISTENS.test(name)) delayed.listens = true;
      else if (!PURE.test(name) && !PURE.test((object && lastName(object)) ?? '')) delayed.isOpen = true;
    }
  });
}

/** Whether nobody waits for what a call gives, or only later: `start();`, `void start()`, `const p = start()`. */
function isFloating(call: TSESTree.Node): boolean {
  const { parent } = call;
  switch (parent?.type) {
    case 'AwaitExpression':
    case 'ReturnStatement':
    case 'YieldExpression':
      return false;
    case 'ArrowFunctionExpression':
      return parent.body !== call;
    case 'MemberExpression':
      return parent.parent.type === 'CallExpression' && PROMISE_METHODS.has(lastName(parent) ?? '')
        ? isFloating(parent.parent)
        : parent.object === call && isFloating(parent);
    case 'ExpressionStatement':
    case 'UnaryExpression':
    case 'VariableDeclarator':
    case 'AssignmentExpression':
      return true;
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'SequenceExpression':
    case 'ArrayExpression':
    case 'CallExpression':
      return isFloating(parent);
    default:
      return false;
  }
}

/** Whether what comes behind a call at once can see what it does later from now on. */
function observes(
  { module, call }: ProgramCall,
  around: FunctionNode | undefined,
  started: FunctionNode,
  delayed: Delayed,
): boolean {
  const { ast, filename } = module.view;
  const end = endAtOnce(around?.body ?? ast, call);
  const sees = (fn: FunctionNode | undefined, from: number, to: number, depth: number): boolean => {
    let isSeen = false;
    walk(fn?.body ?? ast, (node) => {
      if (isSeen || node.range[0] < from || node.range[0] >= to) return;
      if (!runsWith(module, node, fn) || (around && fn === around && !isOnOneWay(call, node, around))) return;
      if (node.type === 'CallExpression') {
        const callee = calleeOf(node);
        const name = lastName(callee) ?? '';
        const entered = module.callees.functionOf(node);
        if (entered === started) return;
        if (TEST_FILE.test(filename)) isSeen = !/^(?:log|warn|error)$/.test(name);
        else if (entered && depth > 0) isSeen = sees(entered, ...entered.body.range, depth - 1);
        else if (module.rowOf(node)?.row.blocks || isFile(module, callee)) isSeen = delayed.hasFiles;
        else if (/^(?:emit|dispatchEvent)$/.test(name)) isSeen = delayed.listens;
      } else if (node.type === 'Identifier' && delayed.names.has(node.name)) isSeen = isRead(node);
    });
    return isSeen;
  };
  return sees(around, call.range[1], end, MOST_DEEP);
}

const isFile = (module: LoopModule, callee: TSESTree.Node): boolean => {
  const meaning = module.callees.meaningOf(callee);
  return meaning?.is === 'import' && /^(?:fs|fs-extra|graceful-fs)(?:\/|$)/.test(meaning.module);
};

/** Not the target of an assignment, nor what declares the name, nor a key. */
function isRead(node: TSESTree.Identifier): boolean {
  const { parent } = node;
  const whole = parent.type === 'MemberExpression' && parent.property === node ? parent : node;
  const { parent: around } = whole;
  if (around.type === 'AssignmentExpression') return around.left !== whole || around.operator !== '=';
  if (around.type === 'VariableDeclarator') return around.init === whole;
  return !(around.type === 'Property' && around.key === whole && !around.shorthand);
}
