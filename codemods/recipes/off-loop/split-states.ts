import type { FunctionNode, LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isOnOneWay, isRead, isTest, nodesOf, writeOf, type Write } from './shared-state.ts';
import type { StateRace } from './state-races.ts';

/**
 * Where a function changes shared state for what comes after a wait, so that others see it, or change it, meanwhile: it is
 * looked at again (`id = next; await …; use(id)`), taken back (`process.chdir`), or says that all is done before it is.
 *
 * @param waits the calls in the function that are awaited from now on
 * @param isReading whether these calls change nothing
 */
export function splitStates(
  module: LoopModule,
  fn: FunctionNode,
  waits: readonly TSESTree.Node[],
  isReading: boolean,
): StateRace[] {
  const { text } = module.view;
  const own = nodesOf(fn);
  const textOf = (node: TSESTree.Node): string => text.slice(...node.range);
  const writes = own.flatMap((node) => writeOf(module, fn, node));
  // What is asked of a database comes after all that was asked before, whoever asks.
  const opens = ({ values }: Write): boolean =>
    values.some((value) => value.type === 'NewExpression' && module.rowOf(value)?.row.sqlite === 'open');
  const changes = writes.filter((write) => isOfOne(write) && !opens(write));
  return changes.flatMap((write): StateRace[] => {
    const { node, target } = write;
    const behind = waits.filter((each) => each.range[0] >= node.range[1] && isOnOneWay(node, each, fn));
    const [wait] = behind;
    if (!wait) return [];
    const later = writes.filter((each) => each.node.range[1] >= wait.range[1]);
    const again = later.filter(
      (each) => each.target === target && isPlain(each) && each.node.range[0] >= wait.range[1],
    );
    const seen = own.filter(
      (each) =>
        each.range[0] >= wait.range[1] &&
        isRead(each, target, textOf) &&
        !isCounted(each) &&
        !again.some((other) => other.node.range[1] <= each.range[0]),
    );
    const race = (isLost: boolean, until = Infinity): StateRace[] => {
      const isBetween = ({ range: [start] }: TSESTree.Node): boolean =>
        start > node.range[1] && start < until;
      // Where the function waits already, others came in between before.
      const isParted = own.some(
        (each) => each.type === 'AwaitExpression' && isBetween(each) && isOnOneWay(node, each, fn),
      );
      return isParted ? [] : [{ node, isLost, waits: behind.filter(isBetween) }];
    };
    if (seen.length > 0) return race(true, seen.at(-1)?.range[0]);
    if (!isPlain(write)) return [];
    const isTested = own.some(
      (each) => each.range[0] < node.range[0] && isRead(each, target, textOf) && isTest(each, fn),
    );
    if (isTested && (!isReading || later.length > 0)) return race(true);
    if (again.length === 0) return [];
    const isSign = [write, ...again].every(isLiteral) && !target.startsWith('process.');
    return race(!isSign, again.at(-1)?.node.range[0]);
  });
}

/** One thing, and not one of many by a key: `count`, and neither `open[id]` nor what `set(id, …)` changes. */
function isOfOne({ node, target }: Write): boolean {
  if (target.startsWith('process.')) return true;
  const changed =
    node.type === 'AssignmentExpression'
      ? node.left
      : node.type === 'UpdateExpression' || node.type === 'UnaryExpression'
        ? node.argument
        : undefined;
  return changed !== undefined && !(changed.type === 'MemberExpression' && changed.computed);
}

/** It forgets what was there before. */
const isPlain = ({ node }: Write): boolean =>
  node.type === 'AssignmentExpression' ? node.operator === '=' : node.type !== 'UpdateExpression';

/** `saving = true`, `state = 'idle'`: that others see it in between is what it is for. */
const isLiteral = ({ values }: Write): boolean =>
  values.every(({ type }) => type === 'Literal' || type === 'UnaryExpression');

/** `depth--`, `size += n` */
const isCounted = ({ parent }: TSESTree.Node): boolean =>
  parent?.type === 'UpdateExpression' || parent?.type === 'AssignmentExpression';
