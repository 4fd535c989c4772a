import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { Edit } from './edit.ts';
import { eolNear, indentOf, isBlank, lineEnd, lineStart, nextLine } from './lines.ts';
import { codeAfter } from './trivia.ts';

const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Puts lines of code behind a statement, indented as it is and ending as its line does. */
export function insertAfter(view: ModuleView, statement: TSESTree.Node, lines: readonly string[]): Edit {
  const { text } = view;
  const end = statement.range[1];
  const [indent, eol] = [indentOf(text, statement.range[0]), eolNear(text, end)];
  const stop = lineEnd(text, end);
  if (codeAfter(view, end) < stop)
    return insert(end, lines.map((line) => ` ${line.replace(/;?$/, ';')}`).join(''));
  const straddled = view.comments.find(({ range }) => range[0] < stop && range[1] > stop);
  if (straddled) return insert(end, lines.map((line) => eol + indent + line).join(''));
  const next = nextLine(text, end);
  if (next === stop) return insert(stop, lines.map((line) => eol + indent + line).join(''));
  return insert(next, lines.map((line) => indent + line + eol).join(''));
}

/** Puts lines of code at the top of a module: below shebang, directives and the header comment. */
export function insertAtTop(view: ModuleView, lines: readonly string[]): Edit {
  const { ast, text } = view;
  const directives = ast.body.filter(
    (node) => node.type === 'ExpressionStatement' && node.directive !== undefined,
  );
  const last = directives.at(-1);
  if (last) return insertAfter(view, last, lines);
  const first = ast.body[0];
  const code = first ? first.range[0] : text.length;
  const shebang = text.startsWith('#!') ? nextLine(text, 0) : 0;
  const header = view.comments.filter(({ range }) => range[0] >= shebang && range[1] <= code);
  let at = lineStart(text, code);
  // What stands directly above the first statement speaks of it, unless it is all that the top of the file has.
  for (const { range } of header.slice(1).reverse()) {
    if (range[1] > at || !isBlank(text, nextLine(text, range[1]), at)) continue;
    if (nextLine(text, range[1]) !== at || lineStart(text, range[0]) < shebang) break;
    at = lineStart(text, range[0]);
  }
  const eol = eolNear(text, at);
  return insert(at, lines.map((line) => line + eol).join(''));
}
