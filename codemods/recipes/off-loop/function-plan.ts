import {
  asyncBodyEdits,
  asyncFunctionEdits,
  contextOf,
  functionAround,
  isFunction,
  isPromiseType,
  mayBePromise,
  namesOf,
  nextBodyEdits,
  promiseTypeEdits,
  rolesOf,
  type Declared,
  type FunctionNode,
  type LoopModule,
  type WrappingEdit,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { handedTo, requireCallback } from './callbacks.ts';
import { isExported, isPrivateMember } from './exported.ts';
import { formReason } from './function-form.ts';
import {
  block,
  noRequirements,
  patch,
  requireAwait,
  type Ground,
  type Requirements,
} from './requirements.ts';
import { requireUses } from './uses.ts';

/** All that must be so that a function can be async: who it is given to, who calls it, what types say of it. */
export function functionPlan(ground: Ground, fn: FunctionNode): Requirements {
  const its = noRequirements();
  const module = ground.modules.of(fn);
  if (contextOf(module).unitOf(fn.body).where === 'loop') its.isOnLoop = true;
  const form = formReason(fn);
  if (form) {
    block(its, form, module, fn);
    return its;
  }
  const isWritten = requireRole(ground, its, module, fn);
  const { edits, isSeen } = isWritten ? { edits: [], isSeen: false } : insideOf(its, module, fn);
  if (its.isUnawaited && !isSeen) its.notes.add('void-callback');
  if (!edits) requireTypes(its, module, fn);
  patch(its, module, edits ?? asyncFunctionEdits(module.view, fn));
  if (!ground.isGiven(module.view.filename)) block(its, 'outside-paths', module, fn);
  return its;
}

/** A callback that stays as it is, and whose body waits: nobody waits for it, wherever it is given to. */
interface Inside {
  edits: WrappingEdit[] | undefined;
  /** What it rejects with is seen by all that it is given to. */
  isSeen: boolean;
}

function insideOf({ given, awaits }: Requirements, { view }: LoopModule, fn: FunctionNode): Inside {
  if (given.length === 0 || awaits.length > 0) return { edits: undefined, isSeen: false };
  const byNext = given.every(({ rejections }) => rejections === 'next') ? nextBodyEdits(view, fn) : undefined;
  return {
    edits: byNext ?? (given.every(({ isVoid }) => isVoid) ? asyncBodyEdits(fn) : undefined),
    isSeen: byNext !== undefined || given.every(({ rejections }) => rejections === 'seen'),
  };
}

/** @returns whether the function is written into the code around it */
function requireRole(ground: Ground, its: Requirements, module: LoopModule, fn: FunctionNode): boolean {
  const invoked = invocationOf(fn);
  if (invoked) {
    requireAwait(ground, its, module, invoked);
    return false;
  }
  const handed = handedTo(fn);
  if (handed) return requireCallback(ground, its, { module, ...handed, fn });
  const role = rolesOf(module).of(fn);
  if (role.run === 'async') {
    its.notes.add('eager-throw');
    return false;
  }
  if (fn.parent.type === 'JSXExpressionContainer') {
    const attribute = fn.parent.parent;
    const isHandler =
      attribute.type === 'JSXAttribute' &&
      /^on[A-Z]/.test(attribute.name.type === 'JSXIdentifier' ? attribute.name.name : '');
    if (isHandler) its.isUnawaited = true;
    else block(its, 'unknown-callback', module, fn);
    return false;
  }
  const members = requireContract(ground, its, module, fn);
  const names = namesOf(module.index, fn);
  const { isCalled, isExposed } = requireUses(ground, its, { module, fn, members, names });
  requireCallers(ground, its, module, fn, isCalled, isExposed || isExported(module, fn));
  return false;
}

/** What others may call keeps its kind, unless it may change. */
function requireCallers(
  ground: Ground,
  its: Requirements,
  module: LoopModule,
  fn: FunctionNode,
  isCalled: boolean,
  isExposed: boolean,
): void {
  const { run } = rolesOf(module).of(fn);
  if (run === 'loop') {
    // Who takes it says what becomes of its rejection.
    its.isUnawaited ||= its.given.length === 0;
    return;
  }
  if (!isExposed || isPrivateMember(fn)) return;
  if (ground.allowApiChange) return;
  if (ground.isPublic(module.view.filename)) block(its, 'public-api', module, fn);
  else if (!isCalled) block(its, 'unknown-caller', module, fn);
}

/** `(() => …)()`, `(function () {}).call(this)` */
function invocationOf(fn: FunctionNode): TSESTree.CallExpression | undefined {
  let node: TSESTree.Node = fn;
  if (node.parent.type === 'MemberExpression' && node.parent.object === fn) node = node.parent;
  const { parent } = node;
  return parent.type === 'CallExpression' && parent.callee === node ? parent : undefined;
}

/** A type that is written on what holds a function, and its overloads. */
export function requireTypes(its: Requirements, module: LoopModule, fn: FunctionNode): void {
  const { parent } = fn;
  const holder =
    parent.type === 'VariableDeclarator'
      ? parent.id
      : parent.type === 'PropertyDefinition' || parent.type === 'AccessorProperty'
        ? parent
        : undefined;
  const type = holder && 'typeAnnotation' in holder ? holder.typeAnnotation?.typeAnnotation : undefined;
  if (type?.type === 'TSFunctionType') promiseReturn(its, module, type);
  else if (type) block(its, 'type-use', module, type);
  for (const overload of overloadsOf(fn)) promiseReturn(its, module, overload);
}

/** The signatures of a function that has several. */
export function overloadsOf(fn: FunctionNode): TSESTree.Node[] {
  const { parent } = fn;
  if (parent.type === 'MethodDefinition') {
    const key = nameOfKey(parent);
    return parent.parent.body
      .filter(
        (each) =>
          each !== parent &&
          'key' in each &&
          key !== undefined &&
          nameOfKey(each) === key &&
          /^(TSAbstract)?MethodDefinition$/.test(each.type),
      )
      .flatMap((each) => ('value' in each && each.value ? [each.value] : []));
  }
  if (fn.type !== 'FunctionDeclaration' || !fn.id) return [];
  const name = fn.id.name;
  const holder = parent.type.startsWith('Export') ? parent.parent : parent;
  const body =
    holder && 'body' in holder && Array.isArray(holder.body) ? (holder.body as TSESTree.Node[]) : [];
  return body
    .map((each) => ('declaration' in each && each.declaration ? (each.declaration as TSESTree.Node) : each))
    .filter((each) => each.type === 'TSDeclareFunction' && each.id?.name === name);
}

const nameOfKey = (node: { key: TSESTree.Node }): string | undefined =>
  node.key.type === 'Identifier' || node.key.type === 'PrivateIdentifier' ? node.key.name : undefined;

/** A signature that gives a promise from now on. */
export function promiseReturn(its: Requirements, module: LoopModule, signature: TSESTree.Node): void {
  const type = 'returnType' in signature ? signature.returnType?.typeAnnotation : undefined;
  if (type?.type === 'TSTypePredicate') block(its, 'type-use', module, type);
  else if (type && !isPromiseType(type) && !mayBePromise(type))
    patch(its, module, promiseTypeEdits(module.view, type));
}

/** What a method overrides or implements, and what does so with it, changes with it. */
function requireContract(
  ground: Ground,
  its: Requirements,
  module: LoopModule,
  fn: FunctionNode,
): readonly Declared[] {
  if (!/^(MethodDefinition|PropertyDefinition|Property)$/.test(fn.parent.type)) return [];
  const contract = ground.references.contractOf(module.view.filename, ...fn.range);
  if (!contract) return [];
  if (contract.isOpen) block(its, 'override-set', module, fn.parent);
  for (const member of contract.members) {
    const other = ground.modules.functionAt(member) ?? functionIn(ground.modules.nodeAt(member));
    if (other === fn) continue;
    if (other) {
      if (!other.async) its.needs.add(other);
      continue;
    }
    const place = ground.modules.at(member.file);
    const node = ground.modules.nodeAt(member);
    const signature = node && signatureOf(node);
    if (!place || !node || signature === 'other') block(its, 'override-set', module, fn.parent);
    else if (signature) promiseReturn(its, place, signature);
  }
  return contract.members;
}

/** The function that a member holds. */
export function functionIn(node: TSESTree.Node | undefined): FunctionNode | undefined {
  const value = node && 'value' in node ? (node.value as TSESTree.Node | null) : undefined;
  return value && isFunction(value) ? value : undefined;
}

/** Where a member without a body says what it gives; nothing where it does not say. */
export function signatureOf(node: TSESTree.Node): TSESTree.Node | 'other' | undefined {
  switch (node.type) {
    case 'TSMethodSignature':
      return node;
    case 'TSAbstractMethodDefinition':
    case 'MethodDefinition':
      return node.value;
    case 'TSPropertySignature':
    case 'TSAbstractPropertyDefinition':
    case 'PropertyDefinition': {
      const type = node.typeAnnotation?.typeAnnotation;
      return type === undefined ? undefined : type.type === 'TSFunctionType' ? type : 'other';
    }
    default:
      return 'other';
  }
}

/** Whether a function stands in one of some others. */
export const standsIn = (fn: FunctionNode, outer: ReadonlySet<FunctionNode>): boolean => {
  for (let at = functionAround(fn); at; at = functionAround(at)) if (outer.has(at)) return true;
  return false;
};
