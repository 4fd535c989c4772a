import type { TSESTree } from '@typescript-eslint/utils';
import { bare } from '../apis/tables.ts';
import { requestIn, type ModuleSource } from './module-source.ts';

/** The package of the runtime. */
export const RUNTIME = 'owned-spawn';

/** The import of a module that a scope has already. */
export function existingBinding(body: TSESTree.Node, module: string): ModuleSource | undefined {
  const isIt = ({ value }: TSESTree.StringLiteral): boolean => bare(value) === bare(module);
  const statements = 'body' in body && Array.isArray(body.body) ? (body.body as TSESTree.Node[]) : [];
  for (const statement of statements) {
    if (statement.type === 'ImportDeclaration' && isIt(statement.source) && statement.importKind !== 'type')
      return { statement, declarator: undefined, specifier: statement.source };
    if (statement.type !== 'VariableDeclaration') continue;
    for (const declarator of statement.declarations) {
      const specifier = requestIn(declarator.init);
      const plain =
        specifier && (specifier.parent === declarator.init || specifier.parent.parent === declarator.init);
      if (plain && isIt(specifier) && declarator.init?.type !== 'MemberExpression')
        return { statement, declarator, specifier };
    }
  }
  return undefined;
}

/** What an import names already: pairs of exported and local name, and the local name of the whole module. */
export function bindingsOf(source: ModuleSource): {
  named: Map<string, string>;
  last: TSESTree.Node | undefined;
  ns: string | undefined;
} {
  const named = new Map<string, string>();
  let last: TSESTree.Node | undefined;
  let ns: string | undefined;
  const { statement, declarator } = source;
  if (statement.type === 'ImportDeclaration') {
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportNamespaceSpecifier') ns = specifier.local.name;
      if (specifier.type !== 'ImportSpecifier') continue;
      last = specifier;
      if (specifier.importKind !== 'type' && specifier.imported.type === 'Identifier')
        named.set(specifier.imported.name, specifier.local.name);
    }
  } else if (declarator?.id.type === 'Identifier') ns = declarator.id.name;
  else if (declarator?.id.type === 'ObjectPattern') {
    for (const property of declarator.id.properties) {
      last = property;
      if (
        property.type === 'Property' &&
        property.key.type === 'Identifier' &&
        property.value.type === 'Identifier'
      )
        named.set(property.key.name, property.value.name);
    }
  }
  return { named, last, ns };
}
