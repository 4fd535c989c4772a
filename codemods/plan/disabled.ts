import type { ModuleView } from 'eslint-plugin-owned-spawn/api';

const DIRECTIVE = /^\s*eslint-(disable-next-line|disable-line|disable|enable)(?:\s+([\s\S]*))?$/;

/** Whether a directive speaks of one of the rules: by its name under any prefix, or of all rules. */
function concernsUs(rules: string, ours: readonly string[]): boolean {
  const names = rules
    .split(/\s-{2,}\s/)[0]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return !names || names.length === 0 || names.some((name) => ours.includes(name.replace(/^.*\//, '')));
}

/** Tells of a line, counted from 1, and a column, counted from 0, whether ESLint is told not to report a rule there. */
export function disabledAt(
  view: ModuleView,
  ours: readonly string[] = ['no-detached-spawn'],
): (line: number, column: number) => boolean {
  const lines = new Set<number>();
  const switches: { line: number; column: number; off: boolean }[] = [];
  for (const { value, loc, type } of view.comments) {
    const [, kind, rules = ''] = DIRECTIVE.exec(value) ?? [];
    if (kind === undefined || !concernsUs(rules, ours)) continue;
    if (kind === 'disable-line') lines.add(loc.start.line);
    else if (kind === 'disable-next-line') lines.add(loc.end.line + 1);
    else if (type === 'Block') switches.push({ ...loc.start, off: kind === 'disable' });
  }
  return (line, column) =>
    lines.has(line) ||
    switches.findLast((each) => each.line < line || (each.line === line && each.column <= column))?.off ===
      true;
}
