import type { TSESTree } from '@typescript-eslint/utils';
import type { Blocks, LoopRow } from '../apis/loop-rows.ts';
import { bare } from '../apis/tables.ts';
import { specifierName } from '../read/exports.ts';
import type { LoopModule } from '../read/loop-module.ts';
import { walk } from '../read/module-index.ts';
import { isReference, lastName } from '../read/nodes.ts';
import { spanOf, type Span, type UnitSummary } from '../read/summary.ts';
import type { SourceSite } from './source-summary.ts';

/** Blocking APIs that a module gives another name: `export { readFileSync } from 'fs'`, `export const read = readFileSync`. */
export function apisHandedOn(module: LoopModule): { unit: UnitSummary; site: SourceSite }[] {
  const { view, table } = module;
  const found: { unit: UnitSummary; site: SourceSite }[] = [];
  if (!table.mention.test(view.text)) return found;
  const add = (node: TSESTree.Node, name: string | undefined, row: LoopRow | undefined): void => {
    if (name === undefined || !row?.blocks) return;
    const span = spanOf(node);
    found.push({
      unit: { ...span, name, names: [name], where: 'called', as: '' },
      site: siteOf(span, row, row.blocks),
    });
  };
  walk(view.ast, (node) => {
    if (node.type === 'ExportSpecifier') {
      const { source } = node.parent;
      const row = source
        ? table.row(bare(source.value), pathOf(specifierName(node.local)))
        : module.rowNamed(node.local)?.row;
      add(node, specifierName(node.exported), row);
    } else if (
      node.type === 'VariableDeclarator' &&
      node.id.type === 'Identifier' &&
      isReference(node.init) &&
      /^(Program|Export)/.test(node.parent.parent.type)
    ) {
      add(node, node.id.name, module.rowNamed(node.init)?.row);
    } else if (
      node.type === 'Property' &&
      node.parent.type === 'ObjectExpression' &&
      isReference(node.value)
    ) {
      add(node, lastName(node.key), module.rowNamed(node.value)?.row);
    } else if (node.type === 'AssignmentExpression' && isReference(node.right)) {
      add(node, lastName(node.left), module.rowNamed(node.right)?.row);
    }
  });
  return found;
}

const pathOf = (name: string): string => (name === 'default' ? '' : name);

function siteOf(span: Span, { module, path }: LoopRow, { cost, instead }: Blocks): SourceSite {
  const name = /[^.]*$/.exec(path)?.[0] ?? path;
  return {
    ...span,
    unit: 0,
    family: 'call',
    api: path === '' ? module : `${module}.${path}`,
    name,
    shown: name === '' ? module : name,
    isLight: cost === 'probe',
    isRepeated: false,
    sqlite: undefined,
    instead,
    bound: undefined,
  };
}
