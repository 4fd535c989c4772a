/** The lines that belong to a key of a YAML file that is written in lines; indices count from 0. */
export interface YamlBlock {
  key: number;
  /** The spaces before the key. */
  indent: number;
  /** The indentation of what stands below the key; undefined where nothing does. */
  inner: number | undefined;
  /** The line behind the last one that is no blank and no comment. */
  end: number;
}

const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;
const isContent = (line: string): boolean => !/^\s*(?:#.*)?$/.test(line);

/**
 * The block of a path of keys, each alone on its line; `inline` where a value stands in a key's own line, undefined where
 * there is no such key. Made for what people write by hand: whoever edits by it should leave alone what is not so.
 */
export function yamlBlock(
  lines: readonly string[],
  path: readonly string[],
): YamlBlock | 'inline' | undefined {
  let [from, to, indent] = [0, lines.length, 0];
  let found: YamlBlock | undefined;
  for (const key of path) {
    const at = lines.findIndex(
      (line, i) =>
        i >= from && i < to && indentOf(line) === indent && line.slice(indent).startsWith(`${key}:`),
    );
    if (at < 0) return undefined;
    if (!/^\s*(?:#.*)?$/.test((lines[at] ?? '').slice(indent + key.length + 1))) return 'inline';
    found = blockAt(lines, at, indent);
    [from, to, indent] = [at + 1, found.end, found.inner ?? indent + 2];
  }
  return found;
}

function blockAt(lines: readonly string[], key: number, indent: number): YamlBlock {
  let [end, inner]: [number, number | undefined] = [key + 1, undefined];
  for (let at = key + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!isContent(line)) continue;
    // A list may stand as far left as its key.
    if (indentOf(line) < indent || (indentOf(line) === indent && !/^ *- /.test(line))) break;
    inner ??= indentOf(line);
    end = at + 1;
  }
  return { key, indent, inner, end };
}

/** Puts lines into a text before a line of it, ending as its lines do. */
export function insertLines(text: string, at: number, added: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/);
  // What stood behind the last line stays there: nothing, or no line end at all.
  const isLast = at >= lines.length;
  const before = lines.slice(0, at);
  const after = lines.slice(at);
  return [...before, ...added, ...(isLast ? [''] : after)].join(eol);
}

/** Puts lines at the end of a text, below a blank line. */
export function appendLines(text: string, added: readonly string[]): string {
  const content = text.trimEnd();
  return content === ''
    ? insertLines('', 0, added)
    : insertLines(text, content.split(/\r?\n/).length, ['', ...added]);
}
