import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { NoteCode } from './reasons.ts';

/** What a person should see about removed code: a comment on its line or in it. */
export function keptComments(view: ModuleView, node: TSESTree.Node): NoteCode[] {
  const { start, end } = node.loc;
  const isKept = view.comments.some(
    ({ loc, range }) =>
      (range[0] >= node.range[0] && range[1] <= node.range[1]) ||
      (loc.start.line === end.line && range[0] >= node.range[1]) ||
      (loc.end.line === start.line - 1 && loc.start.column === start.column),
  );
  return isKept ? ['comment-kept'] : [];
}
