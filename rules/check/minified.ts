// Longer than what a compiler writes on one line amid readable code: Babel's helper of import * has 800 characters.
const LONG_LINE = 2000;

/**
 * Whether a text is machine-made to be small: its name says so, or most of its parentheses stand on long lines.
 * Parentheses, since bundles hold long lines of data (base64, JSON, Unicode tables) between lines of readable code.
 */
export function isMinified(path: string, text: string): boolean {
  if (/[.-]min\.[cm]?js$/.test(path)) return true;
  let [all, long] = [0, 0];
  let paren = text.indexOf('(');
  for (let start = 0; paren >= 0;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    let count = 0;
    for (; paren >= 0 && paren < end; paren = text.indexOf('(', paren + 1)) count += 1;
    all += count;
    if (end - start > LONG_LINE) long += count;
    start = end + 1;
  }
  return long > all / 2;
}
