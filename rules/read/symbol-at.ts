import type { TSESTree } from '@typescript-eslint/utils';

/**
 * The scope that a node stands in, from the outside in: `Class.method`, `start.launch`; empty at the top level.
 * Functions without a name of their own take that of what they are assigned to; callbacks have none and are left out.
 */
export function symbolAt(node: TSESTree.Node | null | undefined): string {
  const names: string[] = [];
  // An object's name counts only as the owner of one of its functions.
  let inFunction = false;
  for (let at = node; at; at = at.parent) {
    if (at.type === 'ObjectExpression' ? !inFunction : !isScope(at)) continue;
    inFunction = true;
    const name = nameOf(at);
    if (name) names.unshift(name);
  }
  return names.join('.');
}

const SCOPES = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
  'TSModuleDeclaration',
]);

const isScope = (node: TSESTree.Node): boolean => SCOPES.has(node.type);

function nameOf(node: TSESTree.Node): string | undefined {
  if ('id' in node && node.id) return textOf(node.id);
  const { parent } = node;
  switch (parent?.type) {
    case 'VariableDeclarator':
      return textOf(parent.id);
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return parent.right === node ? textOf(parent.left) : undefined;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'AccessorProperty':
      return parent.value === node ? keyOf(parent) : undefined;
    case 'ExportDefaultDeclaration':
      return 'default';
    default:
      return undefined;
  }
}

function keyOf({ key, computed }: { key: TSESTree.Node; computed: boolean }): string | undefined {
  if (key.type === 'Literal') return String(key.value);
  return computed ? undefined : textOf(key);
}

/** The names of a target, without what every module writes before its own: `exports`, `module.exports`, `this`, `prototype`. */
function textOf(node: TSESTree.Node): string | undefined {
  if (node.type === 'Identifier')
    return node.name === 'exports' || node.name === 'module' ? undefined : node.name;
  if (node.type === 'PrivateIdentifier') return `#${node.name}`;
  if (node.type === 'Literal') return String(node.value);
  if (node.type !== 'MemberExpression') return undefined;
  const [owner, own] = [textOf(node.object), keyOf({ key: node.property, computed: node.computed })];
  const kept = own === 'exports' || own === 'prototype' ? undefined : own;
  return [owner, kept].filter((name) => name !== undefined).join('.') || undefined;
}
