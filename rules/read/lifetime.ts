import type { TSESTree } from '@typescript-eslint/utils';
import { childOf, isLocal, listens, usesOf, type Child, type ChildUse } from './child-uses.ts';
import { indexOf, type ModuleIndex } from './module-index.ts';
import type { ModuleView } from './module-view.ts';
import {
  bareExpression,
  calleeOf,
  functionAround,
  isFunction,
  isInside,
  lastName,
  literalText,
  type FunctionNode,
} from './nodes.ts';
import type { SpawnSite } from './site.ts';

/** What shows that a child lives on after the code that starts it. */
export interface LongLife {
  /** It is kept in a field, a variable or a collection; it is returned, with listeners; others end it. */
  by: 'kept' | 'returned' | 'ended';
  /** The code that shows it. */
  node: TSESTree.Node;
}

/**
 * What shows that a child is meant to run on.
 *
 * @returns undefined where nothing shows it, and where the code that starts the child waits for its end: a promise that
 *   is awaited, a listener of its exit that settles one, calls back or ends the program, a time limit, the terminal
 */
export function longLifeOf(view: ModuleView, site: SpawnSite): LongLife | undefined {
  if (site.call.type === 'ObjectExpression' || isCollected(site)) return undefined;
  const index = indexOf(view);
  const child = childOf(index, site.call);
  if (child.isAwaited || isBounded(index, site)) return undefined;
  if (child.returned && isPromise.test(site.api)) return undefined;
  const uses = usesOf(index, child);
  if (uses.some((use) => isOwnEnd(child, use) || isWaitedFor(index, use))) return undefined;
  return keptIn(child) ?? endedBy(child, uses) ?? handedOut(child, uses);
}

/** Children that are promises of their end: whoever gets one may await it. */
const isPromise =
  /^(?:execa|nano-spawn|promisify-child-process|child-process-promise|mz\/child_process)(?:\.|$)/;

/** `exec(line, (error, stdout) => …)`: the whole output goes to a callback. */
function isCollected({ api, call }: SpawnSite): boolean {
  const last = 'arguments' in call ? call.arguments.at(-1) : undefined;
  if (!last || !/\.exec(?:File)?$/.test(api)) return false;
  return isFunction(bareExpression(last)) || /^(?:cb|done|next|\w*callback)$/i.test(lastName(last) ?? '');
}

/** A time limit of the call's own, or the terminal handed over: the owner waits behind it. */
function isBounded(index: ModuleIndex, { options }: SpawnSite): boolean {
  if (!options) return false;
  const bare = bareExpression(options);
  const def = bare.type === 'Identifier' ? index.variableOf(bare)?.defs[0]?.node : undefined;
  const object = def?.type === 'VariableDeclarator' && def.init ? bareExpression(def.init) : bare;
  if (object.type !== 'ObjectExpression') return false;
  return object.properties.some((property) => {
    const key = property.type === 'Property' ? index.keyOf(property) : undefined;
    if (key === undefined || property.type !== 'Property') return false;
    return key === 'timeout' || (/^std(?:io|in)$/.test(key) && takesInput(property.value));
  });
}

/** Whether the child reads the owner's terminal: `'inherit'`, `['inherit', …]`, `[0, …]`, `[process.stdin, …]`. */
function takesInput(stdio: TSESTree.Node): boolean {
  const bare = bareExpression(stdio);
  const first = bare.type === 'ArrayExpression' ? bare.elements[0] : bare;
  if (!first) return false;
  return (
    literalText(first) === 'inherit' ||
    (first.type === 'Literal' && first.value === 0) ||
    lastName(first) === 'stdin'
  );
}

/** A kill in the function that starts the child, or after a time that it sets: the child's life is within the function's. */
function isOwnEnd({ around, names }: Child, { path, call }: ChildUse): boolean {
  if (path.join() !== 'kill' || !around || names.some(({ root }) => !isLocal(root, around))) return false;
  const fn = functionAround(call);
  if (fn === around) return true;
  const timer = fn?.parent;
  return (
    timer?.type === 'CallExpression' &&
    lastName(timer.callee) === 'setTimeout' &&
    functionAround(timer) === around
  );
}

/** Functions that call functions that settle: as far as that is followed. */
const maximumHops = 3;

/** Whether the code goes on, or the program ends, once the child has ended. */
function isWaitedFor(index: ModuleIndex, { path, call }: ChildUse): boolean {
  const [event, handler] = call.type === 'CallExpression' ? call.arguments : [];
  if (!handler || !event || !listens.test(path.at(-1) ?? '')) return false;
  const ends = path.length === 1 ? /^(?:exit|close)$/ : /^(?:end|close|finish)$/;
  return ends.test(literalText(event) ?? '') && settles(index, handler, maximumHops);
}

/** Whether a listener settles a promise, calls back, or ends the program. */
function settles(index: ModuleIndex, handler: TSESTree.Node, hops: number): boolean {
  const node = bareExpression(handler);
  if (!isFunction(node)) return isSettler(index, node, undefined, hops);
  return index.calls.some((call) => isInside(call, node) && isSettler(index, calleeOf(call), node, hops));
}

/** Parameters that tell of the child's end without waiting for it. */
const tells = /^on(?!Complete|Done|Finish|End|Result|Success)[A-Z]|rej|error|fail|emit|log|notify/;

function isSettler(
  index: ModuleIndex,
  callee: TSESTree.Node,
  handler: FunctionNode | undefined,
  hops: number,
): boolean {
  const name = lastName(callee) ?? '';
  if (callee.type === 'MemberExpression') {
    if (name === 'exit') return lastName(callee.object) === 'process';
    return /^(?:resolve|callback|cb|done|complete)$/.test(name);
  }
  const [def] = (callee.type === 'Identifier' && index.variableOf(callee)?.defs) || [];
  if (!def) return false;
  if (def.type === 'Parameter') return !tells.test(name) && !(handler && isInside(def.name, handler));
  const { node } = def;
  const fn = node.type === 'VariableDeclarator' ? node.init : node;
  if (isFunction(fn)) return hops > 0 && settles(index, fn, hops - 1);
  // `let done; new Promise((resolve) => { done = resolve; })`
  return def.type === 'Variable' && /^(?:resolve\w*|done|callback|cb)$/.test(name);
}

/**
 * A variable of the top level is no sign for what is started there: every script has some.
 * Nor is a collection for a child that is returned too: whoever runs commands for others counts those that are running.
 */
function keptIn({ names, collections, returned, around }: Child): LongLife | undefined {
  const fields = names.filter(({ path }) => path.length > 0);
  const holders = [...(around ? names : fields), ...(returned ? [] : collections)];
  const kept = holders.find(({ root }) => !root || !around || !isLocal(root, around));
  return kept && { by: 'kept', node: kept.node };
}

/** A function that others call, or that runs when the program ends, kills the child. */
function endedBy({ around }: Child, uses: readonly ChildUse[]): LongLife | undefined {
  const end = uses.find(({ path, call }) => {
    const fn = functionAround(call);
    return path.join() === 'kill' && fn && fn !== around && !isListener(fn);
  });
  return end && { by: 'ended', node: end.call };
}

const schedules = /^(?:set(?:Timeout|Interval|Immediate)|addEventListener|then|catch|finally)$|cancel/i;

/** Whether a function waits for a time, a promise, a cancellation or an event other than the program's end. */
function isListener({ parent }: FunctionNode): boolean {
  if (parent.type !== 'CallExpression') return parent.type === 'NewExpression';
  const callee = bareExpression(parent.callee);
  const name = lastName(callee) ?? '';
  if (schedules.test(name)) return true;
  return callee.type === 'MemberExpression' && listens.test(name) && lastName(callee.object) !== 'process';
}

/** Returned, with a listener of its end or its messages. */
function handedOut({ returned, collections }: Child, uses: readonly ChildUse[]): LongLife | undefined {
  if (!returned || collections.length > 0) return undefined;
  const isWatched = uses.some(({ path: [method = '', ...more], call }) => {
    const [event] = call.type === 'CallExpression' ? call.arguments : [];
    const name = event && more.length === 0 && listens.test(method) ? literalText(event) : undefined;
    return name !== undefined && /^(?:exit|close|message|disconnect)$/.test(name);
  });
  return isWatched ? { by: 'returned', node: returned } : undefined;
}
