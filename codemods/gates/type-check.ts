import { isBuiltin } from 'node:module';
import type { DiagnosticMessageChain } from 'typescript';
import type { Compiler } from 'eslint-plugin-owned-spawn/api';
import { isChecked } from './compile-units.ts';
import { codeAt, type Said } from './delta.ts';
import type { OverlayProgram } from './overlay-program.ts';

/** Types and names: an edit may show an old mistake another type than before. */
const QUOTED = /'[^']*'/g;

/** Without @types/node a module or name of Node is not found, which an import that an edit adds or moves only repeats. */
const NOT_FOUND: ReadonlySet<number> = new Set([2307, 2580, 2591, 2792, 7016]);
const isOfNode = (name = ''): boolean => name === 'require' || isBuiltin(name);

/**
 * What is not known of the rows of a database, where the driver has no types and the runtime has: in JavaScript that nobody
 * checks that is no mistake, and tells of no `await` that is missing.
 */
const UNKNOWN =
  /^(?!.*\bPromise\b).*'(?:[^'<>]+ \| )?(?:unknown|never|\{\}|number \| bigint)(?: \| [^'<>]+)?(?:\[\])?'/s;

/**
 * That a type is taken for `any`, as that of an async function that calls itself: no mistake in JavaScript that nobody
 * checks. `load()['size']` of a promise is said so too.
 */
const isImplicitAny = (code: number, message: string): boolean =>
  code >= 7000 && code < 7100 && !message.includes("'Promise<");

/** That a value does not fit, may be missing, or is not what a comment says. */
const MISFITS: ReadonlySet<number> = new Set([
  1064, 2322, 2345, 2531, 2532, 2533, 2559, 2739, 2740, 2741, 2769, 18047, 18048, 18049,
]);

/** Such a mistake was there before and shows itself in another way: only a promise tells of an `await` that is missing. */
const isOldMisfit = (code: number, message: string): boolean =>
  MISFITS.has(code) && !/\btype 'Promise<[^']*>' (?:is|has)\b/i.test(message);

/** Of JavaScript that nobody checks. */
const isNoMistake = (code: number, message: string): boolean =>
  UNKNOWN.test(message) || isImplicitAny(code, message) || isOldMisfit(code, message);

/**
 * What the type checker says of some files of a program, but for what its lack of Node's types says.
 *
 * @param checksJavaScript whether the project checks its JavaScript too
 */
export function typeCheck(
  ts: Compiler,
  { program }: OverlayProgram,
  files: Iterable<string>,
  checksJavaScript: boolean,
): Said[] {
  return [...files].flatMap((path) => {
    const file = program.getSourceFile(path);
    if (!file) return [];
    const isTyped = isChecked(file, checksJavaScript);
    return program.getSemanticDiagnostics(file).flatMap(({ code, messageText, start = 0 }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, ' ');
      if (!isTyped && isNoMistake(code, message)) return [];
      if (NOT_FOUND.has(code) && isOfNode(message.match(QUOTED)?.[0].slice(1, -1))) return [];
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      return [
        {
          file: path,
          line,
          code: codeAt(file, line),
          // What is said below the first line tells of the types too.
          key: `TS${code} ${headOf(messageText).replace(QUOTED, '')}`,
          text: `TS${code}: ${message}`,
        },
      ];
    });
  });
}

const headOf = (text: string | DiagnosticMessageChain): string =>
  typeof text === 'string' ? text : text.messageText;
