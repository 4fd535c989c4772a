import { commentAbove, type Edit, type ModuleView } from 'eslint-plugin-owned-spawn/api';

const TODO = 'owned-spawn-todo:';

/** The comment, above a call that is left, that says why; none where one stands already. */
export function todoEdit(
  view: ModuleView,
  call: Parameters<typeof commentAbove>[1],
  reason: string,
  short = '',
): Edit | undefined {
  const edit = commentAbove(view, call, `${TODO} ${reason}: ${short}`);
  const above = view.text.slice(0, edit.start).trimEnd();
  const line = above.slice(above.lastIndexOf('\n') + 1);
  return line.includes(TODO) ? undefined : edit;
}
