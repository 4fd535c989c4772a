import {
  isClass,
  lastName,
  literalText,
  walk,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Ground } from './requirements.ts';
import { valueNamed } from './uses.ts';
import { isOfModule, wholeUsesOf } from './whole-modules.ts';

/** A place that takes a member by a key that is not known: it may be any function of the object. */
export interface KeyedUse {
  place: LoopModule;
  node: TSESTree.Node;
}

/** `Object.entries(commands)`: all of them. */
export const takesAll = ({ callee }: TSESTree.CallExpression): boolean =>
  /^(entries|values)$/.test(lastName(callee) ?? '');

/**
 * Where a function of an object, of a class or of a module may be taken by a key: `commands[name](…)`,
 * `Object.values(commands)`.
 */
export function keyedUses(ground: Ground, module: LoopModule, fn: FunctionNode): KeyedUse[] {
  const { parent } = fn;
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition')
    return keyedOnThis(module, parent.parent);
  const ofModule = isOfModule(module, fn) ? wholeUsesOf(ground, module).keyed : [];
  if (parent.type !== 'Property' || parent.parent.type !== 'ObjectExpression') return ofModule;
  const object = parent.parent;
  return [...ofModule, ...keyedOnThis(module, object), ...keyedOnHolder(ground, module, object)];
}

/** `this[name](…)`; where it is not called it is data. */
function keyedOnThis(module: LoopModule, owner: TSESTree.Node): KeyedUse[] {
  const found: KeyedUse[] = [];
  if (!isClass(owner.parent) && owner.type !== 'ObjectExpression') return found;
  walk(owner, (node) => {
    const isCalled = node.parent?.type === 'CallExpression' && node.parent.callee === node;
    if (isKeyed(node) && node.object.type === 'ThisExpression' && isCalled)
      found.push({ place: module, node });
  });
  return found;
}

/** By the name of the variable, or of the member, that holds the object. */
function keyedOnHolder(ground: Ground, module: LoopModule, object: TSESTree.Node): KeyedUse[] {
  const holder = valueNamed(object).parent;
  const id =
    holder?.type === 'VariableDeclarator'
      ? holder.id
      : holder?.type === 'AssignmentExpression'
        ? holder.left
        : holder?.type === 'PropertyDefinition' || holder?.type === 'Property'
          ? holder.key
          : undefined;
  const name = id && lastName(id);
  if (name === undefined) return [];
  const variable =
    id?.type === 'Identifier' && holder?.type === 'VariableDeclarator'
      ? module.index.variableOf(id)
      : undefined;
  return ground.references.usesOf(name).flatMap((use): KeyedUse[] => {
    if (use.as === 'other') return [];
    const place = ground.modules.at(use.file);
    const node = ground.modules.nodeAt(use);
    if (!place || !node) return [];
    const its = node.type === 'Identifier' ? place.index.variableOf(node) : undefined;
    const isSame =
      !variable || (place === module ? its === variable : its?.defs[0]?.type === 'ImportBinding');
    const value = valueNamed(node);
    const { parent } = value;
    if (!isSame || !parent) return [];
    if (parent.type === 'CallExpression') return takesAll(parent) ? [{ place, node: value }] : [];
    return isKeyed(parent) && parent.object === value && !isData(parent) ? [{ place, node: parent }] : [];
  });
}

export const isKeyed = (node: TSESTree.Node): node is TSESTree.MemberExpressionComputedName =>
  node.type === 'MemberExpression' && node.computed && literalText(node.property) === undefined;

/** `commands[name] = …`, `if (commands[name])`, `typeof commands[name]` */
export function isData(node: TSESTree.Node): boolean {
  const { parent } = node;
  if (parent?.type === 'UnaryExpression' || parent?.type === 'BinaryExpression') return true;
  if (parent?.type === 'AssignmentExpression') return parent.left === node;
  if (parent?.type === 'LogicalExpression' && parent.operator === '&&') return parent.left === node;
  return parent !== undefined && 'test' in parent && parent.test === node;
}
