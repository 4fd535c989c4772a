import type { TSESTree } from '@typescript-eslint/utils';
import { conditionOf, isConstructor } from './conditions.ts';
import type { Env } from './definitions.ts';
import type { MemberWrite, ModuleIndex, Variable } from './module-index.ts';
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

/** A write to a variable or to a member of it. */
export interface Change {
  node: TSESTree.Node;
  /** What is written, given what was there. */
  value: (before: Value) => Value;
  operator: string;
}

/** How the values of one module are read. */
export interface Reading {
  read: (node: TSESTree.Node, path: readonly string[], env: Env | undefined) => Value;
  /** What an option's own property or assignment says. */
  said: (place: TSESTree.Node, value: TSESTree.Node, env: Env | undefined) => Value;
  source: (node: TSESTree.Node) => string;
  /** Reads something once at a time: what depends on itself is unknown. */
  guarded: (subject: unknown, path: readonly string[], body: () => Value) => Value;
}

/** What has been written by the time a value is used. */
export interface Writes {
  /** The value of a variable's member where it is used, after everything that is written to it before. */
  afterWrites: (
    variable: Variable,
    initial: Value,
    path: readonly string[],
    use: TSESTree.Node,
    env: Env | undefined,
  ) => Value;
  memberChanges: (writes: readonly MemberWrite[], path: readonly string[], env: Env | undefined) => Change[];
  /** A state after a change, as far as the change comes before the use. */
  changed: (state: Value, change: Change, use: TSESTree.Node, env: Env | undefined) => Value;
  /** Under which condition a change has happened when the use is reached; undefined where it never has. */
  guardOf: (
    change: TSESTree.Node,
    use: TSESTree.Node,
    env: Env | undefined,
  ) => { test?: Value; source: () => string } | undefined;
}

/** `_.defaults`: the first one that says something wins. */
export const firstWins = /^(defaults|defaultsDeep|applyDefaults|withDefaults)$/;

/** One layer over another, as spreads and `Object.assign` do it. */
export function layered(under: Value, over: Value): Value {
  if (over.absent) return under;
  if (over.is !== 'unknown') return over;
  return isTrueSomewhere(under) ? under : over;
}

/** The writes of one module. */
export function writesOf(index: ModuleIndex, { read, said, source }: Reading): Writes {
  function afterWrites(
    variable: Variable,
    initial: Value,
    path: readonly string[],
    use: TSESTree.Node,
    env: Env | undefined,
  ): Value {
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
      ...memberChanges(index.memberWrites(variable), path, env),
    ].sort((a, b) => a.node.range[0] - b.node.range[0]);
    for (const change of changes) state = changed(state, change, use, env);
    return state;
  }

  function memberChanges(
    writes: readonly MemberWrite[],
    path: readonly string[],
    env: Env | undefined,
  ): Change[] {
    return writes.flatMap(({ node, path: at }): Change[] => {
      if (at.length > path.length || at.some((key, depth) => path[depth] !== key)) return [];
      const rest = path.slice(at.length);
      if (node.type === 'UnaryExpression')
        return rest.length === 0 ? [{ node, value: () => absent, operator: '=' }] : [];
      if (node.type === 'CallExpression') {
        return rest.length === 0
          ? []
          : [{ node, value: (before) => mergedInto(before, node, rest, env), operator: '=' }];
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
    before: Value,
    call: TSESTree.CallExpression,
    path: readonly string[],
    env: Env | undefined,
  ): Value {
    const keepsFirst = firstWins.test(lastName(call.callee) ?? '');
    return call.arguments.slice(1).reduce((state, arg) => {
      const value = carriedBy(read(arg, path, env), 'assignment');
      return keepsFirst ? otherwise(state, value) : layered(state, value);
    }, before);
  }

  function changed(state: Value, change: Change, use: TSESTree.Node, env: Env | undefined): Value {
    const guard = guardOf(change.node, use, env);
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

  function guardOf(
    change: TSESTree.Node,
    use: TSESTree.Node,
    env: Env | undefined,
  ): { test?: Value; source: () => string } | undefined {
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

  return { afterWrites, memberChanges, changed, guardOf };
}

/** The name of a function in a message. */
export function nameOf(fn: FunctionNode): string {
  const { parent } = fn;
  const named = 'key' in parent ? lastName(parent.key) : undefined;
  return fn.id?.name ?? named ?? 'a callback';
}
