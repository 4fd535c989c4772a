import type { TSESTree } from '@typescript-eslint/utils';
import { REQUEST_PARAMETERS, REQUEST_TYPES } from '../apis/handlers.ts';
import type { Callees } from './callee.ts';
import type { FunctionNode } from './nodes.ts';

/** Whether a function has the parameters of a request handler, by their names. */
export function takesRequest(fn: FunctionNode): boolean {
  return REQUEST_PARAMETERS.every((pattern, at) => {
    const param = fn.params[at];
    return param?.type === 'Identifier' && pattern.test(param.name);
  });
}

/** Whether a function is given what only a server gives, by a parameter's type. */
export const takesRequestType = (callees: Callees, fn: FunctionNode): boolean =>
  fn.params.some((param) => isRequest(callees, param));

/** `req: express.Request`: whoever has one is serving it. */
function isRequest(callees: Callees, param: TSESTree.Node): boolean {
  const name = param.type === 'AssignmentPattern' ? param.left : param;
  const annotation = 'typeAnnotation' in name ? name.typeAnnotation : undefined;
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
  if (type?.type !== 'TSTypeReference') return false;
  const { typeName } = type;
  const [holder, member] =
    typeName.type === 'TSQualifiedName' ? [typeName.left, typeName.right.name] : [typeName, ''];
  const meaning = holder.type === 'Identifier' ? callees.meaningOf(holder) : undefined;
  if (meaning?.is !== 'import') return false;
  const path = [meaning.path, member].filter(Boolean).join('.');
  return REQUEST_TYPES[meaning.module]?.includes(path) === true;
}
