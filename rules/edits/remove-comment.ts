import type { TSESTree } from '@typescript-eslint/utils';
import type { Edit } from './edit.ts';

/**
 * The edit that removes a comment, with its line where it stands alone there.
 *
 * @param end where the removal ends, for a comment that goes on in those below it
 */
export function removeComment(text: string, comment: TSESTree.Comment, end = comment.range[1]): Edit {
  const start = comment.range[0];
  const before = /[^\S\r\n]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const after = /^[^\S\r\n]*(\r\n|[\n\r]|$)/.exec(text.slice(end));
  const isFirst = /[\r\n]$|^$/.test(text.slice(0, start - before.length));
  if (isFirst && after) return { start: start - before.length, end: end + after[0].length, text: '' };
  if (after)
    return { start: start - before.length, end: end + after[0].length - (after[1] ?? '').length, text: '' };
  const isApart = isFirst || before !== '' || /^\s/.test(text.slice(end));
  const behind = isApart ? (/^[^\S\r\n]*/.exec(text.slice(end))?.[0] ?? '') : '';
  return { start, end: end + (before === '' && !isFirst ? 0 : behind.length), text: isApart ? '' : ' ' };
}
