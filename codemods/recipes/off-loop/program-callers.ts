import {
  awaitPlace,
  contextOf,
  namesOf,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { filesNamedIn, withoutEnding } from '../files-named.ts';
import type { AwaitPoint, Ground } from './requirements.ts';
import { isIt, isMemberOf, valueNamed, type Named } from './uses.ts';

/** A call that enters a function. */
export interface ProgramCall {
  module: LoopModule;
  call: TSESTree.CallExpression | TSESTree.NewExpression;
}

const known = new WeakMap<FunctionNode, readonly ProgramCall[]>();
const namedFiles = new WeakMap<TSESTree.Program, Set<string>>();

/**
 * The calls of a function in the whole program, each function looked up once. Where the called object has no type, those of
 * a member of this name in a file that names the function's.
 */
export function programCallers(ground: Ground, fn: FunctionNode): readonly ProgramCall[] {
  const before = known.get(fn);
  if (before) return before;
  const module = ground.modules.of(fn);
  const named: Named = { module, fn, members: [], names: namesOf(module.index, fn) };
  const names = new Set(named.names.filter((name) => name !== 'exports'));
  if (names.size < named.names.length || fn.parent.type === 'ExportDefaultDeclaration')
    for (const name of ground.defaultNames(module.view.filename)) names.add(name);
  const found: ProgramCall[] = [];
  for (const name of names)
    for (const use of ground.references.usesOf(name)) {
      // A module is read only where it may be one of them: a plan holds on to what it has read.
      const isSure = use.stands.some((each) => isIt(ground, each, named));
      if (!isSure && !(use.isUntyped && isMemberOf(fn))) continue;
      const place = ground.modules.at(use.file);
      const node = place && ground.modules.nodeAt(use);
      if (!node || !(isSure || isNamedBy(place, module))) continue;
      const value = valueNamed(node);
      const { parent } = value;
      if (parent?.type === 'ImportSpecifier') names.add(parent.local.name);
      else if (parent?.type === 'ExportSpecifier' && parent.exported.type === 'Identifier')
        names.add(parent.exported.name);
      else if (parent?.type === 'CallExpression' || parent?.type === 'NewExpression')
        if (parent.callee === value) found.push({ module: place, call: parent });
    }
  known.set(fn, found);
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

/** Whether a module names the file of another by a relative path. */
function isNamedBy({ view: { ast, filename } }: LoopModule, other: LoopModule): boolean {
  const named = namedFiles.get(ast) ?? filesNamedIn(ast, filename);
  namedFiles.set(ast, named);
  return named.has(withoutEnding(other.view.filename));
}
