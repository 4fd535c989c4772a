import type { TSESLint, TSESTree } from '@typescript-eslint/utils';
import { requestIn } from '../edits/module-source.ts';
import type { ModuleView } from '../read/module-view.ts';
import { bareExpression } from '../read/nodes.ts';

/** A function that makes an ESLint config of the configs among its arguments. */
export interface ConfigMaker {
  /** What it is imported from. */
  from: RegExp;
  /** The exported name. */
  name: string;
  /** Whether its first argument is an object of options. */
  options?: boolean;
}

const MAKERS: readonly ConfigMaker[] = [
  { from: /^eslint\/config$|^@eslint\/config-helpers$/, name: 'defineConfig' },
  { from: /^typescript-eslint$/, name: 'config' },
  { from: /^@vue\/eslint-config-typescript$/, name: 'defineConfigWithVueTs' },
  { from: /\.nuxt\/eslint\.config\.mjs$/, name: 'default' },
  { from: /^@antfu\/eslint-config$/, name: 'default', options: true },
  { from: /^@antfu\/eslint-config$/, name: 'antfu', options: true },
];

/** A name that a module brings in: where from, and as what; `*` is the whole module. */
interface Imported {
  from: string;
  name: string;
}

/** A variable of the top level of a module that is declared once. */
export function topLevel({ scopeManager }: ModuleView, name: string): TSESLint.Scope.Variable | undefined {
  const scopes = scopeManager.scopes.filter(({ type }) => type === 'module' || type === 'global');
  return scopes.map(({ set }) => set.get(name)).find((variable) => variable?.defs.length === 1);
}

function importedAs(view: ModuleView, local: string): Imported | undefined {
  const [definition] = topLevel(view, local)?.defs ?? [];
  if (!definition) return undefined;
  const { node, parent } = definition;
  if (parent?.type === 'ImportDeclaration') {
    const from = parent.source.value;
    if (node.type === 'ImportDefaultSpecifier') return { from, name: 'default' };
    if (node.type === 'ImportNamespaceSpecifier') return { from, name: '*' };
    if (node.type !== 'ImportSpecifier') return undefined;
    return { from, name: node.imported.type === 'Identifier' ? node.imported.name : node.imported.value };
  }
  if (node.type !== 'VariableDeclarator') return undefined;
  const from = requestIn(node.init)?.value;
  if (from === undefined) return undefined;
  const init = node.init && bareExpression(node.init);
  if (init?.type === 'MemberExpression' && init.property.type === 'Identifier')
    return { from, name: init.property.name };
  if (node.id.type !== 'ObjectPattern') return { from, name: '*' };
  const property = node.id.properties.find(
    (each) => each.type === 'Property' && each.value.type === 'Identifier' && each.value.name === local,
  );
  return property?.type === 'Property' && property.key.type === 'Identifier'
    ? { from, name: property.key.name }
    : undefined;
}

/** The known function that a callee names, directly or as a member of its module. */
export function configMakerOf(view: ModuleView, callee: TSESTree.Node): ConfigMaker | undefined {
  const bare = bareExpression(callee);
  const isMember = bare.type === 'MemberExpression';
  const root = isMember ? bareExpression(bare.object) : bare;
  if (root.type !== 'Identifier') return undefined;
  const imported = importedAs(view, root.name);
  if (!imported) return undefined;
  const member = isMember && bare.property.type === 'Identifier' ? bare.property.name : undefined;
  // A default export and a whole module hold the functions by name; CommonJS calls the whole module.
  const names =
    member === undefined ? [imported.name, ...(imported.name === '*' ? ['default'] : [])] : [member];
  if (isMember && imported.name !== 'default' && imported.name !== '*') return undefined;
  return MAKERS.find(({ from, name }) => from.test(imported.from) && names.includes(name));
}
