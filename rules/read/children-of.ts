import type { TSESTree } from '@typescript-eslint/utils';

/** What holds no code of the module; `templateBody` is Vue's markup, whose names have no scopes. */
const notChildren = new Set('parent loc range tokens comments start end type templateBody'.split(' '));

/** The nodes that stand in a node itself. */
export function childrenOf(node: TSESTree.Node): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  for (const key in node) {
    if (notChildren.has(key)) continue;
    const value = (node as unknown as Record<string, unknown>)[key];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) found.push(item);
    } else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is TSESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'range' in value;
}
