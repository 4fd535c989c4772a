import { sourceOf, walk, type Edit, type FacadeUse, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

const FACADE_TYPES: Readonly<Record<string, FacadeUse['name']>> = {
  Database: 'Database',
  DatabaseSync: 'NodeDatabase',
  Statement: 'Statement',
  StatementSync: 'NodeStatement',
};

/**
 * What a type that is written on a handle or a statement becomes; undefined where it speaks of what the facade does not
 * have, or by a name that is not known.
 */
export function driverTypes(
  module: LoopModule,
  type: TSESTree.Node,
  driver: string,
): { names: FacadeUse[]; edits: Edit[] } | undefined {
  const names: FacadeUse[] = [];
  const edits: Edit[] = [];
  const unknown: TSESTree.Node[] = [];
  // A type argument of a statement says what its rows are: nothing of the driver.
  const rows: TSESTree.Node[] = [];
  walk(type, (node) => {
    if (node.type === 'TSImportType') unknown.push(node);
    if (node.type !== 'TSTypeReference' || rows.some((row) => isWithin(node, row))) return;
    const { typeName, typeArguments } = node;
    rows.push(...(typeArguments?.params ?? []));
    const name = nameOf(module, typeName, driver);
    if (name === undefined) {
      if (typeName.type !== 'Identifier' || typeName.name !== 'ReturnType') unknown.push(node);
      return;
    }
    names.push({ name, replaces: typeName, range: typeName.range });
    if (!typeArguments) return;
    const [, row] = typeArguments.params;
    const [start, end] = typeArguments.range;
    edits.push({ start, end, text: row ? `<${module.view.text.slice(...row.range)}>` : '' });
  });
  return unknown.length === 0 ? { names, edits } : undefined;
}

const isWithin = ({ range: [start, end] }: TSESTree.Node, { range }: TSESTree.Node): boolean =>
  start >= range[0] && end <= range[1];

/** `Database.Statement` and `Statement`, where they are the driver's. */
function nameOf(
  { index }: LoopModule,
  typeName: TSESTree.EntityName,
  driver: string,
): FacadeUse['name'] | undefined {
  let root: TSESTree.Node = typeName;
  while (root.type === 'TSQualifiedName') root = root.left;
  const variable = root.type === 'Identifier' ? index.variableOf(root) : undefined;
  const source = variable && sourceOf(variable);
  if (!variable || source?.specifier.value !== driver) return undefined;
  if (typeName.type === 'TSQualifiedName') return FACADE_TYPES[typeName.right.name];
  const id = variable.identifiers[0]?.parent;
  const imported =
    id?.type === 'ImportSpecifier' && id.imported.type === 'Identifier' ? id.imported.name : 'Database';
  return FACADE_TYPES[imported];
}
