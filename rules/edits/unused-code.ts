import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import { isInside } from '../read/nodes.ts';
import type { Edit } from './edit.ts';
import { isPure } from './is-pure.ts';
import { keptComments } from './kept-comments.ts';
import type { NoteCode } from './reasons.ts';
import { removeItems, removeStatement } from './removal.ts';
import { hasEffects, unusedSources, type Unused } from './unused-imports.ts';

/** What nothing uses any more once some code is gone. */
export interface UnusedCode {
  /** Imports to remove, the whole of them or some of their names. */
  imports: Unused[];
  /** Takes away the constants. */
  edits: Edit[];
  /** What a person should see about what else goes with a node, or stays though nothing uses it. */
  notesOf: (node: TSESTree.Node) => NoteCode[];
}

/**
 * Finds what only the given nodes use: imports, and constants whose initialiser has no effects, with what only these use.
 * @param gone nodes that are removed or replaced
 */
export function unusedCode(view: ModuleView, gone: readonly TSESTree.Node[]): UnusedCode {
  const nodes = [...gone];
  const constants = new Set<TSESTree.VariableDeclarator>();
  for (let size = -1; size !== nodes.length;) {
    size = nodes.length;
    for (const variable of unusedVariables(view, nodes)) {
      const declarator = constantOf(variable);
      if (!declarator || constants.has(declarator)) continue;
      constants.add(declarator);
      nodes.push(declarator);
    }
  }
  const imports = unusedSources(unusedVariables(view, nodes));
  const emptied = new Set(
    imports.flatMap(({ source, variables, whole }) => (whole && hasEffects(source) ? variables : [])),
  );
  const removed = new Set<Variable>([
    ...imports.flatMap(({ variables }) => variables),
    ...[...constants].flatMap((node) => view.scopeManager.getDeclaredVariables(node)),
  ]);
  const left = unusedVariables(view, nodes).filter((variable) => !removed.has(variable));
  return {
    imports,
    edits: [...constants].flatMap((node) =>
      node.parent.declarations.length === 1
        ? removeStatement(view, node.parent)
        : removeItems(view, node.parent.declarations, new Set([node])),
    ),
    notesOf: (node) => {
      const has = (variables: Iterable<Variable>): boolean =>
        [...variables].some((variable) => isUsedIn(variable, node));
      return [
        ...[...constants].flatMap((each) =>
          has(view.scopeManager.getDeclaredVariables(each)) ? keptComments(view, each.parent) : [],
        ),
        ...(has(emptied) ? (['import-for-effects'] as const) : []),
        ...(has(left) ? (['unused-left'] as const) : []),
      ];
    },
  };
}

const isUsedIn = ({ references }: Variable, node: TSESTree.Node): boolean =>
  references.some(({ identifier }) => isInside(identifier, node));

/** The variables and imports that are used in the given nodes and nowhere else. */
export function unusedVariables({ scopeManager }: ModuleView, nodes: readonly TSESTree.Node[]): Variable[] {
  const isGone = (identifier: TSESTree.Node): boolean => nodes.some((node) => isInside(identifier, node));
  const used = new Set<Variable>();
  for (const { references } of scopeManager.scopes) {
    for (const { identifier, resolved, init } of references)
      if (resolved && init !== true && isGone(identifier)) used.add(resolved);
  }
  return [...used].filter(
    ({ defs, references }) =>
      /^(?:Variable|ImportBinding)$/.test(defs[0]?.type ?? '') &&
      references.every(({ identifier, init }) => init === true || isGone(identifier)),
  );
}

/** The declaration of a constant that can go without anybody noticing: one declarator of several, or a whole statement. */
function constantOf({ defs, references }: Variable): TSESTree.VariableDeclarator | undefined {
  const [def, ...more] = defs;
  if (def?.type !== 'Variable' || more.length > 0 || !isOneName(def.node.id)) return undefined;
  const { init, parent } = def.node;
  const isStatement = 'body' in parent.parent && Array.isArray(parent.parent.body);
  const isWrittenOnce = references.every((reference) => !reference.isWrite() || reference.init === true);
  return init && isStatement && isWrittenOnce && isPure(init) ? def.node : undefined;
}

/** `pid`, and `{ pid }`. */
function isOneName(id: TSESTree.BindingName): boolean {
  if (id.type !== 'ObjectPattern') return id.type === 'Identifier';
  const [only, ...more] = id.properties;
  return more.length === 0 && only?.type === 'Property' && only.value.type === 'Identifier' && !only.computed;
}
