import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { SpawnSite } from '../read/site.ts';
import { eolNear, indentOf, isBlank, lineStart } from './lines.ts';
import type { EditResult } from './reasons.ts';

const SKELETON = 'detached-spawn: ok —';

/** Edits that put a marker without a reason directly above a site's statement: the rule rejects it until a person writes why. */
export function markerSkeletonEdits(view: ModuleView, site: SpawnSite): EditResult {
  const { text } = view;
  const [start] = statementOf(site.call).range;
  const line = lineStart(text, start);
  const marker = isBlank(text, line, start)
    ? { start: line, end: line, text: `${indentOf(text, start)}// ${SKELETON} ${eolNear(text, start)}` }
    : { start, end: start, text: `/* ${SKELETON} */ ` };
  return { edits: [marker], notes: [] };
}

/** The statement or class member that a marker speaks of. */
function statementOf(call: TSESTree.Node): TSESTree.Node {
  let node = call;
  while (node.parent && !/(?:Statement|Declaration|Definition|AccessorProperty)$/.test(node.type))
    node = node.parent;
  return node.parent && /^Export/.test(node.parent.type) ? node.parent : node;
}
