import type { TSESTree } from '@typescript-eslint/utils';

/** The names that a module exports by ES syntax; `default`, and `*` for all of another module. */
export function exportedNames(ast: TSESTree.Program): string[] {
  return ast.body.flatMap((node) => {
    switch (node.type) {
      case 'ExportNamedDeclaration':
        return [
          ...node.specifiers.map(({ exported }) => specifierName(exported)),
          ...declaredNames(node.declaration),
        ];
      case 'ExportAllDeclaration':
        return [node.exported ? specifierName(node.exported) : '*'];
      case 'ExportDefaultDeclaration':
        return ['default'];
      default:
        return [];
    }
  });
}

/** The name in `import { a }` and `import { 'a' as b }`. */
export const specifierName = (node: TSESTree.Identifier | TSESTree.StringLiteral): string =>
  node.type === 'Identifier' ? node.name : node.value;

function declaredNames(node: TSESTree.Node | null): string[] {
  if (node?.type === 'VariableDeclaration')
    return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return node && 'id' in node && node.id?.type === 'Identifier' ? [node.id.name] : [];
}
