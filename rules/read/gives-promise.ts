import type { TSESTree } from '@typescript-eslint/utils';
import { ASYNC_HELPERS, PROMISE_METHODS } from '../apis/handlers.ts';
import { bareExpression, calleeOf, lastName, type CallNode, type FunctionNode } from './nodes.ts';

/** Says by its type or by what it returns that it gives a promise. */
export function givesPromise(fn: FunctionNode): boolean {
  const type = fn.returnType?.typeAnnotation;
  if (type) return type.type === 'TSTypeReference' && /^Promise(Like)?$/.test(lastEntity(type.typeName));
  const { body } = fn;
  if (body.type !== 'BlockStatement') return isPromise(body);
  const last = body.body.at(-1);
  return last?.type === 'ReturnStatement' && last.argument !== null && isPromise(last.argument);
}

const lastEntity = (name: TSESTree.EntityName): string =>
  name.type === 'Identifier' ? name.name : name.type === 'TSQualifiedName' ? name.right.name : '';

/** `new Promise(…)`, `Promise.resolve(…)`, `x.then(…)`, and what stands for a call of an async function. */
function isPromise(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  if (bare.type === 'NewExpression') return lastName(bare.callee) === 'Promise';
  if (bare.type !== 'CallExpression') return false;
  const callee = calleeOf(bare);
  if (callee.type === 'CallExpression') return isHelper(callee, 'wrap');
  if (isHelper(bare, 'run')) return true;
  if (callee.type !== 'MemberExpression') return false;
  return lastName(callee.object) === 'Promise' || PROMISE_METHODS.has(lastName(callee) ?? '');
}

/** Whether a call is one of those that compilers put in the place of `async`. */
const isHelper = (call: CallNode, kind: keyof typeof ASYNC_HELPERS): boolean =>
  ASYNC_HELPERS[kind].test(lastName(calleeOf(call)) ?? '');

/** `_load = _asyncToGenerator(function* () { … })`, the result not called on the spot. */
export const isMadeAsync = (call: CallNode): boolean =>
  isHelper(call, 'wrap') && !(call.parent.type === 'CallExpression' && calleeOf(call.parent) === call);
