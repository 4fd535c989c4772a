import type { TSESTree } from '@typescript-eslint/utils';
import { resultOf, returnedBy } from './call-meanings.ts';
import type { Meaning, MeaningReader } from './meaning.ts';
import type { ModuleIndex, ThisOwner } from './module-index.ts';
import { isClass, isFunction, type ClassNode } from './nodes.ts';

/** What a member of an object that is written out stands for. */
export function memberOfObject(
  reader: MeaningReader,
  object: TSESTree.ObjectExpression,
  key: string,
): Meaning | undefined {
  const { index, meaningOf, memberOf } = reader;
  for (const property of object.properties.toReversed()) {
    if (property.type === 'SpreadElement') {
      const meaning = memberOf(meaningOf(property.argument), key);
      if (meaning) return meaning;
    } else if (index.keyOf(property) === key) {
      return property.kind === 'get' && isFunction(property.value)
        ? returnedBy(reader, property.value)
        : meaningOf(property.value);
    }
  }
  return undefined;
}

/** What a member of whatever `this` is stands for. */
export function memberOfInstance(reader: MeaningReader, owner: ThisOwner, key: string): Meaning | undefined {
  const { index, meaningOf } = reader;
  const member =
    owner.type === 'ObjectExpression'
      ? memberOfObject(reader, owner, key)
      : isClass(owner)
        ? memberOfClass(reader, owner, key, false)
        : undefined;
  if (member) return member;
  for (const value of index.assignedTo(owner, [key])) {
    const meaning = meaningOf(value);
    if (meaning) return meaning;
  }
  return owner.type === 'Program' ? prototypeMembersOf(index).get(key) : undefined;
}

const prototypes = new WeakMap<ModuleIndex, Map<string, Meaning>>();

/** `Monitor.prototype.start = function () {}` of the functions that are used as classes. */
function prototypeMembersOf(index: ModuleIndex): Map<string, Meaning> {
  const known = prototypes.get(index);
  if (known) return known;
  const members = new Map<string, Meaning>();
  prototypes.set(index, members);
  for (const scope of index.view.scopeManager.scopes) {
    for (const variable of scope.variables) {
      for (const { node, path } of variable.defs.length > 0 ? index.memberWrites(variable) : []) {
        if (node.type !== 'AssignmentExpression') continue;
        const at = path.indexOf('prototype');
        const name = at >= 0 ? path[at + 1] : undefined;
        if (name !== undefined && isFunction(node.right))
          members.set(name, { is: 'function', node: node.right });
      }
    }
  }
  return members;
}

/**
 * What a member of a class stands for, its own or one of what it extends.
 * @param ofClass whether it is a static member
 */
export function memberOfClass(
  reader: MeaningReader,
  owner: ClassNode,
  key: string,
  ofClass: boolean,
): Meaning | undefined {
  const { index, meaningOf, memberOf } = reader;
  for (const element of owner.body.body) {
    if (element.type === 'MethodDefinition' && element.kind === 'constructor') {
      const injected = ofClass ? undefined : parameterProperty(reader, element, key);
      if (injected) return injected;
      continue;
    }
    if (!('static' in element) || element.static !== ofClass || index.keyOf(element) !== key) continue;
    if (element.type === 'MethodDefinition') {
      const method = element.value.type === 'FunctionExpression' ? element.value : undefined;
      if (element.kind === 'method') return method && { is: 'function', node: method };
      return element.kind === 'get' && method ? returnedBy(reader, method) : undefined;
    }
    if (element.type === 'PropertyDefinition') {
      const meaning = element.value ? meaningOf(element.value) : undefined;
      return meaning ?? (element.typeAnnotation && meaningOf(element.typeAnnotation.typeAnnotation));
    }
  }
  const base = owner.superClass ? meaningOf(owner.superClass) : undefined;
  return base?.is === 'class' || base?.is === 'import'
    ? memberOf(ofClass ? base : resultOf(reader, base), key)
    : undefined;
}

function parameterProperty(
  { meaningOf }: MeaningReader,
  constructor: TSESTree.MethodDefinition,
  key: string,
): Meaning | undefined {
  for (const param of constructor.value.params) {
    if (param.type !== 'TSParameterProperty') continue;
    const name = param.parameter.type === 'AssignmentPattern' ? param.parameter.left : param.parameter;
    if (name.name === key) return meaningOf(name);
  }
  return undefined;
}
