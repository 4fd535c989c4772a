import type { Compiler } from 'eslint-plugin-owned-spawn/api';
import type { Said } from './delta.ts';
import type { OverlayProgram } from './overlay-program.ts';

/** Types and names: an edit may show an old mistake another type than before. */
const QUOTED = /'[^']*'/g;

/** What the type checker says of some files of a program. */
export function typeCheck(ts: Compiler, { program }: OverlayProgram, files: Iterable<string>): Said[] {
  return [...files].flatMap((path) => {
    const file = program.getSourceFile(path);
    if (!file) return [];
    return program.getSemanticDiagnostics(file).map(({ code, messageText, start = 0 }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, ' ');
      return {
        file: path,
        line: file.getLineAndCharacterOfPosition(start).line + 1,
        key: `TS${code} ${message.replace(QUOTED, '')}`,
        text: `TS${code}: ${message}`,
      };
    });
  });
}
