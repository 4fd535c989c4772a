import { isFunction, isInside, type FunctionNode, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isOnOneWay, isRead, isTest, nodesIn, nodesOf, writeOf } from './shared-state.ts';

/** A change of state that others share, after a look at it, with a wait in between. */
export interface StateRace {
  node: TSESTree.Node;
  /** The change is made of what was seen, or hangs on it: it would undo what others did meanwhile. */
  isLost: boolean;
  /** The calls between both that would be waited for. */
  waits: readonly TSESTree.Node[];
}

/**
 * Where a function would change shared state by what it saw before a wait.
 *
 * @param waits the calls in the function that are awaited from now on
 */
export function stateRaces(
  module: LoopModule,
  fn: FunctionNode,
  waits: readonly TSESTree.Node[],
): StateRace[] {
  const { text } = module.view;
  const own = nodesOf(fn);
  const textOf = (node: TSESTree.Node): string => text.slice(...node.range);
  const races: StateRace[] = [];
  for (const { node, target, values } of own.flatMap((each) => writeOf(module, fn, each))) {
    // `count++` looks and changes at once.
    if (values.length === 0) continue;
    const inside = waits.filter((wait) => values.some((value) => isInside(wait, value)));
    const isCompound =
      node.type === 'AssignmentExpression' &&
      node.operator !== '=' &&
      !/^(\?\?|\|\||&&)=$/.test(node.operator);
    if (
      inside.length > 0 &&
      (isCompound || values.some((value) => mentionsBefore(value, target, inside[0])))
    ) {
      races.push({ node, isLost: true, waits: inside });
      continue;
    }
    // `cache ??= await load()` has looked at it by then, and only fills it.
    if (inside.length > 0 && node.type === 'AssignmentExpression' && node.operator !== '=')
      races.push({ node, isLost: false, waits: inside });
    const before = waits.filter((wait) => wait.range[0] < node.range[1] && isOnOneWay(wait, node, fn));
    const last = before.at(-1);
    if (!last) continue;
    const seen = own.filter(
      (each) => isRead(each, target, textOf) && each.range[0] < last.range[0] && !isInside(each, node),
    );
    if (seen.length === 0 || alreadyWaits(own, seen, node)) continue;
    const tainted = new Set(seen.flatMap((each) => declared(each)));
    const uses = values.some((value) => names(value).some((name) => tainted.has(name)));
    const isFilled = inside.length > 0 || values.some((value) => comesFrom(own, value, waits));
    const isTested = seen.some((each) => isTest(each, fn));
    const [from = 0] = seen.map(({ range }) => range[0]);
    const between = before.filter(({ range }) => range[0] > from);
    races.push({ node, isLost: uses || (isTested && !isFilled), waits: between });
  }
  return races;

  /** `total + await x` has read `total` by then. */
  function mentionsBefore(value: TSESTree.Node, target: string, wait: TSESTree.Node | undefined): boolean {
    return nodesIn(value).some(
      (each) => isRead(each, target, textOf) && wait !== undefined && each.range[0] < wait.range[0],
    );
  }
}

/** The names that are given what a place holds. */
function declared(node: TSESTree.Node): string[] {
  for (let at: TSESTree.Node | undefined = node; at && !isFunction(at); at = at.parent) {
    if (at.type === 'VariableDeclarator') return names(at.id);
    if (at.type.endsWith('Statement')) return [];
  }
  return [];
}

const names = (node: TSESTree.Node): string[] =>
  nodesIn(node).flatMap((each) => (each.type === 'Identifier' ? [each.name] : []));

/** Whether a value is, or is made of, what is waited for. */
function comesFrom(
  own: readonly TSESTree.Node[],
  value: TSESTree.Node,
  waits: readonly TSESTree.Node[],
): boolean {
  const wanted = new Set(names(value));
  // Through a few names: `const text = read(); const data = JSON.parse(text)`.
  for (let step = 0; step < 4; step++) {
    for (const node of own) {
      if (
        node.type !== 'VariableDeclarator' ||
        !node.init ||
        !names(node.id).some((name) => wanted.has(name))
      )
        continue;
      const { init } = node;
      if (waits.some((wait) => isInside(wait, init))) return true;
      for (const name of names(init)) wanted.add(name);
    }
  }
  return false;
}

/** Whether the function waits already between the look and the change. */
function alreadyWaits(
  own: readonly TSESTree.Node[],
  seen: readonly TSESTree.Node[],
  node: TSESTree.Node,
): boolean {
  const from = seen.at(-1)?.range[0] ?? 0;
  return own.some(
    (each) => each.type === 'AwaitExpression' && each.range[0] > from && each.range[1] < node.range[1],
  );
}
