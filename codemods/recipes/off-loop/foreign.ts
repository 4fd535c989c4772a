import { bareExpression, functionAround, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/** Whether an object is another package's, a global's or a literal: its members are none of the program's. */
export function isForeign(module: LoopModule, object: TSESTree.Node, depth = 8): boolean {
  if (depth === 0) return false;
  const node = bareExpression(object);
  const meaning = module.callees.meaningOf(node);
  if (meaning) return meaning.is === 'import' && !meaning.module.startsWith('./');
  switch (node.type) {
    case 'Literal':
    case 'TemplateLiteral':
    case 'ArrayExpression':
    case 'BinaryExpression':
      return true;
    case 'MemberExpression':
      return isForeign(module, node.object, depth - 1);
    case 'AwaitExpression':
      return isForeign(module, node.argument, depth - 1);
    case 'CallExpression':
    case 'NewExpression':
      return isForeign(module, node.callee, depth - 1);
    case 'LogicalExpression':
      return isForeign(module, node.left, depth - 1) && isForeign(module, node.right, depth - 1);
    case 'Identifier':
      return isForeignName(module, node, depth);
    default:
      return false;
  }
}

function isForeignName(module: LoopModule, node: TSESTree.Identifier, depth: number): boolean {
  const def = module.index.variableOf(node)?.defs[0];
  if (!def) return true;
  if (def.type === 'ImportBinding')
    return def.parent.type === 'ImportDeclaration' && !def.parent.source.value.startsWith('.');
  if (def.type === 'Variable') return def.node.init !== null && isForeign(module, def.node.init, depth - 1);
  if (def.type !== 'Parameter') return false;
  // What another package calls back with is its own.
  const fn = functionAround(def.name);
  const call = fn?.parent;
  return call?.type === 'CallExpression' && call.callee !== fn && isForeign(module, call.callee, depth - 1);
}
