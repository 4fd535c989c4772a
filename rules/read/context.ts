import type { TSESTree } from '@typescript-eslint/utils';
import { isConstructor } from './conditions.ts';
import { PROMISE_CALLBACK } from '../apis/handlers.ts';
import { COMMAND } from '../apis/off-loop.ts';
import { offFile } from './file-role.ts';
import type { LoopModule } from './loop-module.ts';
import { bareExpression, calleeOf, functionAround, lastName, type FunctionNode } from './nodes.ts';
import { takesRequest, takesRequestType } from './request-shape.ts';
import { functionName, rolesOf, rolesOnceAsync, type Role, type Roles } from './roles.ts';

/**
 * Where code runs. `loop`: on the event loop while there is something to serve. `off`: in a worker, in a command, when
 * the process ends. `boot`: before there is anything to serve. `called`: wherever its callers run.
 */
export type Where = 'loop' | 'off' | 'boot' | 'called';

/** A function together with the callbacks that run with it, or the top level of a module. */
export interface Unit {
  /** Undefined for the top level. */
  fn: FunctionNode | undefined;
  where: Where;
  /** What it is, for a message: `` async `load` ``; empty where it is only called. */
  as: string;
  /** Its own name, `Class.method` for methods; empty for callbacks. */
  name: string;
}

/** Tells of every node of one module where it runs. */
export interface Context {
  unitOf(node: TSESTree.Node): Unit;
  /** Whether a node runs only in a worker, by a test of `isMainThread`, or directly before the process ends. */
  isOff(node: TSESTree.Node): boolean;
}

/** How far callers of callers are followed. */
const MOST_DEEP = 100;

const known = new WeakMap<LoopModule, Context>();

/** The context of a module, made at the first call. */
export function contextOf(module: LoopModule): Context {
  const before = known.get(module);
  if (before) return before;
  const made = makeContext(module, rolesOf(module));
  known.set(module, made);
  return made;
}

/** The context of a module once some functions have become async. */
export const contextOnceAsync = (module: LoopModule, functions: ReadonlySet<FunctionNode>): Context =>
  makeContext(module, rolesOnceAsync(module, functions));

function makeContext(module: LoopModule, roles: Roles): Context {
  const { index, callees, table, view } = module;
  const units = new Map<FunctionNode, Unit>();
  const polls = new Map<Unit, Unit>();
  const isOffFile = offFile(module) !== undefined;
  const top: Unit = { fn: undefined, where: isOffFile ? 'off' : 'boot', as: '', name: '' };
  let depth = 0;

  function unitOf(node: TSESTree.Node): Unit {
    let fn = functionAround(node);
    while (fn && roles.of(fn).run === 'inline') fn = functionAround(fn);
    const unit = unitFor(fn);
    return unit.where === 'boot' && isInPoll(node, fn) ? polling(unit) : unit;
  }

  /** What waits and goes on is not over when the start is. */
  function polling(unit: Unit): Unit {
    const before = polls.get(unit);
    if (before) return before;
    const made: Unit = { ...unit, where: 'loop', as: unit.as || 'a loop of the top level' };
    polls.set(unit, made);
    return made;
  }

  function isInPoll(node: TSESTree.Node, fn: FunctionNode | undefined): boolean {
    for (let at: TSESTree.Node | undefined = node; at && at !== fn; at = at.parent) {
      if (!isLoop(at)) continue;
      const text = view.text.slice(...at.range);
      if (/\bawait\b/.test(text) && isOpen(at, text)) return true;
    }
    return false;
  }

  function unitFor(fn: FunctionNode | undefined): Unit {
    if (!fn) return top;
    const before = units.get(fn);
    if (before) return before;
    const role = roles.of(fn);
    const name = functionName(fn);
    // A function that calls itself, or that others in a circle call, is no reason by itself to be on the loop.
    const unit: Unit = { fn, where: 'boot', as: role.as, name };
    units.set(fn, unit);
    const around = unitOf(fn);
    unit.where = whereOf(fn, role, around);
    if (role.as === PROMISE_CALLBACK && around.as === COMMAND) unit.as = around.as;
    return unit;
  }

  function whereOf(fn: FunctionNode, role: Role, around: Unit): Where {
    const { run } = role;
    if (isOffFile) return 'off';
    // A command may start a server.
    if (around.where === 'off' && (run !== 'loop' || around.as !== COMMAND || role.as === PROMISE_CALLBACK))
      return 'off';
    if (run === 'async') return isBootOnly(fn) ? 'boot' : 'loop';
    if (run === 'later') return isStart(around) ? 'boot' : 'loop';
    if (run === 'plain' || run === 'inline')
      return table.context.boot && roles.opensServer(fn) ? 'boot' : 'called';
    // The top level waits for no promise: it goes on, and so may what it has started.
    if (role.as !== PROMISE_CALLBACK) return run;
    return roles.opensServer(fn) || (around.fn && isStart(around)) ? 'boot' : run;
  }

  /** What the start waits for by callbacks is part of it. */
  function isStart({ where, fn }: Unit): boolean {
    return (
      where === 'boot' || (where === 'called' && fn !== undefined && startsSomething(fn) && isBootOnly(fn))
    );
  }

  /** Whether a function starts something, by its name; what is given a request serves. */
  const startsSomething = (fn: FunctionNode): boolean =>
    isNamedStart(fn) && !takesRequest(fn) && !takesRequestType(callees, fn);

  /** Whether nobody but the top level, or what only it reaches, calls a function. */
  function isBootOnly(fn: FunctionNode): boolean {
    // Bundles have chains of calls that would overflow the stack.
    if (!table.context.boot || depth > MOST_DEEP) return false;
    if (roles.opensServer(fn)) return true;
    depth += 1;
    const calls = callees.callersOf(fn);
    const isIdleCall = (call: TSESTree.Node): boolean => isIdle(unitOf(call), new Set([fn])) || isOff(call);
    const isOnly = startsSomething(fn)
      ? calls.some(isAtTop) || calls.every((call) => unitOf(call).where !== 'loop')
      : !escapes(fn) && calls.length > 0 && calls.every(isIdleCall);
    depth -= 1;
    return isOnly;
  }

  /** What starts at the top level may be started again later: then there is nothing to serve either. */
  function isAtTop(call: TSESTree.Node): boolean {
    const { fn, where } = unitOf(call);
    return !fn && where === 'boot';
  }

  function isIdle({ where, fn }: Unit, seen: Set<FunctionNode>): boolean {
    if (where === 'boot' || where === 'off') return true;
    if (where === 'loop' || !fn || seen.size > MOST_DEEP) return false;
    if (seen.has(fn)) return true;
    seen.add(fn);
    const calls = callees.callersOf(fn);
    if (calls.length === 0 && isConstructor(fn)) return true;
    if (escapes(fn)) return false;
    return calls.length > 0 && calls.every((call) => isIdle(unitOf(call), seen));
  }

  /** Whether others than the calls that we see may call a function. */
  function escapes(fn: FunctionNode): boolean {
    const { parent } = fn;
    if (parent.type === 'MethodDefinition') {
      if (isPrivate(parent)) return false;
      return callees.callersOf(fn).length === 0;
    }
    if (fn.type === 'FunctionDeclaration') {
      if (parent.type === 'ExportNamedDeclaration' || parent.type === 'ExportDefaultDeclaration')
        return !isMain(fn);
      return fn.id !== null && namesLeak(fn.id);
    }
    if (parent.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return true;
    return isExported(parent.parent) || namesLeak(parent.id);
  }

  /** `export async function main()` beside a call of it is exported for tests. */
  function isMain(fn: FunctionNode): boolean {
    return /^(main|cli|boot|bootstrap)$/.test(fn.id?.name ?? '');
  }

  /** Whether a function or class is used otherwise than by calling it: exported, stored, handed on. */
  function namesLeak(id: TSESTree.Identifier): boolean {
    const variable = index.variableOf(id);
    return (
      variable?.references.some(({ identifier, init }) => {
        if (init) return false;
        const { parent } = identifier;
        if (parent.type === 'CallExpression' || parent.type === 'NewExpression')
          return parent.callee !== identifier;
        return !parent.type.startsWith('TS');
      }) ?? true
    );
  }

  function isOff(node: TSESTree.Node): boolean {
    const { workers, exits } = table.context;
    return (workers && isWorkerBranch(node)) || (exits && isLeaving(node));
  }

  function isWorkerBranch(node: TSESTree.Node): boolean {
    if (!view.text.includes('isMainThread')) return false;
    for (let at = node; at.parent; at = at.parent) {
      const { parent } = at;
      if (parent.type !== 'IfStatement' || parent.test === at) continue;
      const test = bareExpression(parent.test);
      const isNegated = test.type === 'UnaryExpression' && test.operator === '!';
      const asked = isNegated ? bareExpression(test.argument) : test;
      if (lastName(asked) === 'isMainThread' && (parent.consequent === at) === isNegated) return true;
    }
    return false;
  }

  return { unitOf, isOff };
}

type Loop = TSESTree.DoWhileStatement | TSESTree.ForStatement | TSESTree.WhileStatement;

const isLoop = (node: TSESTree.Node): node is Loop => /^(DoWhile|For|While)Statement$/.test(node.type);

const PAUSES = /\b(?:sleep|delay|wait|pause|setTimeout)/i;

/** Whether a loop goes on until somebody ends it: one that asks whether there is more to do ends by itself, unless it pauses. */
function isOpen(loop: Loop, text: string): boolean {
  if (loop.type === 'ForStatement') return !loop.test;
  return !/^(Binary|Call)Expression$/.test(bareExpression(loop.test).type) || PAUSES.test(text);
}

const STARTS =
  /^[_#]*(?:(?:start|init(?:iali[sz]e)?|setup|boot(?:strap)?|main)(?:[A-Z_]|$)|(?:serve|listen|launch|activate)$)/;

/** What starts something, by its name, runs before there is anything to serve. */
function isNamedStart(fn: FunctionNode): boolean {
  const name = functionName(fn).replace(/^.*\./, '');
  return STARTS.test(name) || (name === 'run' && fn.params.length === 0);
}

const isPrivate = (method: TSESTree.MethodDefinition) =>
  method.accessibility === 'private' || method.key.type === 'PrivateIdentifier';

const isExported = (node: TSESTree.Node) => (node.parent?.type ?? '').startsWith('Export');

/** Whether `process.exit()` follows in the same block, so that nobody is kept waiting. */
function isLeaving(node: TSESTree.Node): boolean {
  let at = node;
  while (at.parent && at.parent.type !== 'BlockStatement') at = at.parent;
  if (at.parent?.type !== 'BlockStatement') return false;
  const { body } = at.parent;
  return body.slice(body.indexOf(at as TSESTree.Statement) + 1).some(isExit);
}

function isExit(statement: TSESTree.Statement): boolean {
  if (statement.type !== 'ExpressionStatement') return false;
  const call = bareExpression(statement.expression);
  if (call.type !== 'CallExpression') return false;
  const callee = calleeOf(call);
  return (
    callee.type === 'MemberExpression' && lastName(callee) === 'exit' && lastName(callee.object) === 'process'
  );
}
