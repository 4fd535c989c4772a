import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex, Variable } from '../read/module-index.ts';
import { bareExpression } from '../read/nodes.ts';

/** A statement that brings a module's names into a scope, in any of the forms that JavaScript has for it. */
export interface ModuleSource {
  statement: TSESTree.ImportDeclaration | TSESTree.TSImportEqualsDeclaration | TSESTree.VariableDeclaration;
  /** Absent for `import` statements. */
  declarator: TSESTree.VariableDeclarator | undefined;
  /** The string literal that names the module. */
  specifier: TSESTree.StringLiteral;
}

const stringLiteral = (node: TSESTree.Node | undefined): TSESTree.StringLiteral | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node : undefined;

/** The literal of `require('x')` or `import('x')` inside an initialiser: below members, `await` and compilers' helpers. */
export function requestIn(init: TSESTree.Node | null | undefined): TSESTree.StringLiteral | undefined {
  if (!init) return undefined;
  const node = bareExpression(init);
  switch (node.type) {
    case 'MemberExpression':
      return requestIn(node.object);
    case 'AwaitExpression':
      return requestIn(node.argument);
    case 'ImportExpression':
      return stringLiteral(node.source);
    case 'CallExpression': {
      const [first] = node.arguments;
      const helper = node.callee.type === 'Identifier' && /^__|^_interop/.test(node.callee.name);
      if (helper) return requestIn(first);
      return node.callee.type === 'Identifier' && /require/i.test(node.callee.name)
        ? stringLiteral(first)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The source that a variable comes from by its own declaration. */
export function sourceOf(variable: Variable): ModuleSource | undefined {
  const [def] = variable.defs;
  if (def?.type === 'ImportBinding') {
    if (def.parent.type === 'ImportDeclaration')
      return { statement: def.parent, declarator: undefined, specifier: def.parent.source };
    const { node } = def;
    if (
      node.type !== 'TSImportEqualsDeclaration' ||
      node.moduleReference.type !== 'TSExternalModuleReference'
    )
      return undefined;
    const specifier = stringLiteral(node.moduleReference.expression);
    return specifier && { statement: node, declarator: undefined, specifier };
  }
  if (def?.type !== 'Variable' || !('body' in def.parent.parent)) return undefined;
  const specifier = requestIn(def.node.init);
  return specifier && { statement: def.parent, declarator: def.node, specifier };
}

/** The identifier at the start of `a.b.c`. */
function rootIdentifier(node: TSESTree.Node): TSESTree.Identifier | undefined {
  let at = bareExpression(node);
  while (at.type === 'MemberExpression') at = bareExpression(at.object);
  return at.type === 'Identifier' ? at : undefined;
}

const isWrittenOnce = (variable: Variable): boolean =>
  variable.references.filter((reference) => reference.isWrite()).length <= 1;

/** The source that an expression's root comes from, through constant aliases; undefined where it is handed in or wrapped. */
export function sourceBehind(index: ModuleIndex, node: TSESTree.Node, depth = 5): ModuleSource | undefined {
  const root = rootIdentifier(node);
  const variable = root && index.variableOf(root);
  if (!variable || !isWrittenOnce(variable)) return undefined;
  const source = sourceOf(variable);
  const [def] = variable.defs;
  if (source || def?.type !== 'Variable' || !def.node.init || depth === 0) return source;
  return sourceBehind(index, def.node.init, depth - 1);
}

/** The module's name in a callee that brings its module along: `require('x').a`, `(await import('x')).a`. */
export function inlineRequest(callee: TSESTree.Node): TSESTree.StringLiteral | undefined {
  if (callee.type !== 'MemberExpression') return undefined;
  const owner = bareExpression(callee.object);
  return owner.type === 'MemberExpression' ? undefined : requestIn(owner);
}
