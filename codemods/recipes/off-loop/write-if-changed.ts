import {
  bareExpression,
  isFunction,
  isInside,
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
  const what = text?.type === 'Identifier' ? index.variableOf(text) : undefined;
  const look = lookAround(first);
  if (!what || !look) return false;
  const sets = what.references.filter((each) => each.isWrite());
  if (sets.some(({ identifier }) => identifier.range[1] > first.range[0])) return false;
  const variableOf = (side: TSESTree.Node) =>
    side.type === 'Identifier' ? index.variableOf(side) : undefined;
  const looked = look.type === 'VariableDeclarator' ? variableOf(look.id) : undefined;
  let count = 0;
  walk(fn.body, (node) => {
    if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(node.operator)) return;
    const other = [node.left, node.right].filter((side) => variableOf(side) !== what);
    const [side] = other;
    if (other.length !== 1 || !side) return;
    if (looked ? variableOf(side) === looked : side.type === 'CallExpression' && isInside(side, look))
      count++;
  });
  return count > 0;
}

/** `const previous = read(file)`, or the condition `read(file) === text`. */
function lookAround(node: TSESTree.Node): TSESTree.Node | undefined {
  for (let at: TSESTree.Node | undefined = node; at && !isFunction(at); at = at.parent) {
    if (at.type === 'VariableDeclarator') return at;
    if (at.parent?.type === 'IfStatement') return at;
  }
  return undefined;
}
