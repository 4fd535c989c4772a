import type { TSESTree } from '@typescript-eslint/utils';
import type { Callees } from './callee.ts';
import { invocationOf } from './invocation.ts';
import type { ModuleIndex, Variable } from './module-index.ts';
import { bareExpression, lastName, type CallNode, type FunctionNode } from './nodes.ts';
import { bindingOf, parameterOf } from './pattern.ts';

/** The arguments that a function's parameters hold while its body is read. */
export interface Env {
  fn: FunctionNode;
  args: readonly TSESTree.Node[];
  /** Whether more arguments may follow. */
  open: boolean;
  /** Where the arguments themselves are read. */
  outer: Env | undefined;
}

/** An expression, and the arguments under which it is read. */
export interface Definition {
  node: TSESTree.Node;
  env: Env | undefined;
}

/** Follows names to the expressions that they hold. */
export interface Definitions {
  /** The expression that a name or a parameter holds, as far as there is exactly one. */
  definitionOf(node: TSESTree.Node, env?: Env): Definition;
  /** The expressions that a name may hold: all that are assigned to it, both sides of a choice, all returns. */
  alternativesOf(node: TSESTree.Node, env?: Env): Definition[];
  /** What a text is put together from, step by step: `line = 'a'; line += ' &'`. */
  piecesOf(node: TSESTree.Node): TSESTree.Node[] | undefined;
  /** What is added to a list after it is made: `list.push(a, b)`. */
  pushedTo(node: TSESTree.Node): TSESTree.Node[];
  /** The elements of a list that is written out: `[a, b]`, `Object.values({ a, b })`. */
  elementsOf(node: TSESTree.Node, env?: Env): Definition[] | undefined;
}

/** The frame of a function among those that are open. */
export function frameOf(fn: FunctionNode, env: Env | undefined): Env | undefined {
  let frame = env;
  while (frame && frame.fn !== fn) frame = frame.outer;
  return frame;
}

/** The arguments of a call as its function sees them. */
export function envOf(fn: FunctionNode, call: CallNode, outer: Env | undefined): Env {
  const { args, open } = invocationOf(call);
  return { fn, args, open, outer };
}

/** The definitions of one module. */
export function definitionsOf(index: ModuleIndex, callees: Callees): Definitions {
  function definitionOf(node: TSESTree.Node, env?: Env, steps = 8): Definition {
    let here = { node: bareExpression(node), env };
    for (let left = steps; left > 0; left--) {
      const next = definitionStep(here.node, here.env, left);
      if (!next) return here;
      here = { node: bareExpression(next.node), env: next.env };
    }
    return here;
  }

  function alternativesOf(node: TSESTree.Node, env?: Env, depth = 4): Definition[] {
    const found = definitionOf(node, env);
    const next = depth > 0 ? choicesOf(found) : undefined;
    if (!next || next.length > 8) return [found];
    return next.flatMap((choice) => alternativesOf(choice.node, choice.env, depth - 1));
  }

  function choicesOf({ node, env }: Definition): Definition[] | undefined {
    const here = (each: TSESTree.Node): Definition => ({ node: each, env });
    if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].map(here);
    if (node.type === 'LogicalExpression') return [node.left, node.right].map(here);
    if (node.type === 'Identifier') return assignedTo(node)?.map(here);
    if (node.type !== 'CallExpression') return undefined;
    const fns =
      node.callee.type === 'Identifier'
        ? (assignedTo(node.callee) ?? [node.callee]).map((callee) => callees.meaningOf(callee))
        : [callees.meaningOf(node.callee)];
    const made = fns.flatMap((fn) =>
      fn?.is === 'function'
        ? index.returnsOf(fn.node).map((each) => ({ node: each, env: envOf(fn.node, node, env) }))
        : [],
    );
    return made.length > 0 ? made : undefined;
  }

  function elementsOf(node: TSESTree.Node, env?: Env): Definition[] | undefined {
    const { node: list, env: inner } = definitionOf(node, env);
    const [table] =
      list.type === 'CallExpression' && lastName(list.callee) === 'values' ? list.arguments : [];
    if (table) return propertiesOf(definitionOf(table, inner));
    if (list.type !== 'ArrayExpression') return undefined;
    return list.elements.flatMap((each) =>
      each && each.type !== 'SpreadElement' ? { node: each, env: inner } : [],
    );
  }

  /** What is assigned to a variable as a whole, with a plain `=`. */
  function assignedTo(node: TSESTree.Identifier): TSESTree.Node[] | undefined {
    const variable = index.variableOf(node);
    if (variable?.defs[0]?.type !== 'Variable' || variable.references.some(isAppended)) return undefined;
    const writes = variable.references.flatMap(({ identifier, writeExpr }) =>
      writeExpr && bindingOf(index, identifier)?.path.length === 0 ? [writeExpr] : [],
    );
    return writes.length > 0 ? writes : undefined;
  }

  function piecesOf(node: TSESTree.Node): TSESTree.Node[] | undefined {
    const { references } = (node.type === 'Identifier' && index.variableOf(node)) || { references: [] };
    if (!references.some(isAppended)) return undefined;
    const writes = references.filter(({ writeExpr }) => writeExpr);
    // Of several texts that it may start with, the last one that is set.
    const start = Math.max(
      0,
      writes.findLastIndex((reference) => !isAppended(reference)),
    );
    return writes.slice(start).flatMap(({ writeExpr }) => writeExpr ?? []);
  }

  function pushedTo(node: TSESTree.Node): TSESTree.Node[] {
    const variable = node.type === 'Identifier' ? index.variableOf(node) : undefined;
    return (variable?.references ?? []).flatMap(({ identifier: { parent } }) => {
      const isPush = parent.type === 'MemberExpression' && lastName(parent) === 'push';
      const call = isPush ? parent.parent : undefined;
      return call?.type === 'CallExpression' && call.callee === parent ? call.arguments : [];
    });
  }

  function definitionStep(node: TSESTree.Node, env: Env | undefined, left: number): Definition | undefined {
    if (node.type === 'AwaitExpression') return { node: node.argument, env };
    if (node.type === 'MemberExpression') return elementOf(node, definitionOf(node.object, env, left >> 1));
    if (node.type === 'CallExpression') {
      const fn = callees.functionOf(node);
      const returns = fn ? index.returnsOf(fn) : [];
      return fn && returns[0] && returns.length === 1
        ? { node: returns[0], env: envOf(fn, node, env) }
        : undefined;
    }
    if (node.type !== 'Identifier') return undefined;
    const variable = index.variableOf(node);
    const [def] = variable?.defs ?? [];
    if (!variable || !def) return undefined;
    const binding = bindingOf(index, def.name);
    if (!binding || binding.path.length > 0) return undefined;
    if (def.type === 'Variable') {
      const writes = variable.references.filter((reference) => reference.isWrite());
      const write = writes.length === 1 ? writes[0]?.writeExpr : undefined;
      return write ? { node: write, env } : undefined;
    }
    if (def.type !== 'Parameter') return undefined;
    const place = parameterOf(binding.top);
    const frame = place && frameOf(place.fn, env);
    const arg = frame ? frame.args[place.position] : undefined;
    if (frame && arg) return { node: arg, env: frame.outer };
    return binding.fallback ? { node: binding.fallback, env: undefined } : undefined;
  }

  return { definitionOf, alternativesOf, piecesOf, pushedTo, elementsOf };
}

/** `line += …`. */
const isAppended = ({ identifier: { parent } }: Variable['references'][number]): boolean =>
  parent.type === 'AssignmentExpression' && parent.operator === '+=';

function propertiesOf({ node, env }: Definition): Definition[] | undefined {
  if (node.type !== 'ObjectExpression') return undefined;
  return node.properties.flatMap((each) => (each.type === 'Property' ? { node: each.value, env } : []));
}

/** `list[0]`. */
function elementOf(node: TSESTree.MemberExpression, { node: list, env }: Definition): Definition | undefined {
  const at = node.property.type === 'Literal' ? node.property.value : undefined;
  const element = list.type === 'ArrayExpression' && typeof at === 'number' ? list.elements[at] : undefined;
  return element && element.type !== 'SpreadElement' ? { node: element, env } : undefined;
}
