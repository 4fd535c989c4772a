import type { TSESTree } from '@typescript-eslint/utils';
import { constantText, type ModuleIndex } from './module-index.ts';
import { lastName } from './nodes.ts';

/** What the compilers of TypeScript, swc and esbuild call to decorate: `__decorate([Get()], Items.prototype, 'list', null)`. */
const HELPERS = ['__decorate', '_ts_decorate', '__decorateClass'];

/** The decorators of a method, as they are written or as a compiler left them. */
export function decoratorsOf(index: ModuleIndex, method: TSESTree.MethodDefinition): TSESTree.Node[] {
  // Only TypeScript's parser knows decorators.
  const { decorators = [] } = method as Partial<TSESTree.MethodDefinition>;
  return [...decorators.map(({ expression }) => expression), ...compiled(index, method)];
}

function compiled(index: ModuleIndex, method: TSESTree.MethodDefinition): TSESTree.Node[] {
  const name = index.keyOf(method);
  const owner = method.parent.parent.id?.name;
  if (name === undefined || owner === undefined) return [];
  return HELPERS.flatMap((helper) => index.callsNamed(helper)).flatMap((call) => {
    const [list, target, key] = call.type === 'CallExpression' ? call.arguments : [];
    if (list?.type !== 'ArrayExpression' || target?.type !== 'MemberExpression' || !key) return [];
    const isIts = lastName(target.object) === owner && constantText(index, key) === name;
    return isIts ? list.elements.filter((each) => each !== null) : [];
  });
}
