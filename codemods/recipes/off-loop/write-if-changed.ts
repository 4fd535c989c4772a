import {
  bareExpression,
  isFunction,
  walk,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/**
 * Whether a function writes a file where that holds something else: `if (read(file) === text) return; write(file, text)`.
 * What it writes was there before it looked, so nothing that another has written meanwhile is put back.
 *
 * @param first what looks at the file
 * @param second what writes it
 */
export function isWriteIfChanged(
  { index }: LoopModule,
  fn: FunctionNode,
  first: TSESTree.Node,
  second: TSESTree.Node,
): boolean {
  const written = second.type === 'CallExpression' ? second.arguments[1] : undefined;
  const text = written && bareExpression(written);
  const holder = declaratorAround(first);
  if (text?.type !== 'Identifier' || holder?.id.type !== 'Identifier') return false;
  const [what, looked] = [index.variableOf(text), index.variableOf(holder.id)];
  if (!what || !looked) return false;
  const sets = what.references.filter((each) => each.isWrite());
  if (sets.some(({ identifier }) => identifier.range[1] > first.range[0])) return false;
  let isCompared = false;
  walk(fn.body, (node) => {
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return;
    const sides = [node.left, node.right].map((side) =>
      side.type === 'Identifier' ? index.variableOf(side) : undefined,
    );
    isCompared ||= sides.includes(what) && sides.includes(looked);
  });
  return isCompared;
}

function declaratorAround(node: TSESTree.Node): TSESTree.VariableDeclarator | undefined {
  for (let at: TSESTree.Node | undefined = node; at && !isFunction(at); at = at.parent)
    if (at.type === 'VariableDeclarator') return at;
  return undefined;
}
