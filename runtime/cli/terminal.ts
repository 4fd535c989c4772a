import { stripVTControlCharacters } from 'node:util';

/** The part of a stream that a terminal needs. */
export interface Sink {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

type Style = keyof typeof STYLES;

/** A text stream with colours where they are wanted, tables, and a progress line that only a terminal sees. */
export interface Terminal extends Record<Style, (text: string) => string> {
  colour: boolean;
  /** Writes one line, clearing the progress line first. */
  line(text?: string): void;
  write(text: string): void;
  /** Shows a passing state in place; nothing at all where the stream is no terminal or in CI. */
  progress(text: string): void;
}

/**
 * Wraps a stream. Colours follow NO_COLOR (https://no-color.org), FORCE_COLOR and whether the stream is a terminal;
 * progress shows on a terminal outside CI only.
 */
export function terminal(sink: Sink, env: NodeJS.ProcessEnv): Terminal {
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0';
  const refused = (env.NO_COLOR ?? '') !== '' || env.FORCE_COLOR === '0' || env.TERM === 'dumb';
  const colour = forced || (!refused && sink.isTTY === true);
  const live = sink.isTTY === true && !env.CI;
  let shown = false;
  const clear = (): void => {
    if (shown) sink.write('\r\u001b[2K');
    shown = false;
  };
  const write = (text: string): void => {
    clear();
    sink.write(text);
  };
  const styles = Object.fromEntries(
    Object.entries(STYLES).map(([name, [on, off]]) => [
      name,
      (text: string) => (colour ? `\u001b[${on}m${text}\u001b[${off}m` : text),
    ]),
  ) as Record<Style, (text: string) => string>;
  return {
    ...styles,
    colour,
    write,
    line: (text = '') => {
      write(`${text}\n`);
    },
    progress: (text) => {
      if (!live) return;
      clear();
      if (text === '') return;
      sink.write(text.slice(0, (sink.columns ?? 80) - 1));
      shown = true;
    },
  };
}

/** Width of a text on the screen, escape codes left out. */
const width = (text: string): number => stripVTControlCharacters(text).length;

/** Lays rows out in columns, two spaces between; the last column is left ragged. `right` names the columns of numbers. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(0, ...rows.map((row) => width(row[i] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const gap = ' '.repeat((widths[i] ?? 0) - width(cell));
        if (right.includes(i)) return gap + cell;
        return i === row.length - 1 ? cell : cell + gap;
      })
      .join('  '),
  );
}
