import type { TSESTree } from '@typescript-eslint/utils';
import { frameOf, type Env } from './definitions.ts';
import { bareExpression, lastName, type FunctionNode } from './nodes.ts';
import { bindingOf, parameterOf } from './pattern.ts';
import {
  absent,
  carriedBy,
  either,
  isTrueSomewhere,
  otherwise,
  throughParameter,
  unknown,
  type Value,
} from './value.ts';
import type { ValueReader } from './value-reader.ts';

/** What a parameter holds: what the call that entered its function gave, else its default. */
export function valueOfParameter(
  reader: ValueReader,
  name: TSESTree.Node,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const { index, read } = reader;
  const binding = bindingOf(index, name);
  const place = binding && parameterOf(binding.top);
  if (!binding || !place) return unknown;
  if (path[0] !== undefined && binding.without?.includes(path[0])) return absent;
  const fallback = (): Value => {
    if (!binding.fallback) return absent;
    const value = read(binding.fallback, path, undefined);
    if (!isTrueSomewhere(value)) return value;
    return { ...value, cause: value.cause ?? binding.top, origin: 'parameter' };
  };
  const frame = frameOf(place.fn, env);
  if (!frame) {
    const list = place.position === 0 ? listOver(place.fn) : undefined;
    const each = list && valueOfEach(reader, list, [...binding.path, ...path], env);
    return otherwise(each ?? throughParameter(place.fn), fallback());
  }
  const arg = frame.args[place.position];
  if (!arg) return frame.open ? unknown : fallback();
  return otherwise(read(arg, [...binding.path, ...path], frame.outer), fallback());
}

/** The value in all elements of a list, one of which it is. */
export function valueOfEach(
  reader: ValueReader,
  list: TSESTree.Node,
  path: readonly string[],
  env: Env | undefined,
): Value | undefined {
  const { definitions, read, source } = reader;
  const values = definitions.elementsOf(list, env)?.map((each) => read(each.node, path, each.env));
  const value = values?.reduce(
    (one, other) => either(unknown, one, other, () => source(list)),
    values[0] ?? unknown,
  );
  return value && carriedBy(value, 'other');
}

/** The list whose elements a callback is called with: `list.map((each) => …)`. */
function listOver(fn: FunctionNode): TSESTree.Node | undefined {
  const { parent } = fn;
  if (parent.type !== 'CallExpression' || parent.arguments[0] !== fn) return undefined;
  const callee = bareExpression(parent.callee);
  return callee.type === 'MemberExpression' &&
    /^(map|forEach|flatMap|filter|find|some|every)$/.test(lastName(callee) ?? '')
    ? callee.object
    : undefined;
}
