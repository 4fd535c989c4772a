import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { SpawnSite } from '../read/site.ts';
import type { Edit } from './edit.ts';
import { eolNear, indentOf, isBlank, lineStart } from './lines.ts';
import type { EditResult } from './reasons.ts';

/** Edits that put a marker without a reason directly above a site's statement: the rule rejects it until a person writes why. */
export function markerSkeletonEdits(view: ModuleView, site: SpawnSite): EditResult {
  return { edits: [commentAbove(view, site.call, 'detached-spawn: ok —')], notes: [] };
}

/**
 * Puts a comment on a line above a node's statement; in front of it where the statement begins in mid-line, and in
 * front of the node where it stands in the markup of a component.
 */
export function commentAbove({ text }: ModuleView, node: TSESTree.Node, comment: string): Edit {
  const statement = statementOf(node);
  const [start] = (statement ?? node).range;
  const line = lineStart(text, start);
  return statement && isBlank(text, line, start)
    ? { start: line, end: line, text: `${indentOf(text, start)}// ${comment}${eolNear(text, start)}` }
    : { start, end: start, text: `/* ${comment} */ ` };
}

/** The statement or class member that a comment above a node speaks of; none in Svelte's and Astro's markup. */
function statementOf(start: TSESTree.Node): TSESTree.Node | undefined {
  let node = start;
  while (!/(?:Statement|Declaration|Definition|AccessorProperty)$/.test(node.type)) {
    if (!node.parent) return undefined;
    node = node.parent;
  }
  return node.parent?.type.startsWith('Export') ? node.parent : node;
}
