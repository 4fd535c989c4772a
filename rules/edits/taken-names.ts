import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopModule } from '../read/loop-module.ts';
import type { Variable } from '../read/module-index.ts';
import { isInside } from '../read/nodes.ts';
import { sortedEdits, type Edit } from './edit.ts';
import { removeItems, removeStatement } from './removal.ts';

/** The name of the module that a name was taken from: `const { readFileSync } = fs`, `const read = fs.readFileSync`. */
export function ownerOf({ callees }: LoopModule, { defs }: Variable): string | undefined {
  const [def] = defs;
  if (def?.type !== 'Variable' || def.parent.kind !== 'const') return undefined;
  const { id, init } = def.node;
  const owner = id.type === 'ObjectPattern' || init?.type !== 'MemberExpression' ? init : init.object;
  if (owner?.type !== 'Identifier' || (id.type === 'Identifier' && owner === init)) return undefined;
  const meaning = callees.meaningOf(owner);
  return meaning?.is === 'import' && meaning.path === '' ? owner.name : undefined;
}

/** Removes those of the names that only the given nodes use, with their statements where nothing is left of these. */
export function removeTaken(
  { view }: LoopModule,
  variables: readonly Variable[],
  gone: readonly TSESTree.Node[],
): Edit[] {
  const items = new Map<TSESTree.VariableDeclarator, Set<TSESTree.Node>>();
  for (const { defs, references } of variables) {
    const [def] = defs;
    const isUnused = references.every(
      ({ identifier, init }) => init === true || gone.some((node) => isInside(identifier, node)),
    );
    if (def?.type !== 'Variable' || !isUnused) continue;
    const { node, name } = def;
    const item =
      node.id.type === 'ObjectPattern' ? node.id.properties.find((each) => isInside(name, each)) : node.id;
    if (item) items.set(node, (items.get(node) ?? new Set()).add(item));
  }
  const edits: Edit[] = [];
  const whole = new Map<TSESTree.VariableDeclaration, Set<TSESTree.Node>>();
  for (const [node, its] of items) {
    const { id, parent } = node;
    if (id.type === 'ObjectPattern' && its.size < id.properties.length)
      edits.push(...removeItems(view, id.properties, its));
    else whole.set(parent, (whole.get(parent) ?? new Set()).add(node));
  }
  for (const [statement, its] of whole)
    edits.push(
      ...(its.size < statement.declarations.length
        ? removeItems(view, statement.declarations, its)
        : removeStatement(view, statement)),
    );
  return joined(sortedEdits(edits));
}

/** Removals that touch are one: taken back, two would insert at the same place. */
const joined = (sorted: readonly Edit[]): Edit[] =>
  sorted.reduce<Edit[]>((all, { ...edit }) => {
    const last = all.at(-1);
    if (last?.end === edit.start && last.text + edit.text === '') last.end = edit.end;
    else all.push(edit);
    return all;
  }, []);
