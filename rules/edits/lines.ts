// Lines end where ECMAScript ends them, U+2028 and U+2029 included: a `//` comment does.
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** Where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !/[\n\r\u2028\u2029]/.test(text.charAt(start - 1))) start--;
  return start;
}

/** Where the line of an offset ends, its line terminator excluded. */
export function lineEnd(text: string, offset: number): number {
  LINE_END.lastIndex = offset;
  return LINE_END.exec(text)?.index ?? text.length;
}

/** The line terminator at an offset, empty where there is none. */
function terminatorAt(text: string, offset: number): string {
  LINE_END.lastIndex = offset;
  const found = LINE_END.exec(text);
  return found?.index === offset ? found[0] : '';
}

/** Where the next line begins: the end of the text after the last one. */
export function nextLine(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return end + terminatorAt(text, end).length;
}

/** How the lines around an offset end: as its own line does, else as the one before, else `\n`. */
export function eolNear(text: string, offset: number): string {
  const own = terminatorAt(text, lineEnd(text, offset));
  if (own !== '') return own;
  const start = lineStart(text, offset);
  if (start === 0) return '\n';
  return text.slice(0, start).endsWith('\r\n') ? '\r\n' : text.charAt(start - 1);
}

/** The white space before the first character of an offset's line. */
export function indentOf(text: string, offset: number): string {
  return /^[^\S\n\r\u2028\u2029]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** Whether nothing but white space stands between two offsets. */
export const isBlank = (text: string, start: number, end: number): boolean =>
  !/\S/.test(text.slice(start, end));
