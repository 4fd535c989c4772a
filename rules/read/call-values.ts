import type { TSESTree } from '@typescript-eslint/utils';
import { conditionAround } from './conditions.ts';
import { envOf, type Env } from './definitions.ts';
import { lastName, literalText, type FunctionNode } from './nodes.ts';
import { asksPlatform } from './platform.ts';
import {
  absent,
  carriedBy,
  either,
  isTrueSomewhere,
  maybe,
  not,
  otherwise,
  platform,
  unknown,
  type Value,
} from './value.ts';
import type { ValueReader } from './value-reader.ts';
import { firstWins, layered, nameOf } from './writes.ts';

/** `Object.assign`, `_.merge` and what compilers make of spreads: the last one that says something wins. */
const lastWins =
  /^_*(assign|assignIn|extend|extends|merge\w*|objectSpread\d*|spread(Props|Values)|objectAssign|deepmerge|deepMerge)\d*$/;
const handsBack = /^(freeze|seal|preventExtensions|clone|cloneDeep|structuredClone|resolve)$/;

/** What a call gives. */
export function valueOfCall(
  reader: ValueReader,
  call: TSESTree.CallExpression,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const { callees, read, source } = reader;
  const fn = callees.functionOf(call);
  if (fn) return carriedBy(returnedValue(reader, fn, path, envOf(fn, call, env)), 'factory');
  const name = lastName(call.callee) ?? '';
  const [first] = call.arguments;
  if (path.length === 0) {
    if (name === 'Boolean' && first) return read(first, [], env);
    return asksPlatform(call) ? platform : unknown;
  }
  const args = call.arguments.filter((arg) => arg.type !== 'SpreadElement');
  if (lastWins.test(name)) {
    return args.map((arg) => carriedBy(read(arg, path, env), 'spread')).reduce(layered, absent);
  }
  if (firstWins.test(name)) {
    return args.map((arg) => carriedBy(read(arg, path, env), 'spread')).reduce(otherwise, absent);
  }
  if (handsBack.test(name) && first) return read(first, path, env);
  if ((name === 'omit' || name === 'pick') && first) return filtered(reader, call, name, path, env);
  // A helper out of sight may hand on what it is given.
  const given = args.map((arg) => read(arg, path, env)).find(isTrueSomewhere);
  return given ? { ...given, ...maybe(source(call.callee)), through: given.through } : unknown;
}

/** What a function gives back. */
export function returnedValue(
  reader: ValueReader,
  fn: FunctionNode,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const { index, read, source, guarded } = reader;
  return guarded(fn, path, () => {
    const returns = index.returnsOf(fn).toSorted((a, b) => a.range[0] - b.range[0]);
    return (
      returns.reduceRight<Value | undefined>((after, node) => {
        const value = read(node, path, env);
        if (!after) return value;
        const condition = conditionAround(node, fn);
        const test = condition?.test ? read(condition.test, [], env) : unknown;
        return either(condition?.negated ? not(test) : test, value, after, () =>
          condition?.test ? source(condition.test) : nameOf(fn),
        );
      }, undefined) ?? unknown
    );
  });
}

/** lodash's `omit` and `pick` with literal names. */
function filtered(
  reader: ValueReader,
  call: TSESTree.CallExpression,
  name: string,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const [object, ...keys] = call.arguments;
  const names = keys.flatMap((key) => (key.type === 'ArrayExpression' ? key.elements : [key]));
  const named = names.some((key) => key !== null && literalText(key) === path[0]);
  return object && named === (name === 'pick') ? reader.read(object, path, env) : absent;
}
