import { isBuiltin } from 'node:module';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import type { Edit } from './edit.ts';
import { sourceOf, type ModuleSource } from './module-source.ts';
import { removeItems, removeStatement } from './removal.ts';
import { codeAfter, commentsIn } from './trivia.ts';

/** Names of one import that nothing uses once the replaced code is gone. */
export interface Unused {
  owner: ModuleSource['statement'] | TSESTree.VariableDeclarator;
  source: ModuleSource;
  nodes: Set<TSESTree.Node>;
  variables: Variable[];
  /** Nothing of the import is left. */
  whole: boolean;
}

/**
 * The imports that name the given variables, none of which is used any more; of those that `require`, another module than
 * Node's own stays where nothing of it would be left: what it does when it is loaded may matter.
 */
export function unusedSources(
  variables: readonly Variable[],
  isKept: (source: ModuleSource) => boolean = hasEffects,
): Unused[] {
  const found = new Map<Unused['owner'], Unused>();
  for (const variable of variables) {
    const source = sourceOf(variable);
    if (!source) continue;
    const owner = source.declarator ?? source.statement;
    const each = found.get(owner) ?? { owner, source, nodes: new Set(), variables: [], whole: false };
    const name = variable.identifiers[0];
    if (name) each.nodes.add(listed(name));
    each.variables.push(variable);
    each.whole = namesOf(source).every((node) => each.nodes.has(node));
    found.set(owner, each);
  }
  return [...found.values()].filter(
    ({ source, whole }) => !whole || !isKept(source) || source.statement.type === 'ImportDeclaration',
  );
}

/** The list item that declares a name. */
function listed(name: TSESTree.Node): TSESTree.Node {
  let node = name;
  while (
    node.parent &&
    !/^(ImportDeclaration|TSImportEqualsDeclaration|VariableDeclarator|ObjectPattern)$/.test(node.parent.type)
  )
    node = node.parent;
  return node;
}

function namesOf({ statement, declarator }: ModuleSource): readonly TSESTree.Node[] {
  if (statement.type === 'ImportDeclaration') return statement.specifiers;
  if (statement.type === 'TSImportEqualsDeclaration') return [statement.id];
  if (!declarator) return [];
  return declarator.id.type === 'ObjectPattern' ? declarator.id.properties : [declarator.id];
}

/** Whether loading the module may do more than give names: Node's own do not. */
export const hasEffects = ({ specifier }: ModuleSource): boolean => !isBuiltin(specifier.value);

/**
 * Removes what an import names for nobody; the whole statement where nothing is left of it, but of a module that may have
 * effects `import './x.js'` stays.
 */
export function removeUnused(view: ModuleView, { source, nodes, whole }: Unused): Edit[] {
  const { statement, declarator } = source;
  if (whole && statement.type === 'ImportDeclaration' && hasEffects(source)) {
    const [start, end] = [statement.range[0] + 'import'.length, source.specifier.range[0]];
    return commentsIn(view, start, end).length > 0 ? [] : [{ start, end, text: ' ' }];
  }
  if (whole) {
    if (statement.type !== 'VariableDeclaration' || !declarator || statement.declarations.length === 1)
      return removeStatement(view, statement);
    return removeItems(view, statement.declarations, new Set([declarator]));
  }
  const names = namesOf(source);
  // A rest element takes what its siblings leave: a name less is a member more.
  if (names.some(({ type }) => type === 'RestElement')) return [];
  const [first] = names;
  if (statement.type !== 'ImportDeclaration' || first?.type === 'ImportSpecifier')
    return removeItems(view, names, nodes);
  return removeDefault(view, statement, nodes);
}

/** Removes either side of `import a, { b }` or the names that are gone from its braces. */
function removeDefault(
  view: ModuleView,
  statement: TSESTree.ImportDeclaration,
  nodes: ReadonlySet<TSESTree.Node>,
): Edit[] {
  const [first, second] = statement.specifiers;
  const named = statement.specifiers.filter(({ type }) => type === 'ImportSpecifier');
  const last = statement.specifiers.at(-1);
  if (!first || !second || !last) return [];
  const rest = second.type === 'ImportSpecifier' ? view.text.indexOf('{', first.range[1]) : second.range[0];
  const close = codeAfter(view, last.range[1]);
  const end = second.type === 'ImportSpecifier' ? view.text.indexOf('}', close) + 1 : last.range[1];
  const cuts: [number, number][] = [];
  if (nodes.has(first)) cuts.push([first.range[0], rest]);
  else if (statement.specifiers.slice(1).every((specifier) => nodes.has(specifier)))
    cuts.push([first.range[1], end]);
  if (cuts.some(([from, to]) => commentsIn(view, from, to).length > 0)) return [];
  const inner = named.some((specifier) => !nodes.has(specifier)) ? removeItems(view, named, nodes) : [];
  return [...cuts.map(([start, stop]) => ({ start, end: stop, text: '' })), ...inner];
}
