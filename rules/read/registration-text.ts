import type { LoopModule } from './loop-module.ts';
import { calleeOf } from './nodes.ts';
import { heldBy } from './registrations.ts';
import { rolesOf } from './roles.ts';

const MOST_TEXT = 60;

/**
 * What call of a module registers a function, and by which row: `` it is given to `app.get` in line 4, by the row
 * `express App#.get` ``; undefined where none does.
 *
 * @param start where the function begins in the text
 */
export function registrationText(module: LoopModule, start: number): string | undefined {
  const roles = rolesOf(module);
  for (const call of module.index.calls) {
    if (call.type === 'TaggedTemplateExpression' || !roles.callbacks(call)) continue;
    const holds = call.arguments.some((arg) => heldBy(module, arg).some(({ range }) => range[0] === start));
    if (!holds) continue;
    const callee = module.view.text.slice(...calleeOf(call).range).replaceAll(/\s+/g, ' ');
    const shown = callee.length > MOST_TEXT ? `${callee.slice(0, MOST_TEXT)}…` : callee;
    const row = module.rowOf(call)?.row;
    const by = row?.callbacks
      ? `by the row \`${`${row.module} ${row.path}`.trim()}\``
      : "by the shape of the call (settings['owned-spawn'].context.shapes)";
    return `it is given to \`${shown}\` in line ${String(call.loc.start.line)}, ${by}`;
  }
  return undefined;
}
