import { parseArgs } from 'node:util';
import { UserError } from './exit.ts';
import { nearest } from './nearest.ts';

/** A flag of a command; `value` names its argument in the help, a flag without one is a switch. */
export interface Flag {
  help: string;
  value?: string;
  number?: boolean;
  multiple?: boolean;
  choices?: readonly string[];
  short?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

type One<F extends Flag> = F extends { number: true }
  ? number
  : F extends { choices: readonly (infer C)[] }
    ? C
    : string;

/** The values of a command's flags by name; a flag that was not given is absent. */
export type Values<F extends Flags> = {
  [K in keyof F]?: F[K] extends { value: string }
    ? F[K] extends { multiple: true }
      ? One<F[K]>[]
      : One<F[K]>
    : boolean;
};

function checked(name: string, flag: Flag, text: string): string | number {
  if (flag.choices && !flag.choices.includes(text)) {
    throw new UserError(`--${name} takes ${flag.choices.join(', ')}, not "${text}"`);
  }
  if (!flag.number) return text;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new UserError(`--${name} takes a number, not "${text}"`);
  return number;
}

/**
 * Reads a command line against a table of flags.
 * @throws UserError for an unknown flag (with the nearest one that exists), a missing value, or a value of the wrong type.
 */
export function parseFlags<F extends Flags>(
  flags: F,
  argv: readonly string[],
): { values: Values<F>; positionals: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(flags).map(([name, flag]) => [
        name,
        {
          type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
          ...(flag.short && { short: flag.short }),
        },
      ]),
    ),
  });
  const values: Record<string, unknown> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (!flag) {
      const near = nearest(token.name, Object.keys(flags));
      throw new UserError(`unknown flag ${token.rawName}`, near && `Did you mean --${near}?`);
    }
    if (flag.value === undefined) {
      if (token.value !== undefined) throw new UserError(`--${token.name} takes no value`);
      values[token.name] = true;
      continue;
    }
    // parseArgs lets a value begin with a dash ("--format --write"): that is a forgotten value.
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith('--'))) {
      throw new UserError(`--${token.name} needs a value: --${token.name} ${flag.value}`);
    }
    if (!flag.multiple) {
      values[token.name] = checked(token.name, flag, token.value);
      continue;
    }
    // Of choices several may be given at once; any other value may hold a comma.
    const given = flag.choices ? token.value.split(',') : [token.value];
    values[token.name] = [
      ...((values[token.name] as unknown[] | undefined) ?? []),
      ...given.map((text) => checked(token.name, flag, text)),
    ];
  }
  return { values: values as Values<F>, positionals };
}
