import type { TSESTree } from '@typescript-eslint/utils';
import { builtinModules } from 'node:module';
import { findBlocking } from './blocking.ts';
import { contextOf } from './context.ts';
import type { LoopModule } from './loop-module.ts';
import { calleeOf, lastName, type CallNode, type FunctionNode } from './nodes.ts';
import type { Verdict } from './site.ts';
import { summaryOf } from './summary.ts';

/** What a marker of a blocking call may stand at, and whether that blocks as far as one module tells. */
export interface BlockingTarget {
  call: TSESTree.Node;
  /** The API, or the callee's own name. */
  api: string;
  verdict: Verdict;
}

/** Every call and every function of a module: a call that leads into another file may block for all we know here. */
export function blockingTargets(module: LoopModule): BlockingTarget[] {
  const { index } = module;
  const context = contextOf(module);
  const sites = new Map(findBlocking(module).map((site) => [site.call, site.api]));
  const calls = index.calls.map((call): BlockingTarget => {
    const api = sites.get(call);
    if (api !== undefined) return { call, api, verdict: { is: 'yes' } };
    return {
      call,
      api: lastName(calleeOf(call)) ?? '',
      verdict: { is: isHarmless(module, call) ? 'no' : 'unknown' },
    };
  });
  const functions = new Map<FunctionNode, BlockingTarget>();
  for (const fn of summaryOf(module).nodes.units) {
    if (fn) functions.set(fn, { call: fn, api: context.unitOf(fn.body).name, verdict: { is: 'no' } });
  }
  // A function is as harmless as all the calls in it.
  for (const { call, verdict } of calls) {
    const { fn } = context.unitOf(call);
    const target = fn && functions.get(fn);
    if (target && verdict.is !== 'no' && target.verdict.is !== 'yes') target.verdict = verdict;
  }
  return [...calls, ...functions.values()];
}

const builtIn = new Set([...builtinModules, 'global', 'fs/promises']);

/** A call of Node's own that no row names: `fs.promises.readFile`, `JSON.parse`. */
function isHarmless({ callees, table }: LoopModule, call: CallNode): boolean {
  const meaning = callees.meaningOf(calleeOf(call));
  return (
    meaning?.is === 'import' &&
    (builtIn.has(meaning.module) || table.knows(meaning.module)) &&
    meaning.path !== '' &&
    table.row(meaning.module, meaning.path)?.callbacks === undefined
  );
}
