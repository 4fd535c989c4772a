import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from './module-index.ts';
import { bareExpression, calleeOf, isClass, isFunction, isInside, type FunctionNode } from './nodes.ts';

/** A function and those that it calls by name or as its own methods, as far as the module has them. */
export function reachedFrom(index: ModuleIndex, start: FunctionNode): FunctionNode[] {
  const reached = new Set([start]);
  for (const fn of reached)
    for (const call of index.calls) {
      const callee = isInside(call, fn) && functionNamed(index, calleeOf(call));
      if (callee) reached.add(callee);
    }
  return [...reached];
}

/** The function of the module that an expression names: itself, a variable that holds it, a method or a field of `this`. */
export function functionNamed(index: ModuleIndex, node: TSESTree.Node): FunctionNode | undefined {
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
