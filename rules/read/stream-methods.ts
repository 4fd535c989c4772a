import type { TSESTree } from '@typescript-eslint/utils';
import { CHUNK_CALLBACK, STREAM, STREAM_METHODS } from '../apis/streams.ts';
import type { LoopModule } from './loop-module.ts';
import { lastName, type FunctionNode } from './nodes.ts';

/**
 * Whether a stream calls a function for its chunks: a method of a class that extends one, or what has the name and the
 * parameters of one: `Lines.prototype._transform = function (chunk, encoding, callback) { … }`.
 */
export function isStreamMethod(module: LoopModule, fn: FunctionNode): boolean {
  const { parent, params } = fn;
  const name = methodName(module, fn);
  if (name === undefined || !STREAM_METHODS.has(name)) return false;
  if (parent.type === 'MethodDefinition' && isStream(module, parent.parent.parent.superClass)) return true;
  const last = params[2];
  return module.table.context.shapes && last?.type === 'Identifier' && CHUNK_CALLBACK.test(last.name);
}

function methodName({ index }: LoopModule, fn: FunctionNode): string | undefined {
  const { parent } = fn;
  if (parent.type === 'MethodDefinition' || parent.type === 'Property') return index.keyOf(parent);
  const isAssigned = parent.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression';
  return isAssigned ? lastName(parent.left) : undefined;
}

const isStream = (module: LoopModule, base: TSESTree.Node | null): boolean =>
  base !== null && module.rowNamed(base)?.row.returns === STREAM;
