import {
  awaitPlace,
  contextOf,
  namesOf,
  type Declared,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { filesNamedIn, mayName, withoutEnding } from '../files-named.ts';
import { spanKey, spanOf, type Modules } from './modules.ts';
import type { AwaitPoint, Ground } from './requirements.ts';
import { isIt, isMemberOf, valueNamed, type Named } from './uses.ts';

/** A call that enters a function. */
export interface ProgramCall {
  module: LoopModule;
  call: TSESTree.CallExpression | TSESTree.NewExpression;
}

/** Where functions are called by their names. Places and no nodes: these would hold the modules of all callers. */
const known = new WeakMap<Ground, Map<string, readonly Declared[]>>();
const namedFiles = new WeakMap<TSESTree.Program, Set<string>>();

/**
 * The calls of a function in the whole program, each function looked up once. Where the called object has no type, those of
 * a member of this name in a file that names the function's.
 */
export function* programCallers(ground: Ground, fn: FunctionNode): Generator<ProgramCall> {
  const before = known.get(ground) ?? new Map<string, readonly Declared[]>();
  known.set(ground, before);
  const key = spanKey(spanOf(ground.modules.of(fn), fn));
  const places = before.get(key) ?? calledAt(ground, fn);
  before.set(key, places);
  for (const place of places) {
    const module = ground.modules.at(place.file);
    const call = callOf(ground.modules.nodeAt(place));
    if (module && call) yield { module, call };
  }
}

/** The names that are called and stand for a function. */
function calledAt(ground: Ground, fn: FunctionNode): Declared[] {
  const module = ground.modules.of(fn);
  const named: Named = { module, fn, members: [], names: namesOf(module.index, fn) };
  const names = new Set(named.names.filter((name) => name !== 'exports'));
  if (names.size < named.names.length || fn.parent.type === 'ExportDefaultDeclaration')
    for (const name of ground.defaultNames(module.view.filename)) names.add(name);
  const isMember = isMemberOf(fn);
  const found: Declared[] = [];
  for (const name of names)
    for (const use of ground.references.usesOf(name)) {
      const { alias } = use;
      if (alias === undefined && use.as !== 'callee') continue;
      const isOne =
        use.stands.some((each) => isIt(ground, each, named)) ||
        (use.isUntyped && isMember && isNamedIn(ground.modules, use.file, module.view.filename));
      if (!isOne) continue;
      if (alias === undefined) found.push(use);
      else names.add(alias);
    }
  return found;
}

/**
 * Whether code on the loop leads to a call in an async callback that runs at once, as `(async () => …)()` does: for it
 * nothing above is planned.
 */
export function isLedTo(ground: Ground, { module, node }: AwaitPoint): boolean {
  const place = awaitPlace(node);
  if (!('fn' in place) || !place.fn?.async) return false;
  const pending = new Set([contextOf(module).unitOf(node)]);
  for (const { fn, where } of pending) {
    if (where === 'loop') return true;
    if (where !== 'called' || !fn) continue;
    for (const { module: at, call } of programCallers(ground, fn)) pending.add(contextOf(at).unitOf(call));
  }
  return false;
}

/** The call of what a name stands for. */
function callOf(name: TSESTree.Node | undefined): ProgramCall['call'] | undefined {
  const value = name && valueNamed(name);
  const parent = value?.parent;
  return (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent.callee === value
    ? parent
    : undefined;
}

/** Whether a file names another one by a relative path. */
function isNamedIn(modules: Modules, file: string, other: string): boolean {
  const ast = mayName(modules.textOf(file) ?? '', other) ? modules.at(file)?.view.ast : undefined;
  if (!ast) return false;
  const named = namedFiles.get(ast) ?? filesNamedIn(ast, file);
  namedFiles.set(ast, named);
  return named.has(withoutEnding(other));
}
