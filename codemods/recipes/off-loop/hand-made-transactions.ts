import { constantText, type FunctionNode, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isOnOneWay, nodesOf } from './shared-state.ts';
import type { StateRace } from './state-races.ts';

const BEGIN = /^\s*(begin|start\s+transaction|savepoint)\b/i;
const END = /^\s*(commit|end|rollback|release)\b/i;

/**
 * Where a function would wait inside a transaction that it begins and ends by SQL, on a connection that does not wait: what
 * others ask of it meanwhile would be part of the transaction, and taken back with it.
 *
 * @param waits the calls in the function that are awaited from now on
 */
export function handMadeTransactions(
  { index }: LoopModule,
  fn: FunctionNode,
  waits: readonly TSESTree.Node[],
): StateRace[] {
  const own = nodesOf(fn);
  const saying = (pattern: RegExp): TSESTree.CallExpression[] =>
    own.filter(
      (node): node is TSESTree.CallExpression =>
        node.type === 'CallExpression' &&
        node.parent.type !== 'AwaitExpression' &&
        node.arguments[0] !== undefined &&
        pattern.test(constantText(index, node.arguments[0]) ?? ''),
    );
  const ends = saying(END);
  return saying(BEGIN).flatMap((begin): StateRace[] => {
    const last = ends.at(-1)?.range[0] ?? 0;
    const isInside = ({ range: [start] }: TSESTree.Node): boolean => start > begin.range[1] && start < last;
    const isParted = own.some((node) => node.type === 'AwaitExpression' && isInside(node));
    const between = waits.filter((wait) => isInside(wait) && isOnOneWay(begin, wait, fn));
    return isParted || between.length === 0 ? [] : [{ node: begin, isLost: true, waits: between }];
  });
}
