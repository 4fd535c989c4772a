import type { TSESTree } from '@typescript-eslint/utils';
import { valueOfCall } from './call-values.ts';
import type { Callees } from './callee.ts';
import { valueOfComparison, valueOfLogical } from './condition-values.ts';
import { definitionsOf, type Definitions, type Env } from './definitions.ts';
import { valueOfMember, valueOfObject } from './member-values.ts';
import { isStatic, thisOwner, type ModuleIndex } from './module-index.ts';
import { bareExpression, isClass } from './nodes.ts';
import { handsOptionOn, isDetaching } from './option-names.ts';
import { asksPlatform } from './platform.ts';
import { absent, either, maybe, no, not, platform, shortened, unknown, yes, type Value } from './value.ts';
import type { ValueReader } from './value-reader.ts';
import { valueOfVariable } from './variable-values.ts';

/** Reads values of one module. */
export interface Values extends Definitions {
  /** The value of an expression, or of the member of it that the path names, as a condition. */
  at(node: TSESTree.Node, path: readonly string[], env?: Env): Value;
}

/** Enough for real options, little enough for a bundle's longest chains. */
const maximumSteps = 2000;

/** The reader of one module. */
export function valuesOf(index: ModuleIndex, callees: Callees): Values {
  const { text } = index.view;
  const source = (node: TSESTree.Node) => text.slice(...node.range);
  const active = new Map<unknown, Set<string>>();
  let steps = 0;
  const definitions = definitionsOf(index, callees);
  const reader: ValueReader = { index, callees, definitions, read, said, source, guarded };

  function at(node: TSESTree.Node, path: readonly string[], env?: Env): Value {
    steps = 0;
    return read(node, path, env);
  }

  function read(node: TSESTree.Node, path: readonly string[], env: Env | undefined): Value {
    steps += 1;
    if (steps > maximumSteps) return unknown;
    const bare = bareExpression(node);
    switch (bare.type) {
      case 'Identifier':
        return ofIdentifier(bare, path, env);
      case 'MemberExpression':
        return ofMember(bare, path, env);
      case 'ThisExpression':
        return path.length === 0 ? yes : ofThis(bare, path, env);
      case 'ObjectExpression':
        return path.length === 0 ? yes : valueOfObject(reader, bare, path, env);
      case 'ConditionalExpression':
        return either(
          read(bare.test, [], env),
          read(bare.consequent, path, env),
          read(bare.alternate, path, env),
          () => source(bare.test),
        );
      case 'LogicalExpression':
        return valueOfLogical(reader, bare, path, env);
      case 'AwaitExpression':
        return read(bare.argument, path, env);
      case 'AssignmentExpression':
        return bare.operator === '=' ? read(bare.right, path, env) : unknown;
      case 'CallExpression':
        return valueOfCall(reader, bare, path, env);
      case 'NewExpression':
        return ofNew(bare, path, env);
      case 'Literal':
        if (bare.value === null && !('regex' in bare)) return absent;
        return path.length > 0 ? absent : bare.value ? yes : no;
      case 'UnaryExpression':
        if (bare.operator === 'void') return absent;
        return path.length === 0 && bare.operator === '!' ? not(read(bare.argument, [], env)) : unknown;
      case 'BinaryExpression':
        return path.length === 0 ? valueOfComparison(reader, bare, env) : absent;
      case 'ArrayExpression':
      case 'TemplateLiteral':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return path.length === 0 ? yes : absent;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return path.length === 0 ? yes : valueOfMember(reader, bare, path, bare, env, true);
      default:
        return unknown;
    }
  }

  /** What an option's own property or assignment says; what it says about is decided at run time if not here. */
  function said(place: TSESTree.Node, value: TSESTree.Node, env: Env | undefined): Value {
    const found = read(value, [], env);
    const told =
      found.is === 'unknown' && !handsOptionOn(value)
        ? { ...found, ...maybe(source(value)), through: found.through }
        : found;
    if (!told.cause) return { ...told, cause: place, origin: told.origin ?? 'inline' };
    // A parameter's default decides, but what a reader changes is the option.
    if (told.origin === 'parameter') return { ...told, cause: place };
    // So is a flag of another name that decides about `detached`, unless a caller gives it.
    if (!isDetaching(place) || handsOptionOn(value)) return told;
    if (env && read(value, [], undefined).cause !== told.cause) return told;
    const shown = told.is === 'maybe' ? { ...told, why: shortened(source(value)) } : told;
    return { ...shown, cause: place, origin: 'inline' };
  }

  function ofMember(node: TSESTree.MemberExpression, path: readonly string[], env: Env | undefined): Value {
    const key = index.keyOf(node);
    if (key === undefined) return ofAnyMember(node, path, env);
    const value = read(node.object, [key, ...path], env);
    return value.is === 'unknown' && path.length === 0 && asksPlatform(node) ? platform : value;
  }

  /** `modes[name]`: whichever member of an object that is written out. */
  function ofAnyMember(
    node: TSESTree.MemberExpression,
    path: readonly string[],
    env: Env | undefined,
  ): Value {
    const { node: object, env: inner } = definitions.definitionOf(node.object, env);
    if (object.type !== 'ObjectExpression') return unknown;
    const values = object.properties.flatMap((property) =>
      property.type === 'Property' ? [read(property.value, path, inner)] : [],
    );
    return values.reduce(
      (one, other) => either(unknown, one, other, () => source(node)),
      values[0] ?? unknown,
    );
  }

  function ofIdentifier(node: TSESTree.Identifier, path: readonly string[], env: Env | undefined): Value {
    const variable = index.variableOf(node);
    if (!variable) {
      if (node.name === 'undefined') return absent;
      return path.length === 0 && asksPlatform(node) ? platform : unknown;
    }
    const value = guarded(variable, path, () => valueOfVariable(reader, variable, path, node, env));
    return value.is === 'unknown' && path.length === 0 && asksPlatform(node) ? platform : value;
  }

  /** Reads something once at a time: what depends on itself is unknown. */
  function guarded(subject: unknown, path: readonly string[], body: () => Value): Value {
    const paths = active.get(subject) ?? new Set();
    active.set(subject, paths);
    const key = path.join('.');
    const depth = [...paths].filter((entry) => entry.startsWith(`${key}#`)).length;
    // A factory inside a factory reads the same parameter twice.
    if (depth > 3) return unknown;
    const entry = `${key}#${String(depth)}`;
    paths.add(entry);
    const value = body();
    paths.delete(entry);
    return value;
  }

  function ofThis(use: TSESTree.ThisExpression, path: readonly string[], env: Env | undefined): Value {
    return valueOfMember(reader, thisOwner(use), path, use, env, isStatic(use));
  }

  function ofNew(node: TSESTree.NewExpression, path: readonly string[], env: Env | undefined): Value {
    if (path.length === 0) return yes;
    const meaning = callees.meaningOf(node);
    return meaning?.is === 'instance' && isClass(meaning.node)
      ? valueOfMember(reader, meaning.node, path, node, env, false)
      : unknown;
  }

  return { at, ...definitions };
}
