import { parseModule } from '../../../../rules/read/module-view.ts';
import { findSpawns } from '../../../../rules/read/spawns.ts';

/** `verdict form line:cause` of every site, in the order of the text; lines count from the first line of the code. */
export function sitesOf(code: string, filename = 'a.ts'): string[] {
  return findSpawns(parseModule(code, filename)).map(({ verdict, form, call, cause }) => {
    const at = `${String(call.loc.start.line)}:${cause ? String(cause.loc.start.line) : '-'}`;
    return `${verdict.is} ${form} ${at}`;
  });
}

/** Whether the rule reports such a site by default. */
export const isReported = (line: string) => /^(yes|maybe)/.test(line);
