import {
  contextOf,
  bareExpression,
  calleeOf,
  forOfEdits,
  isFunction,
  lastName,
  maybePromiseEdits,
  NOW_METHODS,
  PROMISE_METHODS,
  rolesOf,
  withoutModifiers,
  wrapEdits,
  type Callbacks,
  type CallNode,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { LOCKS } from './file-races.ts';
import { isListenerInStep } from './listeners.ts';
import { block, patch, requireAwait, requirePlace, type Ground, type Requirements } from './requirements.ts';

/** A function that is given to a call. */
export interface HandedOver {
  module: LoopModule;
  call: CallNode;
  /** The argument: the function itself, or a name of it. */
  argument: TSESTree.Node;
  fn: FunctionNode;
}

/**
 * What a call makes of a function that is async from now on.
 *
 * @returns whether the function is written into the code around it, and needs no `async` of its own
 */
export function requireCallback(ground: Ground, its: Requirements, handed: HandedOver): boolean {
  const { module, call, argument, fn } = handed;
  const name = lastName(calleeOf(call)) ?? '';
  const callbacks = rolesOf(module).callbacks(call);
  const isInline = bareExpression(argument) === fn;
  its.given.push({
    isVoid: ground.isVoid(module.view.filename, argument),
    rejections: rejectionsAt(ground, module, name, callbacks),
  });
  if (name === 'transaction' && module.rowNamed(calleeOf(call))?.row.returns === 'Transaction#') {
    const database = ground.databasesOf(module).find(({ calls }) => calls.has(call));
    if (database) its.databases.add(database);
    else block(its, 'sqlite', module, call);
  } else if (call.type === 'NewExpression' && name === 'Promise')
    block(its, 'promise-executor', module, argument);
  else if (callbacks?.as === 'an exit handler') block(its, 'exit-handler', module, call);
  else if (callbacks?.as === 'a test') requireTest(its, handed);
  else if (isMethod(call) && (PROMISE_METHODS.has(name) || LOCKS.test(name))) return false;
  else if (isListenerInStep(ground, handed)) block(its, 'event-in-step', module, call);
  else if (callbacks) its.isUnawaited = true;
  else if (name === 'forEach' && isMethodOfFirst(call, argument))
    return requireLoop(ground, its, handed, isInline);
  else if (name === 'map' && isMethodOfFirst(call, argument)) requireAll(ground, its, handed);
  else if (requireThrow(ground, its, handed, name)) return false;
  else if (isInline && rolesOf(module).of(fn).run === 'later') its.isUnawaited = true;
  else if (!requireOwn(ground, its, handed))
    block(its, NOW_METHODS.has(name) ? 'array-callback' : 'unknown-callback', module, call);
  return false;
}

/** What becomes of a callback's rejection. */
function rejectionsAt(
  ground: Ground,
  { view }: LoopModule,
  name: string,
  callbacks: Callbacks | undefined,
): Callbacks['rejections'] {
  if (callbacks?.rejections !== 'next') return callbacks?.rejections;
  if (ground.isExpressWaiting(view.filename)) return 'seen';
  // `app.param('id', (request, response, next, id) => …)`
  return name === 'param' ? undefined : 'next';
}

const isMethod = (call: CallNode): call is TSESTree.CallExpression =>
  call.type === 'CallExpression' && call.callee.type === 'MemberExpression';

/** `list.map(fn)`, and not `_.map(list, fn)`. */
const isMethodOfFirst = (call: CallNode, argument: TSESTree.Node): call is TSESTree.CallExpression =>
  isMethod(call) && call.arguments[0] === argument && calleeOf(call).type === 'MemberExpression';

function requireTest(its: Requirements, { module, call, fn }: HandedOver): void {
  const name = lastName(withoutModifiers(calleeOf(call))) ?? '';
  if (/^(describe|suite|context)/.test(name)) block(its, 'test-suite', module, call);
  // `done`, and node:test's context, which is another matter.
  else if (
    fn.params.some((param) => param.type === 'Identifier' && /^(done|cb|callback|next)$/.test(param.name))
  )
    block(its, 'done-callback', module, fn);
}

/** `list.forEach(fn)` becomes a loop. */
function requireLoop(
  ground: Ground,
  its: Requirements,
  { module, call, fn }: HandedOver,
  isInline: boolean,
): boolean {
  const edits =
    isInline && call.type === 'CallExpression' && fn.params.length <= 1 && isList(module, call)
      ? forOfEdits(module.view, call, fn)
      : undefined;
  if (!edits) {
    block(its, 'array-callback', module, call);
    return false;
  }
  requirePlace(ground, its, module, call);
  patch(its, module, edits);
  if (!isSurelyList(module, call as TSESTree.CallExpression)) its.notes.add('assumed-array');
  return true;
}

/** `list.map(fn)` waits for all. */
function requireAll(ground: Ground, its: Requirements, { module, call, fn }: HandedOver): void {
  if (call.type !== 'CallExpression' || !isList(module, call)) {
    block(its, 'array-callback', module, call);
    return;
  }
  its.concurrent.add(fn);
  its.notes.add('concurrent');
  if (isAwaitedAsList(call)) {
    its.notes.add('eager-throw');
    if (contextOf(module).unitOf(call).where === 'loop') its.isOnLoop = true;
  } else requireAwait(ground, its, module, call, 'Promise.all(', ')');
}

/** `Promise.all(list.map(fn))` waits for promises as well as for values. */
function isAwaitedAsList(call: TSESTree.CallExpression): boolean {
  const { parent } = call;
  return (
    parent.type === 'CallExpression' &&
    parent.arguments[0] === call &&
    parent.callee.type === 'MemberExpression' &&
    lastName(parent.callee.object) === 'Promise' &&
    /^(all|allSettled|any|race)$/.test(lastName(parent.callee) ?? '')
  );
}

/** Not of a Map, whose forEach gives values, nor of something that has methods of its own by these names. */
function isList(module: LoopModule, call: TSESTree.CallExpression): boolean {
  const { callee } = call;
  if (callee.type !== 'MemberExpression' || callee.optional || call.arguments.length > 2) return false;
  const list = bareExpression(callee.object);
  if (list.type === 'NewExpression')
    return lastName(list.callee) === 'Set' || lastName(list.callee) === 'Array';
  const meaning = module.callees.meaningOf(list);
  if (meaning?.is === 'import' && meaning.path === '') return false;
  if (list.type !== 'Identifier') return true;
  const def = module.index.variableOf(list)?.defs[0];
  const init = def?.type === 'Variable' ? def.node.init : undefined;
  const type = def?.name.type === 'Identifier' ? def.name.typeAnnotation?.typeAnnotation : undefined;
  const isMap = init?.type === 'NewExpression' && (lastName(init.callee) ?? '').endsWith('Map');
  return (
    !isMap &&
    !/^(Readonly|Weak)?Map\b|^URLSearchParams|^Headers|^FormData/.test(
      type ? module.view.text.slice(...type.range) : '',
    )
  );
}

/** By how it is made, or by the type that is written on it. */
function isSurelyList({ index }: LoopModule, { callee }: TSESTree.CallExpression): boolean {
  const list = callee.type === 'MemberExpression' ? bareExpression(callee.object) : callee;
  if (list.type === 'ArrayExpression' || list.type === 'NewExpression') return true;
  if (list.type === 'CallExpression') return LISTS.test(lastName(list.callee) ?? '');
  const def = list.type === 'Identifier' ? index.variableOf(list)?.defs[0] : undefined;
  const type = def?.name.type === 'Identifier' ? def.name.typeAnnotation?.typeAnnotation : undefined;
  if (type) return isListType(type);
  const init = def?.type === 'Variable' && def.node.id === def.name ? def.node.init : undefined;
  return (
    init?.type === 'ArrayExpression' ||
    (init?.type === 'CallExpression' && LISTS.test(lastName(init.callee) ?? ''))
  );
}

const LISTS =
  /^(keys|values|entries|filter|map|slice|sort|split|concat|reverse|flat|flatMap|readdirSync|readdir|from)$/;

function isListType(type: TSESTree.TypeNode): boolean {
  if (type.type === 'TSArrayType' || type.type === 'TSTupleType') return true;
  if (type.type === 'TSTypeOperator')
    return type.typeAnnotation !== undefined && isListType(type.typeAnnotation);
  return (
    type.type === 'TSTypeReference' &&
    type.typeName.type === 'Identifier' &&
    /^(Readonly)?(Array|Set)$|^Iterable$/.test(type.typeName.name)
  );
}

/** `expect(() => f()).toThrow()` and `assert.throws(() => f())` wait for the rejection. */
function requireThrow(
  ground: Ground,
  its: Requirements,
  { module, call, argument }: HandedOver,
  name: string,
): boolean {
  if (call.type !== 'CallExpression' || call.arguments[0] !== argument) return false;
  const meaning = module.callees.meaningOf(call.callee);
  const from = meaning?.is === 'import' ? meaning.module : '';
  if (
    /^(throws|doesNotThrow)$/.test(name) &&
    from.startsWith('assert') &&
    call.callee.type === 'MemberExpression'
  ) {
    const [start, end] = call.callee.property.range;
    patch(its, module, [{ start, end, text: name === 'throws' ? 'rejects' : 'doesNotReject' }]);
    requireAwait(ground, its, module, call);
    return true;
  }
  if (name !== 'expect') return false;
  const member = call.parent;
  const check = member.type === 'MemberExpression' && member.object === call ? member.parent : undefined;
  const isJests =
    /^(vitest|@jest\/globals|bun:test|global)$/.test(from) && !module.view.text.includes('chai');
  if (!isJests || check?.type !== 'CallExpression' || !(lastName(check.callee) ?? '').startsWith('toThrow')) {
    block(its, 'expect-throws', module, call);
    return true;
  }
  patch(its, module, wrapEdits(call, '', '.rejects'));
  requireAwait(ground, its, module, check);
  return true;
}

/** A function of the program that does nothing with the callback but call it: its calls wait. */
function requireOwn(ground: Ground, its: Requirements, { module, call, argument }: HandedOver): boolean {
  if (call.type === 'TaggedTemplateExpression') return false;
  const position = call.arguments.findIndex((each) => each === argument);
  if (position < 0 || call.arguments.slice(0, position).some(({ type }) => type === 'SpreadElement'))
    return false;
  const declared = ground.references.declarationsAt(module.view.filename, ...call.range);
  const entered = [...new Set(declared.flatMap((each) => ground.modules.functionAt(each) ?? []))];
  const [target] = entered;
  if (!target || entered.length > 1) return false;
  const place = ground.modules.of(target);
  const param = target.params[position];
  if (param?.type !== 'Identifier') return false;
  const type = param.typeAnnotation?.typeAnnotation;
  if (type && type.type !== 'TSFunctionType') return false;
  const uses = (place.index.variableOf(param)?.references ?? []).map(({ identifier }) => identifier);
  const calls = uses.flatMap((use) => (isCallee(use) ? [use.parent] : []));
  if (calls.length === 0 || uses.some((use) => !isCallee(use) && !isTested(use))) {
    block(its, 'callback-stored', place, param);
    return true;
  }
  for (const each of calls) requireAwait(ground, its, place, each);
  const given = type?.returnType?.typeAnnotation;
  if (given) patch(its, place, maybePromiseEdits(place.view, given));
  return true;
}

const isCallee = (node: TSESTree.Node): node is TSESTree.Node & { parent: TSESTree.CallExpression } =>
  node.parent?.type === 'CallExpression' && node.parent.callee === node;

/** `if (callback)`, `callback && …`, `typeof callback` */
function isTested(node: TSESTree.Node): boolean {
  const { parent } = node;
  if (parent?.type === 'UnaryExpression' || parent?.type === 'BinaryExpression') return true;
  if (parent?.type === 'LogicalExpression') return parent.left === node;
  return parent !== undefined && 'test' in parent && parent.test === node;
}

/** The call that a function, or a name, is an argument of. */
export function handedTo(node: TSESTree.Node): { call: CallNode; argument: TSESTree.Node } | undefined {
  let argument = node;
  while (
    argument.parent &&
    !isFunction(argument.parent) &&
    bareExpression(argument.parent) === bareExpression(node)
  )
    argument = argument.parent;
  const { parent } = argument;
  if (parent?.type !== 'CallExpression' && parent?.type !== 'NewExpression') return undefined;
  return parent.callee === argument ? undefined : { call: parent, argument };
}
