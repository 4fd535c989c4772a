import { EXIT, UserError, type Terminal } from 'owned-spawn/cli';
import { contextsOf } from './contexts.ts';
import { explainLine } from './explain.ts';
import { contextsText } from './report/contexts.ts';
import { explanationText } from './report/explanation.ts';

/** The flags of `check` that ask for something else than findings, and those that go with them. */
interface Asked {
  explain?: string;
  'print-context'?: boolean;
  format?: string;
  config?: string;
  'include-ignored'?: boolean;
}

interface Streams {
  cwd: string;
  out: Terminal;
  err: Terminal;
  signal: AbortSignal;
}

const FITTING: ReadonlySet<string> = new Set([
  'explain',
  'print-context',
  'format',
  'config',
  'include-ignored',
] satisfies (keyof Asked)[]);

/**
 * Answers `--explain` and `--print-context`.
 *
 * @returns the exit code; undefined where findings were asked for
 * @throws {UserError} for flags that do not go together, and what is not there
 */
export async function answer(
  values: Asked & Record<string, unknown>,
  paths: readonly string[],
  { cwd, out, err, signal }: Streams,
): Promise<number | undefined> {
  const { explain: place, config, format, 'include-ignored': ignored = false } = values;
  if (place === undefined && values['print-context'] !== true) return undefined;
  const flag = place === undefined ? 'print-context' : 'explain';
  const other = Object.keys(values).find(
    (name) =>
      (!FITTING.has(name) && values[name] !== undefined) || (flag === 'explain' && name === 'print-context'),
  );
  if (other !== undefined)
    throw new UserError(`--${flag} and --${other} exclude each other`, `--${flag} reports no findings.`);
  if (format !== undefined && format !== 'stylish' && format !== 'json')
    throw new UserError(`--${flag} knows the formats stylish and json, not ${format}`);
  const write = <T>(value: T, text: (value: T, paint: Terminal) => string): void => {
    out.write(format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : text(value, out));
  };
  if (place === undefined) {
    const progress = (text: string): void => {
      err.progress(text);
    };
    const contexts = await contextsOf({ paths, cwd, config, ignored, signal, progress });
    if (signal.aborted) return EXIT.interrupted;
    write(contexts, contextsText);
    return EXIT.ok;
  }
  const { calls, nearest } = await explainLine({ place, paths, cwd, config, ignored });
  if (calls.length > 0 || format === 'json') write(calls, explanationText);
  if (calls.length > 0) return EXIT.ok;
  err.line(`No blocking call is in ${place}, nor one that leads to one from the event loop.`);
  if (nearest) err.line(`The nearest is \`${nearest.name}\` in ${nearest.file}:${String(nearest.line)}.`);
  return EXIT.no;
}
