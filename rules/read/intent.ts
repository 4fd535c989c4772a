import type { TSESTree } from '@typescript-eslint/utils';
import { childOf, isShared, type Child } from './child-uses.ts';
import { indexOf, type ModuleIndex } from './module-index.ts';
import type { ModuleView } from './module-view.ts';
import {
  bareExpression,
  calleeOf,
  functionAround,
  isClass,
  isFunction,
  isInside,
  lastName,
  literalText,
  type CallNode,
  type FunctionNode,
} from './nodes.ts';
import { isWindowsOnly } from './platform.ts';
import { hasStartingName } from './shape.ts';
import type { SpawnSite } from './site.ts';

/** What a detached spawn is for, and the sign it was told by, worded for a message. */
export interface Intent {
  /** It is to outlive its owner, its group is to be killed as one, or nothing tells. */
  kind: 'outlives' | 'convenience' | 'accident';
  signal: string;
}

/** `.unref()` tells within this many lines of the call (measured on 294 sites, precision 0.92). */
const unrefLines = 40;

/** Programs that open something for the user and end by themselves. */
const openers = /^(open|xdg-open|gio|explorer|rundll32|osascript|cmd|start|wslview|code)(\.exe)?$/i;
const outliving = /updat|upgrad|restart|relaunch|respawn|squirrel|daemon|install|telemetry/i;

/**
 * Guesses what a detached spawn is for, by the signals that its module gives:
 * a group kill in an exit or signal handler outweighs `.unref()`, which outweighs the rest. Both count unless they cannot
 * be of this child.
 * Ignored stdio alone tells nothing.
 */
export function intentOf(view: ModuleView, site: SpawnSite): Intent {
  const index = indexOf(view);
  const kills = groupKillsOf(view, site);
  const ending =
    kills.length > 0 &&
    exitHandlers(index).find(({ fn }) =>
      reachedFrom(index, fn).some((each) => kills.some((kill) => isInside(kill, each))),
    );
  if (ending) return { kind: 'convenience', signal: `its group is killed on '${ending.event}'` };
  if (site.api === 'owned-spawn.spawnDetached') return { kind: 'outlives', signal: '`spawnDetached`' };
  if (isLetGo(index, site)) return { kind: 'outlives', signal: '`.unref()`' };
  if (site.leaver !== undefined) return { kind: 'outlives', signal: site.leaver };
  if (kills[0]) return { kind: 'convenience', signal: '`process.kill(-pid)`' };
  const named = outlivingName(site);
  if (named !== undefined) return { kind: 'outlives', signal: `the name \`${named}\`` };
  if (
    site.cause &&
    /platform|win32|is_?win/i.test(view.text.slice(...site.cause.range)) &&
    !isForWindows(site.cause)
  ) {
    return { kind: 'convenience', signal: 'the test of the platform' };
  }
  return { kind: 'accident', signal: '' };
}

/** The calls that signal the whole group of a site's child, `process.kill(-pid)`, as far as the module tells. */
export function groupKillsOf(view: ModuleView, site: SpawnSite): readonly CallNode[] {
  const index = indexOf(view);
  return index.callsNamed('kill').filter((call) => isGroupKill(call) && mayEnd(index, call, site));
}

/** Signal 0 only asks whether the group is there. */
function isGroupKill(call: CallNode): boolean {
  const [pid, signal] = call.type === 'CallExpression' ? call.arguments : [];
  return (
    pid?.type === 'UnaryExpression' &&
    pid.operator === '-' &&
    pid.argument.type !== 'Literal' &&
    !(signal?.type === 'Literal' && signal.value === 0)
  );
}

/** Whether a group kill can be of the child that a site starts. */
function mayEnd(index: ModuleIndex, kill: CallNode, { call }: SpawnSite): boolean {
  if (call.type === 'ObjectExpression') return true;
  if (isDropped(call)) return false;
  const killed = killedChild(index, kill);
  if (!killed) return true;
  if (isOfAnother(index, killed, call)) return false;
  const child = childOf(index, call);
  return isShared(child) || isHandedOn(child) || (child.around !== undefined && isInside(kill, child.around));
}

/** Whether a call takes the child by its name, in an inner function too: `() => stop(child)`. */
const isHandedOn = ({ names }: Child): boolean =>
  names.some(
    ({ root, path }) =>
      path.length === 0 &&
      'references' in root &&
      root.references.some(({ identifier: { parent } }) => parent.type === 'CallExpression'),
  );

/** `spawn(…);` and `spawn(…).unref()`: nobody can have the child, nor its pid. */
function isDropped(node: TSESTree.Node): boolean {
  const { parent } = node;
  if (parent?.type === 'ChainExpression') return isDropped(parent);
  if (parent?.type !== 'MemberExpression' || parent.parent.type !== 'CallExpression')
    return parent?.type === 'ExpressionStatement';
  return lastName(parent) === 'unref' || isDropped(parent.parent);
}

/** Of `process.kill(-child.pid)` the child, also by `const { pid } = child`. */
function killedChild(index: ModuleIndex, kill: CallNode): TSESTree.Node | undefined {
  const [negated] = kill.type === 'CallExpression' ? kill.arguments : [];
  const pid = negated?.type === 'UnaryExpression' ? bareExpression(negated.argument) : undefined;
  if (pid?.type === 'MemberExpression') return lastName(pid) === 'pid' ? pid.object : undefined;
  const def = pid?.type === 'Identifier' ? index.variableOf(pid)?.defs[0]?.node : undefined;
  const init = def?.type === 'VariableDeclarator' && def.init ? bareExpression(def.init) : undefined;
  if (def?.type === 'VariableDeclarator' && def.id.type === 'ObjectPattern') return init;
  return init?.type === 'MemberExpression' && lastName(init) === 'pid' ? init.object : undefined;
}

/** Whether all that a variable or a field ever holds are children that other calls start. */
function isOfAnother(index: ModuleIndex, child: TSESTree.Node, call: SpawnSite['call']): boolean {
  if (call.type === 'ObjectExpression') return false;
  const started = bareExpression(child);
  // `spawn(…).unref()`
  if (started !== call && isStart(index, started)) return true;
  const place = index.rootOf(started);
  if (!place) return false;
  const { root, path } = place;
  const values =
    'references' in root && path.length === 0
      ? root.references.flatMap(({ writeExpr }) => writeExpr ?? [])
      : index.assignedTo(root, path);
  const held = values.map(bareExpression).filter((value) => !isNothing(value));
  return held.length > 0 && held.every((value) => value !== call && isStart(index, value));
}

const isNothing = (value: TSESTree.Node): boolean =>
  (value.type === 'Literal' && value.value === null) || lastName(value) === 'undefined';

/** A call that starts a process itself; a function of the module may well hand back the child in question. */
function isStart(index: ModuleIndex, value: TSESTree.Node): boolean {
  if (value.type !== 'CallExpression' || !hasStartingName(value)) return false;
  const callee = calleeOf(value);
  const isOwn = callee.type === 'MemberExpression' && callee.object.type === 'ThisExpression';
  return !isOwn && !functionNamed(index, callee);
}

/** Whether an option is on under Windows only, where it gives a console of its own and no group. */
function isForWindows(cause: TSESTree.Node): boolean {
  if (cause.type === 'Property') return isWindowsOnly(cause.value);
  return isWindowsOnly(cause.type === 'AssignmentExpression' ? cause.right : cause);
}

interface ExitHandler {
  event: string;
  fn: FunctionNode;
}

/** Functions that run when the process ends: `process.on('exit', fn)`, `onExit(fn)`. */
function exitHandlers(index: ModuleIndex): ExitHandler[] {
  return ['on', 'once', 'addListener', 'prependListener'].flatMap((name) =>
    index.callsNamed(name).flatMap((call): ExitHandler[] => {
      const [first, second] = call.type === 'CallExpression' ? call.arguments : [];
      const callee = calleeOf(call);
      const isProcess = callee.type === 'MemberExpression' && lastName(callee.object) === 'process';
      const event = first && literalText(first);
      if (!isProcess || event === undefined || !second || !/^(exit|beforeExit|SIG[A-Z]+)$/.test(event))
        return [];
      const fn = functionNamed(index, second);
      return fn ? [{ event, fn }] : [];
    }),
  );
}

/** A function and those that it calls by name or as its own methods, as far as the module has them. */
function reachedFrom(index: ModuleIndex, start: FunctionNode): FunctionNode[] {
  const reached = new Set([start]);
  for (const fn of reached)
    for (const call of index.calls) {
      const callee = isInside(call, fn) && functionNamed(index, calleeOf(call));
      if (callee) reached.add(callee);
    }
  return [...reached];
}

function functionNamed(index: ModuleIndex, node: TSESTree.Node): FunctionNode | undefined {
  const bare = bareExpression(node);
  if (isFunction(bare)) return bare;
  if (bare.type === 'MemberExpression') return methodNamed(index, bare);
  const def = bare.type === 'Identifier' ? index.variableOf(bare)?.defs[0]?.node : undefined;
  if (isFunction(def)) return def;
  return def?.type === 'VariableDeclarator' && isFunction(def.init) ? def.init : undefined;
}

/** The method or the function in a field of `this.stop`. */
function methodNamed(index: ModuleIndex, node: TSESTree.MemberExpression): FunctionNode | undefined {
  const place = index.rootOf(node);
  if (!place || !('type' in place.root) || !isClass(place.root) || place.path.length !== 1) return undefined;
  const member = place.root.body.body.find((each) => index.keyOf(each) === place.path[0]);
  const value = member && 'value' in member ? member.value : undefined;
  return isFunction(value) ? value : undefined;
}

/** Whether something that is no timer is let go of by `.unref()` soon after the call. */
function isLetGo(index: ModuleIndex, site: SpawnSite): boolean {
  const line = site.call.loc.start.line;
  return index.callsNamed('unref').some((unref) => {
    const callee = calleeOf(unref);
    if (callee.type !== 'MemberExpression') return false;
    const child = listenedTo(bareExpression(callee.object));
    const name =
      lastName(child) ?? (child.type === 'CallExpression' ? lastName(child.callee) : undefined) ?? '';
    const distance = unref.loc.end.line - line;
    return (
      distance >= 0 &&
      distance <= unrefLines &&
      !/timer|timeout|interval|immediate/i.test(name) &&
      !isOfAnother(index, child, site.call)
    );
  });
}

/** The child of `child.on('error', …).once('exit', …)`. */
function listenedTo(node: TSESTree.Node): TSESTree.Node {
  const callee = node.type === 'CallExpression' ? bareExpression(node.callee) : undefined;
  return callee?.type === 'MemberExpression' && /^(?:on|once|addListener)$/.test(lastName(callee) ?? '')
    ? listenedTo(bareExpression(callee.object))
    : node;
}

/** A name that says what the child is for: its program, the function around the call, or the variable it goes to. */
function outlivingName({ call }: SpawnSite): string | undefined {
  if (call.type === 'ObjectExpression' || call.type === 'TaggedTemplateExpression') return undefined;
  const program = call.arguments[0] && literalText(call.arguments[0]);
  if (program !== undefined && openers.test(program)) return program;
  const fn = functionAround(call);
  const holder = fn?.parent;
  const names = [
    program,
    fn?.id?.name,
    holder && 'key' in holder ? lastName(holder.key) : undefined,
    holder?.type === 'VariableDeclarator' ? lastName(holder.id) : undefined,
    call.parent.type === 'VariableDeclarator' ? lastName(call.parent.id) : undefined,
  ];
  return names.find((name) => name !== undefined && outliving.test(name));
}
