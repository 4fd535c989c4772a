import type { TSESTree } from '@typescript-eslint/utils';
import { bareExpression, calleeOf, lastName, type CallNode } from './nodes.ts';

/** A call as it arrives at the function: `f.call(this, a)` and `Reflect.apply(f, this, [a])` are `f(a)`. */
export interface Invocation {
  target: TSESTree.Node;
  args: readonly TSESTree.Node[];
  /** Whether more arguments follow that cannot be seen (`...args`). */
  open: boolean;
  /** The list that holds them. */
  rest?: TSESTree.Node | undefined;
  /** The last argument, where those before it cannot be counted. */
  tail?: TSESTree.Node | undefined;
}

/**
 * The callee, the arguments, and whether there may be more of them.
 *
 * @param listOf what a name of a list of arguments stands for
 */
export function invocationOf(call: CallNode, listOf: ListOf = (node) => node): Invocation {
  const target = calleeOf(call);
  if (call.type === 'TaggedTemplateExpression') return { target, args: [call.quasi], open: false };
  const given = spreadOut(call.arguments, listOf);
  const { args, open } = given;
  const last = call.arguments.at(-1);
  const tail = open && last?.type !== 'SpreadElement' ? last : undefined;
  if (target.type !== 'MemberExpression') return { target, ...given, tail };
  const [first, , list] = args;
  switch (lastName(target)) {
    case 'call':
      return { target: bareExpression(target.object), ...given, args: args.slice(1) };
    case 'apply':
      return lastName(target.object) === 'Reflect' && first
        ? { target: bareExpression(first), ...listed(list, listOf) }
        : { target: bareExpression(target.object), ...listed(args[1], listOf) };
    default:
      return { target, ...given, tail };
  }
}

type ListOf = (node: TSESTree.Node) => TSESTree.Node;
type Arguments = Pick<Invocation, 'args' | 'open' | 'rest'>;

function listed(node: TSESTree.Node | undefined, listOf: ListOf): Arguments {
  const list = node && listOf(node);
  return list?.type === 'ArrayExpression'
    ? spreadOut(list.elements, listOf)
    : { args: [], open: true, rest: list };
}

function spreadOut(list: readonly (TSESTree.Node | null)[], listOf: ListOf): Arguments {
  const args: TSESTree.Node[] = [];
  for (const item of list) {
    if (!item) return { args, open: true };
    if (item.type === 'SpreadElement') {
      const inner = listed(item.argument, listOf);
      args.push(...inner.args);
      if (inner.open) return { args, open: true, rest: inner.rest };
    } else args.push(item);
  }
  return { args, open: false };
}
