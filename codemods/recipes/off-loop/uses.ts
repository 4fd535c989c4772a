import {
  bareExpression,
  isFunction,
  lastName,
  wrapEdits,
  type Declared,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { handedTo, requireCallback } from './callbacks.ts';
import { isExports } from './exported.ts';
import { keyedUses } from './keyed-uses.ts';
import { block, patch, requireAwait, type Ground, type Requirements } from './requirements.ts';
import { isOfModule, wholeUsesOf } from './whole-modules.ts';

/** A function by its names, and what goes by the same: the members of its contract. */
export interface Named {
  module: LoopModule;
  fn: FunctionNode;
  members: readonly Declared[];
  names: readonly string[];
}

interface Found {
  /** Something in the program calls it, or has it called. */
  isCalled: boolean;
  /** A module exports it under some name. */
  isExposed: boolean;
}

/** What each place that names a function must do about it; a place that cannot be understood stands in the way. */
export function requireUses(ground: Ground, its: Requirements, named: Named): Found {
  const { module, fn } = named;
  const found: Found = { isCalled: false, isExposed: false };
  const names = new Set(named.names);
  if (names.delete('exports') || isDefault(fn)) {
    found.isExposed = true;
    for (const name of ground.defaultNames(module.view.filename)) names.add(name);
  }
  if (names.size === 0 && !found.isExposed) {
    block(its, 'escapes', module, fn);
    return found;
  }
  for (const { place, node } of keyedUses(ground, module, fn)) {
    const use = valueNamed(node);
    if (use.parent?.type !== 'CallExpression' || use.parent.callee !== use)
      block(its, 'escapes', place, node);
    else {
      found.isCalled = true;
      requireAwait(ground, its, place, use.parent, '', '', fn);
    }
  }
  forEachUse(ground, named, names, (place, node, isSure) => {
    if (isSure) requireUse(ground, its, { place, node, fn, names, found });
    else block(its, 'untyped-use', place, node);
  });
  return found;
}

/**
 * Goes through the places that name a function.
 *
 * @param names what it goes by; each name that is added on the way is looked up in turn
 * @param visit told whether it is the function for sure; of what has such a member and no type, only the first
 */
export function forEachUse(
  ground: Ground,
  named: Named,
  names: ReadonlySet<string>,
  visit: (place: LoopModule, node: TSESTree.Node, isSure: boolean) => void,
): void {
  const { module, fn } = named;
  const isMember = isMemberOf(fn) || (isOfModule(module, fn) && wholeUsesOf(ground, module).isHandedOn);
  let isUncertain = false;
  for (const name of names)
    for (const use of ground.references.usesOf(name)) {
      const isSure = use.stands.some((each) => isIt(ground, each, named));
      if (!isSure && !(use.isUntyped && isMember && !isUncertain)) continue;
      const place = ground.modules.at(use.file);
      const node = ground.modules.nodeAt(use);
      if (!place || !node || node === fn.id) continue;
      isUncertain ||= !isSure;
      visit(place, node, isSure);
    }
}

/** Whether a declaration is that of a function, or of a member that goes by the same. */
export function isIt(ground: Ground, declared: Declared, { module, fn, members }: Named): boolean {
  const isHere = declared.file === module.view.filename && declared.end === fn.range[1];
  if (isHere && ground.modules.functionAt(declared) === fn) return true;
  return members.some(
    ({ file, start, end }) => declared.file === file && declared.start === start && declared.end === end,
  );
}

const isDefault = ({ parent }: FunctionNode): boolean => parent.type === 'ExportDefaultDeclaration';

/** Whether a function is called through an object that may have any type. */
export function isMemberOf({ parent }: FunctionNode): boolean {
  if (/^(MethodDefinition|PropertyDefinition|Property)$/.test(parent.type)) return true;
  return (
    parent.type === 'AssignmentExpression' &&
    parent.left.type === 'MemberExpression' &&
    !/^(module|exports)$/.test(lastName(parent.left.object) ?? '')
  );
}

interface Use {
  place: LoopModule;
  node: TSESTree.Node;
  fn: FunctionNode;
  names: Set<string>;
  found: Found;
}

function requireUse(ground: Ground, its: Requirements, { place, node: id, fn, names, found }: Use): void {
  const node = valueNamed(id);
  const { parent } = node;
  switch (parent?.type) {
    case 'CallExpression':
    case 'NewExpression': {
      if (parent.callee !== node) break;
      found.isCalled = true;
      if (parent.type === 'NewExpression') block(its, 'constructor', place, parent);
      else requireAwait(ground, its, place, parent, '', '', fn);
      return;
    }
    case 'TaggedTemplateExpression':
      found.isCalled = true;
      requireAwait(ground, its, place, parent, '', '', fn);
      return;
    case 'MemberExpression': {
      const member = lastName(parent) ?? '';
      const call = parent.parent;
      if (/^(call|apply)$/.test(member) && call.type === 'CallExpression' && call.callee === parent) {
        found.isCalled = true;
        requireAwait(ground, its, place, call, '', '', fn);
      } else if (/^(bind|prototype|call|apply)$/.test(member)) block(its, 'escapes', place, parent);
      return;
    }
    case 'ImportSpecifier':
      names.add(parent.local.name);
      return;
    case 'ExportSpecifier': {
      found.isExposed = true;
      const exported = parent.exported.type === 'Identifier' ? parent.exported.name : parent.exported.value;
      if (exported !== 'default') names.add(exported);
      else for (const name of ground.defaultNames(place.view.filename)) names.add(name);
      if (ground.isPublic(place.view.filename) && !ground.allowApiChange)
        block(its, 'public-api', place, parent);
      return;
    }
    case 'ExportDefaultDeclaration':
    case 'TSExportAssignment':
      found.isExposed = true;
      for (const name of ground.defaultNames(place.view.filename)) names.add(name);
      return;
    case 'VariableDeclarator':
      if (parent.init !== node || parent.id.type !== 'Identifier') break;
      if (parent.id.typeAnnotation) block(its, 'type-use', place, parent.id);
      names.add(parent.id.name);
      if (parent.parent.parent.type.startsWith('Export')) found.isExposed = true;
      return;
    case 'Property':
      requireProperty(its, place, parent, node, names, found);
      return;
    case 'AssignmentExpression':
      if (parent.right !== node) return;
      if (/(^|\.)exports$/.test(place.view.text.slice(...parent.left.range))) {
        found.isExposed = true;
        for (const name of ground.defaultNames(place.view.filename)) names.add(name);
        return;
      }
      if (lastName(parent.left) === undefined) break;
      if (isExports(place, parent.left)) found.isExposed = true;
      names.add(lastName(parent.left) ?? '');
      return;
    case 'TSTypeQuery':
      requireType(its, place, parent);
      return;
    case 'UnaryExpression':
    case 'BinaryExpression':
    case 'ExpressionStatement':
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSMethodSignature':
    case 'TSPropertySignature':
      return;
    default:
  }
  const handed = handedTo(node);
  if (!handed) {
    block(its, 'escapes', place, node);
    return;
  }
  found.isCalled = true;
  requireCallback(ground, its, { module: place, ...handed, fn });
}

/** The expression that a name stands for: with the object that it is a member of, and the wrappers that change nothing. */
export function valueNamed(id: TSESTree.Node): TSESTree.Node {
  const { parent } = id;
  const value =
    parent?.type === 'MemberExpression' && parent.property === id && !parent.computed ? parent : id;
  let node: TSESTree.Node = value;
  while (
    node.parent &&
    !isFunction(node.parent) &&
    node.parent.type !== 'ChainExpression' &&
    bareExpression(node.parent) === bareExpression(value)
  )
    node = node.parent;
  return node;
}

/** `{ load }`, `{ read: load }` and `const { load: read } = x` */
function requireProperty(
  its: Requirements,
  place: LoopModule,
  property: TSESTree.Property,
  node: TSESTree.Node,
  names: Set<string>,
  found: Found,
): void {
  const isPattern = property.parent.type === 'ObjectPattern';
  if (isPattern) {
    if (property.key !== node) return;
    const name = lastName(property.value);
    if (name === undefined) block(its, 'escapes', place, node);
    else names.add(name);
    return;
  }
  if (property.value !== node && !property.shorthand) return;
  const key = property.computed ? undefined : lastName(property.key);
  const holder = property.parent.parent;
  const isHeld =
    holder.type === 'VariableDeclarator' ||
    holder.type === 'ExportDefaultDeclaration' ||
    holder.type === 'AssignmentExpression';
  if (key === undefined || !isHeld) {
    block(its, 'escapes', place, node);
    return;
  }
  if (
    holder.type === 'ExportDefaultDeclaration' ||
    (holder.type === 'AssignmentExpression' && isExports(place, holder.left))
  )
    found.isExposed = true;
  names.add(key);
}

/** `ReturnType<typeof load>` is that of a promise; what else speaks of its type is left. */
function requireType(its: Requirements, place: LoopModule, query: TSESTree.TSTypeQuery): void {
  const list = query.parent;
  const reference = list.parent;
  const isReturn =
    list.type === 'TSTypeParameterInstantiation' &&
    reference?.type === 'TSTypeReference' &&
    reference.typeName.type === 'Identifier' &&
    reference.typeName.name === 'ReturnType';
  if (!isReturn) {
    if (!isName(query, 'Parameters')) block(its, 'type-use', place, query);
    return;
  }
  if (!isName(reference, 'Awaited')) patch(its, place, wrapEdits(reference, 'Awaited<', '>'));
}

/** Whether a type is the argument of a helper of that name. */
function isName(type: TSESTree.Node, name: string): boolean {
  const reference = type.parent?.parent;
  return (
    reference?.type === 'TSTypeReference' &&
    reference.typeName.type === 'Identifier' &&
    reference.typeName.name === name
  );
}
