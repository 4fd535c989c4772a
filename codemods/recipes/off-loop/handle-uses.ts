import { isFunction, lastName } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { outermost } from './value-uses.ts';

/** `if (db)`, `!db`, `db === undefined`, `typeof db`: nothing but a look. */
export function isLookedAt(use: TSESTree.Node): boolean {
  const { parent } = use;
  if (!parent) return false;
  if (parent.type === 'UnaryExpression' || parent.type === 'TSTypeQuery') return true;
  if (parent.type === 'BinaryExpression') return /^[!=]==?$/.test(parent.operator);
  return 'test' in parent && parent.test === use;
}

/** Whether a use is, or is part of, what a module exports. */
export function isExportOf(use: TSESTree.Node): boolean {
  for (let at: TSESTree.Node | undefined = use; at; at = at.parent) {
    if (at.type.startsWith('Export')) return true;
    if (at.type === 'AssignmentExpression') return /^(module\.)?exports\b/.test(rootName(at.left));
    if (isFunction(at) || at.type === 'CallExpression') return false;
  }
  return false;
}

const rootName = (node: TSESTree.Node): string =>
  node.type === 'MemberExpression'
    ? `${rootName(node.object)}.${lastName(node) ?? ''}`
    : node.type === 'Identifier'
      ? node.name
      : '';

/** A statement, or all of an arrow function: nothing looks at what it gives. */
export function isValueUnused(call: TSESTree.Node): boolean {
  const { parent } = outermost(call);
  return parent?.type === 'ExpressionStatement' || parent?.type === 'ArrowFunctionExpression';
}

/** Whether an error of a call is caught where it is: the facade has it at the first use. */
export function isTried(call: TSESTree.Node): boolean {
  for (let at = call; at.parent && !isFunction(at); at = at.parent)
    if (at.parent.type === 'TryStatement' && at.parent.block === at && at.parent.handler) return true;
  return false;
}
