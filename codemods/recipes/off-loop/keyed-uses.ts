import { isClass, lastName, walk, type FunctionNode, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Ground } from './requirements.ts';
import { valueNamed } from './uses.ts';

/** A place that takes a member by a key that is not known: it may be any function of the object. */
export interface KeyedUse {
  place: LoopModule;
  node: TSESTree.Node;
}

/** `Object.entries(commands)`: all of them. */
const ALL = /^(entries|values)$/;

/** Where a function of an object, or of a class, may be taken by a key: `commands[name](…)`, `Object.values(commands)`. */
export function keyedUses(ground: Ground, module: LoopModule, fn: FunctionNode): KeyedUse[] {
  const { parent } = fn;
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition')
    return keyedOnThis(module, parent.parent);
  if (parent.type !== 'Property' || parent.parent.type !== 'ObjectExpression') return [];
  const object = parent.parent;
  return [...keyedOnThis(module, object), ...keyedOnHolder(ground, module, object)];
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
    const place = ground.modules.at(use.file);
    const node = ground.modules.nodeAt(use);
    if (!place || !node) return [];
    const its = node.type === 'Identifier' ? place.index.variableOf(node) : undefined;
    const isSame =
      !variable || (place === module ? its === variable : its?.defs[0]?.type === 'ImportBinding');
    const value = valueNamed(node);
    const { parent } = value;
    if (!isSame || !parent) return [];
    if (parent.type === 'CallExpression')
      return ALL.test(lastName(parent.callee) ?? '') ? [{ place, node: value }] : [];
    return isKeyed(parent) && parent.object === value && !isData(parent) ? [{ place, node: parent }] : [];
  });
}

const isKeyed = (node: TSESTree.Node): node is TSESTree.MemberExpressionComputedName =>
  node.type === 'MemberExpression' && node.computed && node.property.type !== 'Literal';

/** `commands[name] = …`, `if (commands[name])`, `typeof commands[name]` */
function isData(node: TSESTree.Node): boolean {
  const { parent } = node;
  if (parent?.type === 'UnaryExpression' || parent?.type === 'BinaryExpression') return true;
  if (parent?.type === 'AssignmentExpression') return parent.left === node;
  if (parent?.type === 'LogicalExpression' && parent.operator === '&&') return parent.left === node;
  return parent !== undefined && 'test' in parent && parent.test === node;
}
