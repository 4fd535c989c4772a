import type { TSESTree } from '@typescript-eslint/utils';
import { contextOf } from './context.ts';
import type { LoopModule } from './loop-module.ts';
import { bareExpression, type CallNode, type FunctionNode } from './nodes.ts';
import { runsNow } from './roles.ts';

/** How far a function is followed that is handed on. */
const MOST_HOPS = 4;

/**
 * The functions that are given by name to a call which calls them before it returns: `paths.map(load)`. What a callee
 * out of sight makes of one is not known: it may keep it for later, or for another process.
 */
export function handedNow(module: LoopModule, call: CallNode, hops = MOST_HOPS): TSESTree.Node[] {
  if (call.type === 'TaggedTemplateExpression') return [];
  const args = call.arguments.map(bareExpression);
  const isName = (arg: TSESTree.Node) => arg.type === 'Identifier' || arg.type === 'MemberExpression';
  if (hops === 0 || !args.some(isName)) return [];
  if (runsNow(call) || module.rowOf(call)?.row.callbacks?.run === 'now') return args.filter(isName);
  const fn = module.callees.functionOf(call);
  if (!fn) return [];
  return args.filter((arg, position) => isName(arg) && callsParameter(module, fn, position, hops - 1));
}

/** Whether a function calls what it is given at a position, itself or by handing it on. */
export function callsParameter(
  module: LoopModule,
  fn: FunctionNode,
  position: number,
  hops = MOST_HOPS,
): boolean {
  const given = fn.params[position];
  const param = given?.type === 'AssignmentPattern' ? given.left : given;
  const variable = param?.type === 'Identifier' ? module.index.variableOf(param) : undefined;
  if (!variable) return false;
  const context = contextOf(module);
  const own = context.unitOf(fn.body);
  return variable.references.some(({ identifier }) => {
    const use = usedCall(identifier);
    if (!use || context.unitOf(identifier) !== own) return false;
    return use.isCallee || handedNow(module, use.call, hops).some((arg) => arg === identifier);
  });
}

/** The call that a name is called by, `f()` or `f.call(…)`, or is given to. */
function usedCall(name: TSESTree.Node): { call: CallNode; isCallee: boolean } | undefined {
  let node = name;
  let above = name.parent;
  if (above?.type === 'MemberExpression' && above.object === node) [node, above] = [above, above.parent];
  if (above?.type !== 'CallExpression' && above?.type !== 'NewExpression') return undefined;
  const isCallee = above.callee === node;
  return isCallee || node === name ? { call: above, isCallee } : undefined;
}
