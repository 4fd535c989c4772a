import type { TSESTree } from '@typescript-eslint/utils';
import { callValuesOf } from './call-values.ts';
import type { Callees } from './callee.ts';
import { definitionsOf, frameOf, type Definitions, type Env } from './definitions.ts';
import { isStatic, thisOwner, type ModuleIndex, type Variable } from './module-index.ts';
import { bareExpression, isClass, lastName, literalText, type FunctionNode } from './nodes.ts';
import { handsOptionOn, isDetaching } from './option-names.ts';
import { bindingOf, parameterOf } from './pattern.ts';
import { asksPlatform } from './platform.ts';
import { thisValuesOf } from './this-values.ts';
import {
  absent,
  and,
  carriedBy,
  either,
  isTrueSomewhere,
  maybe,
  no,
  not,
  or,
  otherwise,
  platform,
  shortened,
  throughParameter,
  unknown,
  yes,
  type Value,
} from './value.ts';
import { layered, writesOf } from './writes.ts';

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
  const reading = { read, said, source, guarded };
  const writes = writesOf(index, reading);
  const { ofCall, returned } = callValuesOf(index, callees, reading);
  const ofThisMembers = thisValuesOf(index, callees, reading, writes, { returned }, ofObject, ofParameter);
  const definitions = definitionsOf(index, callees);

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
        return path.length === 0 ? yes : ofObject(bare, path, env);
      case 'ConditionalExpression':
        return either(
          read(bare.test, [], env),
          read(bare.consequent, path, env),
          read(bare.alternate, path, env),
          () => source(bare.test),
        );
      case 'LogicalExpression':
        return ofLogical(bare, path, env);
      case 'AwaitExpression':
        return read(bare.argument, path, env);
      case 'AssignmentExpression':
        return bare.operator === '=' ? read(bare.right, path, env) : unknown;
      case 'CallExpression':
        return ofCall(bare, path, env);
      case 'NewExpression':
        return ofNew(bare, path, env);
      case 'Literal':
        if (bare.value === null && !('regex' in bare)) return absent;
        return path.length > 0 ? absent : bare.value ? yes : no;
      case 'UnaryExpression':
        if (bare.operator === 'void') return absent;
        return path.length === 0 && bare.operator === '!' ? not(read(bare.argument, [], env)) : unknown;
      case 'BinaryExpression':
        return path.length === 0 ? ofComparison(bare, env) : absent;
      case 'ArrayExpression':
      case 'TemplateLiteral':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return path.length === 0 ? yes : absent;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return path.length === 0 ? yes : ofThisMembers(bare, path, bare, env, true);
      default:
        return unknown;
    }
  }

  function ofComparison(node: TSESTree.BinaryExpression, env: Env | undefined): Value {
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

  function ofLogical(node: TSESTree.LogicalExpression, path: readonly string[], env: Env | undefined): Value {
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

  function ofObject(object: TSESTree.ObjectExpression, path: readonly string[], env: Env | undefined): Value {
    const [key, ...rest] = path;
    let state = absent;
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') {
        state = layered(state, carriedBy(read(property.argument, path, env), 'spread'));
      } else if (index.keyOf(property) === key) {
        state =
          property.kind === 'get'
            ? returned(property.value as FunctionNode, rest, undefined)
            : rest.length > 0
              ? read(property.value, rest, env)
              : said(property, property.value, env);
      }
    }
    return state;
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
    const value = guarded(variable, path, () => ofVariable(variable, path, node, env));
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

  function ofVariable(
    variable: Variable,
    path: readonly string[],
    use: TSESTree.Node,
    env: Env | undefined,
  ): Value {
    const [def] = variable.defs;
    switch (def?.type) {
      case 'Parameter': {
        const value = writes.afterWrites(variable, ofParameter(def.name, path, env), path, use, env);
        // Who sets the option of its caller anew decides with it.
        return value.given && index.assignedTo(variable, path).length > 0
          ? { ...value, given: false }
          : value;
      }
      case 'Variable':
        return writes.afterWrites(variable, ofInitial(def.name, def.node, path, env), path, use, env);
      case 'ImportBinding':
        return path.length === 0 ? unknown : writes.afterWrites(variable, unknown, path, use, env);
      case 'ClassName':
        return path.length === 0 ? yes : ofThisMembers(def.node, path, use, env, true);
      case 'FunctionName':
        return path.length === 0 ? yes : writes.afterWrites(variable, absent, path, use, env);
      default:
        return unknown;
    }
  }

  function ofInitial(
    name: TSESTree.Node,
    declarator: TSESTree.VariableDeclarator,
    path: readonly string[],
    env: Env | undefined,
  ): Value {
    const binding = bindingOf(index, name);
    if (!binding) return unknown;
    if (path[0] !== undefined && binding.without?.includes(path[0])) return absent;
    const loop = declarator.parent.parent;
    if (loop.type === 'ForOfStatement' && loop.left === declarator.parent)
      return ofEach(loop.right, [...binding.path, ...path], env) ?? unknown;
    if (!declarator.init) return loop.type.startsWith('For') ? unknown : absent;
    const value = carriedBy(read(declarator.init, [...binding.path, ...path], env), 'variable');
    return binding.fallback ? otherwise(value, read(binding.fallback, path, env)) : value;
  }

  function ofParameter(name: TSESTree.Node, path: readonly string[], env: Env | undefined): Value {
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
      const each = list && ofEach(list, [...binding.path, ...path], env);
      return otherwise(each ?? throughParameter(place.fn), fallback());
    }
    const arg = frame.args[place.position];
    if (!arg) return frame.open ? unknown : fallback();
    return otherwise(read(arg, [...binding.path, ...path], frame.outer), fallback());
  }

  /** The value in all elements of a list, one of which it is. */
  function ofEach(list: TSESTree.Node, path: readonly string[], env: Env | undefined): Value | undefined {
    const values = definitions.elementsOf(list, env)?.map((each) => read(each.node, path, each.env));
    const value = values?.reduce(
      (one, other) => either(unknown, one, other, () => source(list)),
      values[0] ?? unknown,
    );
    return value && carriedBy(value, 'other');
  }

  function ofThis(use: TSESTree.ThisExpression, path: readonly string[], env: Env | undefined): Value {
    return ofThisMembers(thisOwner(use), path, use, env, isStatic(use));
  }

  function ofNew(node: TSESTree.NewExpression, path: readonly string[], env: Env | undefined): Value {
    if (path.length === 0) return yes;
    const meaning = callees.meaningOf(node);
    return meaning?.is === 'instance' && isClass(meaning.node)
      ? ofThisMembers(meaning.node, path, node, env, false)
      : unknown;
  }

  return { at, ...definitions };
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

const isNegation = (node: TSESTree.Node): boolean => {
  const bare = bareExpression(node);
  return bare.type === 'UnaryExpression' && bare.operator === '!';
};
