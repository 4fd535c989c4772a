import type { TSESTree } from '@typescript-eslint/utils';
import { conditionOf, isConstructor } from './conditions.ts';
import type { Env } from './definitions.ts';
import type { MemberWrite, Variable } from './module-index.ts';
import { functionAround, isInside, lastName, type FunctionNode } from './nodes.ts';
import { bindingOf } from './pattern.ts';
import {
  absent,
  and,
  carriedBy,
  either,
  isTrueSomewhere,
  not,
  or,
  otherwise,
  unknown,
  type Value,
} from './value.ts';
import type { ValueReader } from './value-reader.ts';

/** A write to a variable or to a member of it. */
export interface Change {
  node: TSESTree.Node;
  /** What is written, given what was there. */
  value: (before: Value) => Value;
  operator: string;
}

/** `_.defaults`: the first one that says something wins. */
export const firstWins = /^(defaults|defaultsDeep|applyDefaults|withDefaults)$/;

/** One layer over another, as spreads and `Object.assign` do it. */
export function layered(under: Value, over: Value): Value {
  if (over.absent) return under;
  if (over.is !== 'unknown') return over;
  return isTrueSomewhere(under) ? under : over;
}

/** The value of a variable's member where it is used, after everything that is written to it before. */
export function afterWrites(
  reader: ValueReader,
  variable: Variable,
  initial: Value,
  path: readonly string[],
  use: TSESTree.Node,
  env: Env | undefined,
): Value {
  const { index, read } = reader;
  const whole = variable.references.flatMap(({ identifier, writeExpr, init }) =>
    writeExpr && !init
      ? [{ node: identifier.parent, path: bindingOf(index, identifier)?.path, right: writeExpr }]
      : [],
  );
  let state = initial;
  const changes = [
    ...whole.map(({ node, path: taken, right }) => ({
      node,
      value: () => (taken ? carriedBy(read(right, [...taken, ...path], env), 'variable') : unknown),
      operator: node.type === 'AssignmentExpression' ? node.operator : '=',
    })),
    ...memberChanges(reader, index.memberWrites(variable), path, env),
  ].sort((a, b) => a.node.range[0] - b.node.range[0]);
  for (const change of changes) state = changed(reader, state, change, use, env);
  return state;
}

/** The changes of a member among the writes to what it is a member of. */
export function memberChanges(
  reader: ValueReader,
  writes: readonly MemberWrite[],
  path: readonly string[],
  env: Env | undefined,
): Change[] {
  const { read, said } = reader;
  return writes.flatMap(({ node, path: at }): Change[] => {
    if (at.length > path.length || at.some((key, depth) => path[depth] !== key)) return [];
    const rest = path.slice(at.length);
    if (node.type === 'UnaryExpression')
      return rest.length === 0 ? [{ node, value: () => absent, operator: '=' }] : [];
    if (node.type === 'CallExpression') {
      return rest.length === 0
        ? []
        : [{ node, value: (before) => mergedInto(reader, before, node, rest, env), operator: '=' }];
    }
    if (at.length === 0) return [];
    const { right } = node;
    const value = (): Value => {
      if (rest.length > 0) return read(right, rest, env);
      const told = said(node, right, env);
      return told.cause === node ? { ...told, origin: 'assignment' } : carriedBy(told, 'assignment');
    };
    return [{ node, value, operator: node.operator }];
  });
}

function mergedInto(
  reader: ValueReader,
  before: Value,
  call: TSESTree.CallExpression,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const keepsFirst = firstWins.test(lastName(call.callee) ?? '');
  return call.arguments.slice(1).reduce((state, arg) => {
    const value = carriedBy(reader.read(arg, path, env), 'assignment');
    return keepsFirst ? otherwise(state, value) : layered(state, value);
  }, before);
}

/** A state after a change, as far as the change comes before the use. */
export function changed(
  reader: ValueReader,
  state: Value,
  change: Change,
  use: TSESTree.Node,
  env: Env | undefined,
): Value {
  const guard = guardOf(reader, change.node, use, env);
  if (!guard) return state;
  const written = change.value(state);
  const after =
    change.operator === '??='
      ? otherwise(state, written)
      : change.operator === '||='
        ? or(state, written)
        : change.operator === '&&='
          ? and(state, written)
          : written;
  return guard.test ? either(guard.test, after, state, guard.source) : after;
}

/** Under which condition a change has happened when the use is reached; undefined where it never has. */
export function guardOf(
  reader: ValueReader,
  change: TSESTree.Node,
  use: TSESTree.Node,
  env: Env | undefined,
): { test?: Value; source: () => string } | undefined {
  const { read, source } = reader;
  const home = functionAround(change);
  const sameRun = home === functionAround(use);
  if (sameRun && change.range[1] > use.range[0]) return undefined;
  const closure = home === undefined || isInside(use, home);
  let test: Value | undefined;
  const sources: TSESTree.Node[] = [];
  for (let at = change; at.parent && at !== home; at = at.parent) {
    const condition = conditionOf(at.parent, at);
    if (!condition) continue;
    if (isInside(use, at.parent)) {
      // The other branch of the same test.
      if (!isInside(use, at) && at.parent.type === 'IfStatement' && !isInside(use, at.parent.test))
        return undefined;
      continue;
    }
    const value = condition.test ? read(condition.test, [], env) : unknown;
    const holds = condition.negated ? not(value) : value;
    test = test ? and(test, holds) : holds;
    sources.push(condition.test ?? at.parent);
  }
  const shown = sources[0];
  const shownSource = () =>
    shown && shown.range[1] - shown.range[0] < 80 ? source(shown) : 'what runs before';
  if (test) return { test, source: shownSource };
  // Constructors run before methods; other functions may or may not have run.
  if (closure || isConstructor(home)) return { source: shownSource };
  return { test: unknown, source: () => `whether \`${nameOf(home)}\` has run` };
}

/** The name of a function in a message. */
export function nameOf(fn: FunctionNode): string {
  const { parent } = fn;
  const named = 'key' in parent ? lastName(parent.key) : undefined;
  return fn.id?.name ?? named ?? 'a callback';
}
