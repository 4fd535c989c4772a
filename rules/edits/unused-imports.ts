import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import { isInside } from '../read/nodes.ts';
import type { Edit } from './edit.ts';
import { rootIdentifier, sourceOf, type ModuleSource } from './module-source.ts';
import { removeItems, removeStatement } from './removal.ts';
import { codeAfter, commentsIn } from './trivia.ts';

const isChildProcess = ({ specifier }: ModuleSource): boolean =>
  /^(node:)?child_process$/.test(specifier.value);

/** Names of one import that nothing uses once the replaced code is gone. */
export interface Unused {
  owner: ModuleSource['statement'] | TSESTree.VariableDeclarator;
  source: ModuleSource;
  nodes: Set<TSESTree.Node>;
  /** Nothing of the import is left. */
  whole: boolean;
}

/** The imports of child_process that lose their last use with the replaced code. */
export function unusedSources(index: ModuleIndex, replaced: readonly TSESTree.Node[]): Unused[] {
  const found = new Map<Unused['owner'], Unused>();
  const variables = new Set(
    replaced.flatMap((node) => {
      const root = rootIdentifier(node);
      return (root && index.variableOf(root)) ?? [];
    }),
  );
  for (const variable of variables) {
    const isUsed = variable.references.some(
      ({ identifier, init }) => init !== true && !replaced.some((node) => isInside(identifier, node)),
    );
    const source = sourceOf(variable);
    if (isUsed || !source || !isChildProcess(source)) continue;
    const owner = source.declarator ?? source.statement;
    const each = found.get(owner) ?? { owner, source, nodes: new Set(), whole: false };
    const name = variable.identifiers[0];
    if (name) each.nodes.add(listed(name));
    each.whole = namesOf(source).every((node) => each.nodes.has(node));
    found.set(owner, each);
  }
  return [...found.values()];
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

/** Removes what an import names for nobody; the whole statement where nothing is left of it. */
export function removeUnused(view: ModuleView, { source, nodes, whole }: Unused): Edit[] {
  const { statement, declarator } = source;
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
