/** How a command line is read: by a POSIX shell, or by cmd.exe, where `&` only separates. */
export type ShellDialect = 'sh' | 'cmd';

export interface ShellWord {
  /** The word as the program gets it: quotes and escapes removed. */
  text: string;
  /** Offset of its first character in the command line. */
  start: number;
}

/** A simple command, or the end of a group; reserved words (`do`, `}`) stand among its words. */
export interface ShellCommand {
  words: ShellWord[];
  /** Lists in shells of their own: subshells, `$(…)`, backticks, `<(…)`. */
  nested: ShellCommand[][];
  /** Bodies of its heredocs. */
  heredocs: string[];
  /** What ended it: `&` is the background operator, everything else that separates is `;`. */
  end: '&' | '|' | ';';
  endIndex: number;
}

/**
 * Splits a command line into commands. Reads on where the text is no valid shell; never throws.
 *
 * Grammar: POSIX "Shell Command Language", 2.2 (quoting), 2.7 (redirection), 2.9 (commands), and bash's `&>`, `|&`, `((…))`.
 */
export function readCommands(line: string, dialect: ShellDialect = 'sh'): ShellCommand[] {
  const sh = dialect === 'sh';
  let at = 0;
  let inBackticks = false;
  let heredocs: { command: ShellCommand; delimiter: string; tabs: boolean }[] = [];
  return readList('');

  function readList(close: string): ShellCommand[] {
    const list: ShellCommand[] = [];
    let command = emptyCommand();
    const finish = (end: ShellCommand['end'], length: number): void => {
      command.end = end;
      command.endIndex = at;
      at += length;
      if (command.words.length > 0 || command.nested.length > 0) list.push(command);
      command = emptyCommand();
    };
    while (at < line.length) {
      const char = line.charAt(at);
      const rest = line.slice(at, at + 3);
      const redirect = redirection();
      if (char === close) break;
      else if (redirect) readRedirection(command, redirect);
      else if (char === '\n') {
        finish(';', 1);
        skipHeredocs();
      } else if (/\s/.test(char) || rest.startsWith('\\\n')) at += char === '\\' ? 2 : 1;
      else if (char === '#' && sh) skipTo('\n');
      else if (/^(?:&&|\|\||;;&|;;|;&)/.test(rest)) finish(';', rest.startsWith(';;&') ? 3 : 2);
      else if (rest.startsWith('|&')) finish('|', 2);
      else if (char === '|') finish('|', 1);
      else if (char === '&') finish(sh ? '&' : ';', 1);
      else if (rest.startsWith('((')) skipTo('))', 2);
      else if (char === '(' && isFunctionName(command)) at += 1;
      else if (char === '(') command.nested.push(readNested(1, ')'));
      else if (char === ';' || char === ')') finish(';', 1);
      else command.words.push(readWord(command));
    }
    finish(';', 0);
    return list;
  }

  /** `name()`: its closing parenthesis ends the name like any separator. */
  function isFunctionName(command: ShellCommand): boolean {
    return command.words.length === 1 && /^\(\s*\)/.test(line.slice(at, at + 8));
  }

  function readNested(open: number, close: string): ShellCommand[] {
    const outer = inBackticks;
    inBackticks = close === '`';
    at += open;
    const list = readList(close);
    at += 1;
    inBackticks = outer;
    return list;
  }

  function redirection(): string | undefined {
    return /^(?:&>>?|\d*(?:<<<|<<-?|[<>]&|>>|>\||<>|[<>](?!\()))/.exec(line.slice(at, at + 8))?.[0];
  }

  function readRedirection(command: ShellCommand, operator: string): void {
    at += operator.length;
    while (/[ \t]/.test(line.charAt(at))) at += 1;
    const target = readWord(command).text;
    const heredoc = /<<(-?)$/.exec(operator);
    if (heredoc) heredocs.push({ command, delimiter: target, tabs: heredoc[1] === '-' });
  }

  function skipHeredocs(): void {
    for (const { command, delimiter, tabs } of heredocs) {
      const start = at;
      let lineStart = at;
      do {
        lineStart = at;
        skipTo('\n', 1);
      } while (
        at < line.length &&
        line.slice(lineStart, at - 1).replace(tabs ? /^\t+/ : /^/, '') !== delimiter
      );
      command.heredocs.push(line.slice(start, lineStart));
    }
    heredocs = [];
  }

  /** Goes to the next `mark`, or `past` characters behind its start; to the end where there is none. */
  function skipTo(mark: string, past = 0): void {
    const found = line.indexOf(mark, at);
    at = found === -1 ? line.length : found + past;
  }

  function readWord(command: ShellCommand): ShellWord {
    const start = at;
    let text = '';
    let quoted = false;
    while (at < line.length) {
      const char = line.charAt(at);
      if (!quoted && (/[\s;|)]/.test(char) || isOperatorStart())) break;
      if (char === '`' && inBackticks) break;
      if (char === '"') {
        quoted = !quoted;
        at += 1;
      } else if (!sh) text += take(1);
      else if (char === '\\') {
        const kept = quoted && !/["\\$`\n]/.test(line.charAt(at + 1));
        if (!kept) at += 1;
        const taken = take(kept ? 2 : 1);
        text += taken === '\n' ? '' : taken;
      } else if (char === "'" && !quoted) {
        const ansi = text.endsWith('$') && line.charAt(at - 1) === '$';
        text = (ansi ? text.slice(0, -1) : text) + readSingleQuoted(ansi);
      } else if (line.startsWith('$((', at)) text += takeTo('))');
      else if (line.startsWith('${', at)) text += takeTo('}');
      else if (line.startsWith('$(', at)) text += takeNested(command, 2, ')');
      else if (char === '`') text += takeNested(command, 1, '`');
      else if (/^[<>]\(/.test(line.slice(at, at + 2)) && !quoted) text += takeNested(command, 2, ')');
      else text += take(1);
    }
    // A character that starts no word here (a stray `&` behind `>`) must not stop the reader.
    if (at === start && !/[\n;|&()]/.test(line.charAt(at))) at += 1;
    return { text, start };
  }

  /** `&` and redirections end a word; digits before a redirection are part of it only at a word's start. */
  function isOperatorStart(): boolean {
    return /^(?:&|<(?!\()|>(?!\()|\()/.test(line.slice(at, at + 2));
  }

  function readSingleQuoted(ansi: boolean): string {
    const quote = ansi ? /^'((?:\\[^]|[^'\\])*)'?/ : /^'([^']*)'?/;
    const [whole, inner = ''] = quote.exec(line.slice(at)) ?? ["'"];
    at += whole.length;
    return inner;
  }

  function take(length: number): string {
    at += length;
    return line.slice(at - length, at);
  }

  function takeTo(mark: string): string {
    const start = at;
    skipTo(mark, mark.length);
    return line.slice(start, at);
  }

  function takeNested(command: ShellCommand, open: number, close: string): string {
    const start = at;
    command.nested.push(readNested(open, close));
    return line.slice(start, at);
  }
}

function emptyCommand(): ShellCommand {
  return { words: [], nested: [], heredocs: [], end: ';', endIndex: 0 };
}
