import type { TSESTree } from '@typescript-eslint/utils';
import { childOfPid } from './child-of-pid.ts';
import { childOf, isHandedOn, isNothing, isShared } from './child-uses.ts';
import { functionNamed, reachedFrom } from './functions-named.ts';
import { isLetGo } from './let-go.ts';
import { constantValue, indexOf, type ModuleIndex } from './module-index.ts';
import type { ModuleView } from './module-view.ts';
import { negated } from './negated.ts';
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
import { isWindowsOnly } from './platform.ts';
import { hasStartingName } from './shape.ts';
import type { SpawnSite } from './site.ts';

/** What a detached spawn is for, and the sign it was told by, worded for a message. */
export interface Intent {
  /** It is to outlive its owner, its group is to be killed as one, or nothing tells. */
  kind: 'outlives' | 'convenience' | 'accident';
  signal: string;
}

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
  return index.callsNamed('kill').filter((call) => {
    const pid = groupPid(index, call);
    return pid && mayEnd(index, call, pid, site);
  });
}

/** The pid whose group a call signals. Signal 0 only asks whether the group is there. */
function groupPid(index: ModuleIndex, call: CallNode): TSESTree.Node | undefined {
  const [pid, signal] = call.type === 'CallExpression' ? call.arguments : [];
  if (!pid || (signal?.type === 'Literal' && signal.value === 0)) return undefined;
  const leader = negated(constantValue(index, pid) ?? pid);
  return leader?.type === 'Literal' ? undefined : leader;
}

/** Whether a kill of a pid's group can be of the child that a site starts. */
function mayEnd(index: ModuleIndex, kill: CallNode, pid: TSESTree.Node, { call }: SpawnSite): boolean {
  if (call.type === 'ObjectExpression') return true;
  if (isDropped(call)) return false;
  const killed = childOfPid(index, pid);
  if (!killed) return true;
  if (isOfAnother(index, killed, call)) return false;
  const child = childOf(index, call);
  return isShared(child) || isHandedOn(child) || (child.around !== undefined && isInside(kill, child.around));
}

/** `spawn(…);` and `spawn(…).unref()`: nobody can have the child, nor its pid. */
function isDropped(node: TSESTree.Node): boolean {
  const { parent } = node;
  if (parent?.type === 'ChainExpression') return isDropped(parent);
  if (parent?.type !== 'MemberExpression' || parent.parent.type !== 'CallExpression')
    return parent?.type === 'ExpressionStatement';
  return lastName(parent) === 'unref' || isDropped(parent.parent);
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
