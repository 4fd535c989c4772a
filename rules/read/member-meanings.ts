import type { TSESTree } from '@typescript-eslint/utils';
import type { Meaning } from './meaning.ts';
import type { ModuleIndex, ThisOwner } from './module-index.ts';
import { isClass, isFunction, type ClassNode, type FunctionNode } from './nodes.ts';

/** How the meanings of expressions are read. */
interface Reading {
  meaningOf: (node: TSESTree.Node) => Meaning | undefined;
  memberOf: (meaning: Meaning | undefined, key: string) => Meaning | undefined;
  returned: (fn: FunctionNode) => Meaning | undefined;
  /** What a call or a construction gives. */
  resultOf: (meaning: Meaning | undefined) => Meaning | undefined;
}

/** What members of this module's objects and classes stand for. */
export interface MemberMeanings {
  memberOfObject: (object: TSESTree.ObjectExpression, key: string) => Meaning | undefined;
  memberOfInstance: (owner: ThisOwner, key: string) => Meaning | undefined;
  /** @param ofClass whether it is a static member */
  memberOfClass: (owner: ClassNode, key: string, ofClass: boolean) => Meaning | undefined;
}

/** The members of one module. */
export function memberMeaningsOf(
  index: ModuleIndex,
  { meaningOf, memberOf, returned, resultOf }: Reading,
): MemberMeanings {
  function memberOfObject(object: TSESTree.ObjectExpression, key: string): Meaning | undefined {
    for (const property of object.properties.toReversed()) {
      if (property.type === 'SpreadElement') {
        const meaning = memberOf(meaningOf(property.argument), key);
        if (meaning) return meaning;
      } else if (index.keyOf(property) === key) {
        return property.kind === 'get' && isFunction(property.value)
          ? returned(property.value)
          : meaningOf(property.value);
      }
    }
    return undefined;
  }

  function memberOfInstance(owner: ThisOwner, key: string): Meaning | undefined {
    const member =
      owner.type === 'ObjectExpression'
        ? memberOfObject(owner, key)
        : isClass(owner)
          ? memberOfClass(owner, key, false)
          : undefined;
    if (member) return member;
    for (const value of index.assignedTo(owner, [key])) {
      const meaning = meaningOf(value);
      if (meaning) return meaning;
    }
    return owner.type === 'Program' ? prototypeMember(key) : undefined;
  }

  /** `Monitor.prototype.start = function () {}` of a function that is used as a class. */
  function prototypeMember(key: string): Meaning | undefined {
    return prototypeMembers().get(key);
  }

  let prototypes: Map<string, Meaning> | undefined;
  function prototypeMembers(): Map<string, Meaning> {
    if (prototypes) return prototypes;
    prototypes = new Map();
    for (const scope of index.view.scopeManager.scopes) {
      for (const variable of scope.variables) {
        for (const { node, path } of variable.defs.length > 0 ? index.memberWrites(variable) : []) {
          if (node.type !== 'AssignmentExpression') continue;
          const at = path.indexOf('prototype');
          const name = at >= 0 ? path[at + 1] : undefined;
          if (name !== undefined && isFunction(node.right))
            prototypes.set(name, { is: 'function', node: node.right });
        }
      }
    }
    return prototypes;
  }

  function memberOfClass(owner: ClassNode, key: string, ofClass: boolean): Meaning | undefined {
    for (const element of owner.body.body) {
      if (element.type === 'MethodDefinition' && element.kind === 'constructor') {
        const injected = ofClass ? undefined : parameterProperty(element, key);
        if (injected) return injected;
        continue;
      }
      if (!('static' in element) || element.static !== ofClass || index.keyOf(element) !== key) continue;
      if (element.type === 'MethodDefinition') {
        const method = element.value.type === 'FunctionExpression' ? element.value : undefined;
        if (element.kind === 'method') return method && { is: 'function', node: method };
        return element.kind === 'get' && method ? returned(method) : undefined;
      }
      if (element.type === 'PropertyDefinition') {
        const meaning = element.value ? meaningOf(element.value) : undefined;
        return meaning ?? (element.typeAnnotation && meaningOf(element.typeAnnotation.typeAnnotation));
      }
    }
    const base = owner.superClass ? meaningOf(owner.superClass) : undefined;
    return base?.is === 'class' || base?.is === 'import'
      ? memberOf(ofClass ? base : resultOf(base), key)
      : undefined;
  }

  function parameterProperty(constructor: TSESTree.MethodDefinition, key: string): Meaning | undefined {
    for (const param of constructor.value.params) {
      if (param.type !== 'TSParameterProperty') continue;
      const name = param.parameter.type === 'AssignmentPattern' ? param.parameter.left : param.parameter;
      if (name.name === key) return meaningOf(name);
    }
    return undefined;
  }

  return { memberOfObject, memberOfInstance, memberOfClass };
}
