import type { TSESTree } from '@typescript-eslint/utils';
import { bareExpression, lastName, literalText } from './nodes.ts';

/**
 * What a pid is the negative of, by which a signal goes to a whole group: `-pid`, `-Math.abs(pid)`, `-1 * pid`,
 * `0 - pid`, and the texts that `process.kill` takes for numbers, `` `-${pid}` `` and `'-' + pid`.
 */
export function negated(pid: TSESTree.Node): TSESTree.Node | undefined {
  const node = bareExpression(pid);
  switch (node.type) {
    case 'UnaryExpression':
      if (node.operator === '-') return absolute(node.argument);
      return node.operator === '+' ? negated(node.argument) : undefined;
    case 'BinaryExpression':
      return negatedBy(node);
    case 'TemplateLiteral': {
      const [hole, ...more] = node.expressions;
      const texts = node.quasis.map(({ value }) => value.cooked);
      return more.length === 0 && texts.join('|') === '-|' ? hole : undefined;
    }
    case 'CallExpression': {
      const [text] = node.arguments;
      return text && /^(?:Number|parseInt)$/.test(lastName(node.callee) ?? '') ? negated(text) : undefined;
    }
    default:
      return undefined;
  }
}

function negatedBy({ operator, left, right }: TSESTree.BinaryExpression): TSESTree.Node | undefined {
  if (operator === '-') return left.type === 'Literal' && left.value === 0 ? absolute(right) : undefined;
  if (operator === '+') return literalText(left) === '-' ? right : undefined;
  if (operator === '*' && isMinusOne(left)) return absolute(right);
  return /^[*/]$/.test(operator) && isMinusOne(right) ? absolute(left) : undefined;
}

const isMinusOne = (node: TSESTree.Node): boolean =>
  node.type === 'UnaryExpression' &&
  node.operator === '-' &&
  node.argument.type === 'Literal' &&
  node.argument.value === 1;

/** `pid` for `Math.abs(pid)`. */
function absolute(node: TSESTree.Node): TSESTree.Node {
  const bare = bareExpression(node);
  const isAbs = bare.type === 'CallExpression' && lastName(bare.callee) === 'abs';
  return (isAbs && bare.arguments[0]) || node;
}
