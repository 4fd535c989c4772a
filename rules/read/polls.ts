import type { TSESTree } from '@typescript-eslint/utils';
import { callsIn } from './calls-in.ts';
import type { LoopModule } from './loop-module.ts';
import {
  bareExpression,
  calleeOf,
  functionAround,
  isFunction,
  isInside,
  lastName,
  type CallNode,
} from './nodes.ts';
import { constantNumber } from './number.ts';

/** Code that runs again and again with a pause between. */
export interface Poll {
  /** The call that makes the pause. */
  timer: CallNode;
  everyMs: number;
  /** What runs each time. */
  body: TSESTree.Node;
}

/** The polls of a module whose pause is constant: intervals, timeouts that set themselves again, loops that sleep. */
export function pollsOf(module: LoopModule): Poll[] {
  const { index } = module;
  const named = (name: string) => index.callsNamed(name);
  return [
    ...named('setInterval').flatMap((timer) => pollOf(module, timer, 0, 1)),
    ...named('setTimeout').flatMap((timer) => [...again(module, timer), ...asleep(module, timer)]),
    ...['sleep', 'delay', 'wait', 'pause'].flatMap(named).flatMap((timer) => asleep(module, timer)),
  ];
}

function pollOf(module: LoopModule, timer: CallNode, callback: number, pause: number): Poll[] {
  if (timer.type !== 'CallExpression' || module.callees.functionOf(timer)) return [];
  const [fn, time] = [timer.arguments[callback], timer.arguments[pause]];
  const everyMs = time && constantNumber(module.index, time);
  const body = fn && functionOf(module, fn);
  return body && everyMs !== undefined ? [{ timer, everyMs, body }] : [];
}

/** `function poll() { …; setTimeout(poll, 1000); }`, also by a callback that calls it. */
function again(module: LoopModule, timer: CallNode): Poll[] {
  return pollOf(module, timer, 0, 1).flatMap((poll) => {
    const entered = callsIn(module.index, poll.body).map((call) => module.callees.functionOf(call));
    const around = [poll.body, ...entered].find(
      (fn) => fn !== undefined && isInside(timer, fn) && fn !== timer,
    );
    return around ? [{ ...poll, body: around }] : [];
  });
}

/** `while (…) { …; await sleep(1000); }`, also with a promise made on the spot. */
function asleep(module: LoopModule, timer: CallNode): Poll[] {
  if (timer.type !== 'CallExpression') return [];
  const executor = functionAround(timer);
  const isMadeHere =
    executor?.parent.type === 'NewExpression' && lastName(executor.parent.callee) === 'Promise';
  const [pause, time] = isMadeHere ? [executor.parent, timer.arguments[1]] : [timer, timer.arguments[0]];
  const everyMs = time && constantNumber(module.index, time);
  if (pause.parent?.type !== 'AwaitExpression' || everyMs === undefined) return [];
  const fn = functionAround(pause);
  let at: TSESTree.Node | undefined = pause;
  while (at && at !== fn && !/^(Do)?WhileStatement$|^ForStatement$/.test(at.type)) at = at.parent;
  return at && at !== fn ? [{ timer, everyMs, body: at }] : [];
}

function functionOf({ callees }: LoopModule, node: TSESTree.Node): TSESTree.Node | undefined {
  const bare = bareExpression(node);
  if (isFunction(bare)) return bare;
  const meaning = callees.meaningOf(bare);
  return meaning?.is === 'function' ? meaning.node : undefined;
}

/** What a poll asks outside its own memory. */
export interface Touch {
  what: 'the disk' | 'a process' | 'a database';
  call: CallNode;
}

const TOUCHES: readonly [RegExp, Touch['what']][] = [
  [/^(fs|fs\/promises|fs-extra|graceful-fs)\./, 'the disk'],
  [
    /^(child_process|execa|cross-spawn|zx|tinyexec|ps-list|pidusage|systeminformation|global\.process\.kill)\b/,
    'a process',
  ],
  [/^electron\.ipcRenderer\.(invoke|send)/, 'a process'],
  [/Database#|Statement#|^(sqlite3?|pg|mysql2?)\b/, 'a database'],
];

/** The first call of a body, or of functions of the module that it enters, that asks the disk, a process or a database. */
export function touchOf(
  module: LoopModule,
  body: TSESTree.Node,
  seen = new Set<TSESTree.Node>(),
): Touch | undefined {
  seen.add(body);
  for (const call of callsIn(module.index, body)) {
    const direct = touchAt(module, call);
    if (direct) return direct;
    const fn = module.callees.functionOf(call);
    const deeper = fn && !seen.has(fn) ? touchOf(module, fn, seen) : undefined;
    if (deeper) return deeper;
  }
  return undefined;
}

function touchAt({ callees }: LoopModule, call: CallNode): Touch | undefined {
  const meaning = callees.meaningOf(calleeOf(call));
  if (meaning?.is !== 'import' || (lastName(calleeOf(call)) ?? '').startsWith('watch')) return undefined;
  const name = `${meaning.module}.${meaning.path}`;
  const what = TOUCHES.find(([pattern]) => pattern.test(name))?.[1];
  return what && { what, call };
}
