import type { TSESTree } from '@typescript-eslint/utils';
import { returnedValue } from './call-values.ts';
import type { Env } from './definitions.ts';
import type { ThisOwner } from './module-index.ts';
import { functionAround, isClass, isFunction, lastName, type FunctionNode } from './nodes.ts';
import { valueOfParameter } from './parameter-values.ts';
import { absent, carriedBy, either, unknown, type Value } from './value.ts';
import type { ValueReader } from './value-reader.ts';
import { changed, guardOf, layered, memberChanges, type Change } from './writes.ts';

/**
 * What the member that the path names is of an object or a class, seen from `use`.
 * @param ofClass whether it is a member of the class itself, not of its instances
 */
export function valueOfMember(
  reader: ValueReader,
  owner: ThisOwner,
  path: readonly string[],
  use: TSESTree.Node,
  env: Env | undefined,
  ofClass: boolean,
): Value {
  const { index, callees, guarded } = reader;
  return guarded(owner, path, () => {
    const [key, ...rest] = path;
    const root = ofClass && isClass(owner) && owner.id ? index.variableOf(owner.id) : owner;
    let state = initialMember(reader, owner, key, rest, env, ofClass);
    if (state === unknown && isClass(owner) && owner.superClass) {
      const base = callees.meaningOf(owner.superClass);
      if (base?.is === 'class') state = valueOfMember(reader, base.node, path, use, env, ofClass);
    }
    let told = state !== unknown;
    for (const change of memberChanges(reader, root ? index.memberWrites(root) : [], path, env)) {
      // Without an initial value the first method that writes is what is known.
      state = told ? changed(reader, state, change, use, env) : guardedFirst(reader, change, use);
      told ||= state !== unknown;
    }
    return carriedBy(state, 'other');
  });
}

/** The member that the path names of an object that is written out. */
export function valueOfObject(
  reader: ValueReader,
  object: TSESTree.ObjectExpression,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const { index, read, said } = reader;
  const [key, ...rest] = path;
  let state = absent;
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') {
      state = layered(state, carriedBy(read(property.argument, path, env), 'spread'));
    } else if (index.keyOf(property) === key) {
      state =
        property.kind === 'get'
          ? returnedValue(reader, property.value as FunctionNode, rest, undefined)
          : rest.length > 0
            ? read(property.value, rest, env)
            : said(property, property.value, env);
    }
  }
  return state;
}

function initialMember(
  reader: ValueReader,
  owner: ThisOwner,
  key: string | undefined,
  rest: readonly string[],
  env: Env | undefined,
  ofClass: boolean,
): Value {
  const { index, read, said } = reader;
  if (owner.type === 'ObjectExpression') return valueOfObject(reader, owner, [key ?? '', ...rest], env);
  if (!isClass(owner)) return unknown;
  for (const element of owner.body.body) {
    if (element.type === 'MethodDefinition' && element.kind === 'constructor' && !ofClass) {
      const param = element.value.params.find(
        (each) => each.type === 'TSParameterProperty' && lastName(defaulted(each.parameter)) === key,
      );
      if (param?.type !== 'TSParameterProperty') continue;
      return valueOfParameter(reader, defaulted(param.parameter), rest, env);
    }
    if (!('static' in element) || element.static !== ofClass || index.keyOf(element) !== key) continue;
    if (element.type === 'PropertyDefinition') {
      if (!element.value) return unknown;
      return rest.length > 0 ? read(element.value, rest, env) : said(element, element.value, env);
    }
    if (element.type === 'MethodDefinition' && element.kind === 'get' && isFunction(element.value)) {
      return returnedValue(reader, element.value, rest, undefined);
    }
  }
  return unknown;
}

/** The state after the first write to a member of which nothing says what it was before. */
function guardedFirst(reader: ValueReader, change: Change, use: TSESTree.Node): Value {
  const guard = guardOf(reader, change.node, use, undefined);
  if (!guard) return unknown;
  const written = change.value(unknown);
  if (!guard.test || functionAround(change.node) !== functionAround(use)) {
    return guard.test && guard.test.is !== 'unknown'
      ? either(guard.test, written, absent, guard.source)
      : written;
  }
  return either(guard.test, written, unknown, guard.source);
}

const defaulted = (node: TSESTree.Node) => (node.type === 'AssignmentPattern' ? node.left : node);
