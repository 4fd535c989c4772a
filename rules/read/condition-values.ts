import type { TSESTree } from '@typescript-eslint/utils';
import type { Env } from './definitions.ts';
import { bareExpression, literalText } from './nodes.ts';
import { asksPlatform } from './platform.ts';
import { absent, and, either, no, not, or, otherwise, platform, unknown, yes, type Value } from './value.ts';
import type { ValueReader } from './value-reader.ts';

/** What a comparison tells, as a condition. */
export function valueOfComparison(
  reader: ValueReader,
  node: TSESTree.BinaryExpression,
  env: Env | undefined,
): Value {
  const { read } = reader;
  const equal = /^={2,3}$/.test(node.operator);
  // `!process.platform === 'win32'` compares a boolean with a text.
  if (isNegation(node.left) && literalText(node.right) !== undefined) return equal ? no : unknown;
  if (asksPlatform(node)) return platform;
  if (!equal && !/^!={1,2}$/.test(node.operator)) return unknown;
  const literal = bareExpression(node.right);
  if (literal.type !== 'Literal' || typeof literal.value !== 'boolean') return unknown;
  const value = read(node.left, [], env);
  const wanted = equal === literal.value;
  // `x !== false` is true unless somebody says false.
  if (!literal.value) return wanted ? otherwise(value, yes) : not(otherwise(value, yes));
  return wanted ? value : not(value);
}

/** What `&&`, `||` and `??` give, or the member of it that the path names. */
export function valueOfLogical(
  reader: ValueReader,
  node: TSESTree.LogicalExpression,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const { read, source } = reader;
  const right = () => read(node.right, path, env);
  if (path.length === 0) {
    const left = read(node.left, [], env);
    if (node.operator === '&&') return and(left, right());
    return node.operator === '||' ? or(left, right()) : otherwise(left, right());
  }
  if (node.operator === '&&')
    return either(read(node.left, [], env), right(), absent, () => source(node.left));
  return otherwise(read(node.left, path, env), right());
}

const isNegation = (node: TSESTree.Node): boolean => {
  const bare = bareExpression(node);
  return bare.type === 'UnaryExpression' && bare.operator === '!';
};
