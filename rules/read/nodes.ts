import type { TSESTree } from '@typescript-eslint/utils';

export type FunctionNode =
  TSESTree.FunctionDeclaration | TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression;
export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;
export type CallNode = TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.TaggedTemplateExpression;

export function isFunction(node: TSESTree.Node | null | undefined): node is FunctionNode {
  return (
    node?.type === 'FunctionDeclaration' ||
    node?.type === 'FunctionExpression' ||
    node?.type === 'ArrowFunctionExpression'
  );
}

export function isClass(node: TSESTree.Node | null | undefined): node is ClassNode {
  return node?.type === 'ClassDeclaration' || node?.type === 'ClassExpression';
}

/** The expression inside TypeScript's and optional chaining's wrappers: `x` of `(x as T)!`, and of Flow's `(x: T)`. */
export function bareExpression(node: TSESTree.Node): TSESTree.Node {
  let inner = node;
  for (;;) {
    switch (inner.type as string) {
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
      case 'TSInstantiationExpression':
      case 'ChainExpression':
      case 'ParenthesizedExpression':
      case 'TypeCastExpression':
      case 'AsExpression':
        inner = (inner as TSESTree.TSAsExpression).expression;
        break;
      case 'SequenceExpression':
        inner = (inner as TSESTree.SequenceExpression).expressions.at(-1) as TSESTree.Node;
        break;
      default:
        return inner;
    }
  }
}

/** The callee of a call, a construction or a tagged template, its wrappers removed. */
export function calleeOf(call: CallNode): TSESTree.Node {
  return bareExpression(call.type === 'TaggedTemplateExpression' ? call.tag : call.callee);
}

/** The last name of an expression: `spawn` of `a.b.spawn`, of `spawn`, and of `this.#spawn`. */
export function lastName(node: TSESTree.Node): string | undefined {
  const bare = bareExpression(node);
  if (bare.type === 'Identifier' || bare.type === 'PrivateIdentifier') return bare.name;
  if (bare.type !== 'MemberExpression') return undefined;
  if (!bare.computed) return bare.property.name;
  return bare.property.type === 'Literal' && typeof bare.property.value === 'string'
    ? bare.property.value
    : undefined;
}

/** The innermost function around a node, the node itself left out. */
export function functionAround(node: TSESTree.Node): FunctionNode | undefined {
  let at = node.parent;
  while (at && !isFunction(at)) at = at.parent;
  // ESLint gives the program the parent null.
  return at ?? undefined;
}

/** Whether the inner node lies in the outer one. */
export function isInside(inner: TSESTree.Node, outer: TSESTree.Node): boolean {
  return inner.range[0] >= outer.range[0] && inner.range[1] <= outer.range[1];
}

/** The static text of a string literal or of a template without holes. */
export function literalText(node: TSESTree.Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? '';
  return undefined;
}

/** Whether a node names a value: `load`, `files.load`. */
export const isReference = (
  node: TSESTree.Node | null,
): node is TSESTree.Identifier | TSESTree.MemberExpression =>
  node?.type === 'Identifier' || node?.type === 'MemberExpression';
