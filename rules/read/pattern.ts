import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from './module-index.ts';
import { functionAround, isFunction, type FunctionNode } from './nodes.ts';

/** Where a name stands in a destructuring pattern or a parameter list. */
export interface Binding {
  /** The member of the whole that the name gets: `['a', 'b']` for `x` in `{ a: { b: x } }`. */
  path: string[];
  /** The default of the name itself, or of the whole parameter. */
  fallback: TSESTree.Expression | undefined;
  /** For `...rest` of an object: the keys that it does not hold. */
  without: string[] | undefined;
  /** The whole pattern. */
  top: TSESTree.Node;
}

/** The place of a name in its pattern; undefined in array patterns and rest parameters. */
export function bindingOf(index: ModuleIndex, name: TSESTree.Node): Binding | undefined {
  const path: string[] = [];
  let fallback: TSESTree.Expression | undefined;
  let without: string[] | undefined;
  let at = name;
  for (;;) {
    const parent = at.parent;
    if (parent?.type === 'AssignmentPattern' && parent.left === at) {
      if (path.length === 0) fallback ??= parent.right;
    } else if (parent?.type === 'Property' && parent.value === at && parent.parent.type === 'ObjectPattern') {
      const key = index.keyOf(parent);
      if (key === undefined) return undefined;
      path.unshift(key);
    } else if (parent?.type === 'RestElement' && parent.parent.type === 'ObjectPattern' && at === name) {
      const siblings = parent.parent.properties.filter((property) => property.type === 'Property');
      without = siblings.map((property) => index.keyOf(property)).filter((key) => key !== undefined);
    } else if (parent?.type !== 'ObjectPattern' && parent?.type !== 'TSParameterProperty') {
      return parent?.type === 'ArrayPattern' || parent?.type === 'RestElement'
        ? undefined
        : { path, fallback, without, top: at };
    }
    at = parent;
  }
}

/** The function and the position of the parameter whose pattern is `top`. */
export function parameterOf(top: TSESTree.Node): { fn: FunctionNode; position: number } | undefined {
  const fn = top.parent;
  if (!isFunction(fn)) return undefined;
  const position = fn.params.findIndex((param) => param === top);
  if (position < 0) return undefined;
  // TypeScript's `this` parameter takes no argument.
  const [first] = fn.params;
  const hasThis = first?.type === 'Identifier' && first.name === 'this';
  return { fn, position: hasThis ? position - 1 : position };
}

/** The function whose further arguments a list holds, and how many come before: `...args`, `arguments`. */
export function restOf(
  index: ModuleIndex,
  list: TSESTree.Node,
): { fn: FunctionNode; position: number } | undefined {
  if (list.type !== 'Identifier') return undefined;
  const name = index.variableOf(list)?.defs[0]?.name;
  if (name) return name.parent.type === 'RestElement' ? parameterOf(name.parent) : undefined;
  let fn = list.name === 'arguments' ? functionAround(list) : undefined;
  while (fn?.type === 'ArrowFunctionExpression') fn = functionAround(fn);
  return fn && { fn, position: 0 };
}
