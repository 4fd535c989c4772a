import { setImmediate } from 'node:timers/promises';
import {
  functionAround,
  type Declared,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { accessOf } from './file-accesses.ts';
import { spanKey, spanOf } from './modules.ts';
import { fillingOf, type Filling } from './path-key.ts';
import { programCallers } from './program-callers.ts';
import type { Ground } from './requirements.ts';
import type { SurveyedSite } from './survey.ts';

/**
 * A call of a function that blocking calls are in. Places and keys, and no nodes: of all modules with such calls, few have a
 * race, and only these are looked at again.
 */
export interface CallPoint {
  at: Declared;
  /** The key of the function that it enters. */
  enters: string;
  /** The functions around it, the innermost first. */
  around: readonly Declared[];
  filling: Filling | undefined;
}

export const callPoint = (
  { modules }: Ground,
  module: LoopModule,
  node: TSESTree.Node,
  enters: FunctionNode,
): CallPoint => ({
  at: spanOf(module, node),
  enters: spanKey(spanOf(modules.of(enters), enters)),
  around: functionsAround(module, node),
  filling: fillingOf(module, node),
});

/** The functions around a node, the innermost first. */
export function functionsAround(module: LoopModule, node: TSESTree.Node): Declared[] {
  const found: Declared[] = [];
  for (let fn = functionAround(node); fn; fn = functionAround(fn)) found.push(spanOf(module, fn));
  return found;
}

/**
 * Where functions that hold calls that look at or change files are called: in their own modules, and those that are async already, whose callers
 * nothing changes, in all.
 */
export async function callsOf(ground: Ground, all: readonly SurveyedSite[]): Promise<CallPoint[]> {
  const seen = new Set<string>();
  const found: CallPoint[] = [];
  const add = async (module: LoopModule, fn: FunctionNode | undefined): Promise<void> => {
    if (!fn) return;
    const key = spanKey(spanOf(module, fn));
    if (seen.has(key)) return;
    seen.add(key);
    // What is read between two of these stays in memory until the next.
    await setImmediate();
    for (const call of module.callees.callersOf(fn)) await addCall(module, call, fn);
    if (!fn.async) return;
    for (const { module: place, call } of programCallers(ground, fn))
      if (place !== module) await addCall(place, call, fn);
  };
  const addCall = async (module: LoopModule, call: TSESTree.Node, enters: FunctionNode): Promise<void> => {
    found.push(callPoint(ground, module, call, enters));
    await add(module, functionAround(call));
  };
  for (const each of all)
    if (accessOf(each).length > 0) await add(each.module, functionAround(each.site.call));
  return found;
}
