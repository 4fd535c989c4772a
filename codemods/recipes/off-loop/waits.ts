import { isInside, walk, type FunctionNode } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

const known = new WeakMap<TSESTree.Node, readonly TSESTree.Node[]>();

/** Where a function, or the top level, waits or ends, inner functions left out. */
function endsOf(body: TSESTree.Node): readonly TSESTree.Node[] {
  const before = known.get(body);
  if (before) return before;
  const found: TSESTree.Node[] = [];
  walk(body, (node, inner) => {
    const isEnd =
      /^(?:AwaitExpression|ReturnStatement|ThrowStatement)$/.test(node.type) ||
      (node.type === 'ForOfStatement' && node.await);
    if (isEnd && inner === undefined) found.push(node);
  });
  known.set(body, found);
  return found;
}

/** Whether a function waits for certain before it comes to a node. */
export const waitsBefore = (fn: FunctionNode, node: TSESTree.Node): boolean =>
  endsOf(fn.body).some(
    (end) => end.type === 'AwaitExpression' && end.range[1] <= node.range[0] && isOnTheWay(end, node),
  );

/** Up to where code that comes behind a node runs at once: the end of what it waits for then, or of the function. */
export function endAtOnce(body: TSESTree.Node, node: TSESTree.Node): number {
  const ends = endsOf(body).filter((end) => end.range[0] >= node.range[1] && isOnTheWay(end, node));
  return Math.min(body.range[1], ...ends.map((end) => end.range[1]));
}

/** Whether who comes by a node comes by the end too: it is in no branch and in no loop of its own. */
function isOnTheWay(end: TSESTree.Node, node: TSESTree.Node): boolean {
  for (let at = end; at.parent && !isInside(node, at); at = at.parent) {
    const { parent } = at;
    const isFirst = ['test', 'right', 'init'].some((key) => key in parent && parent[key as never] === at);
    const isBranch =
      (/^(?:SwitchCase|CatchClause)$/.test(parent.type) && !isInside(node, parent)) ||
      (parent.type === 'LogicalExpression' && parent.right === at) ||
      (/^(?:If|For|ForIn|ForOf|While)Statement$|^ConditionalExpression$/.test(parent.type) && !isFirst);
    if (isBranch) return false;
  }
  return true;
}
