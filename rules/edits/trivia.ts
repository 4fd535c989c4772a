import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';

/** The comments that touch a stretch of text. */
export function commentsIn(view: ModuleView, start: number, end: number): TSESTree.Comment[] {
  return view.comments.filter(({ range }) => range[1] > start && range[0] < end);
}

/** The offset of the first character at or after an offset that belongs to the code. */
export function codeAfter(view: ModuleView, offset: number): number {
  for (let at = offset; ;) {
    while (/\s/.test(view.text.charAt(at))) at++;
    const comment = view.comments.find(({ range }) => range[0] === at);
    if (!comment) return at;
    at = comment.range[1];
  }
}

/** The offset behind the last character before an offset that belongs to the code. */
export function codeBefore(view: ModuleView, offset: number): number {
  for (let at = offset; ;) {
    while (at > 0 && /\s/.test(view.text.charAt(at - 1))) at--;
    const comment = view.comments.find(({ range }) => range[1] === at);
    if (!comment) return at;
    at = comment.range[0];
  }
}
