import type { Command } from './command.ts';
import { table } from './terminal.ts';

const EXIT_CODES = '0 clean or done · 1 the answer is no · 2 could not · 130 interrupted';

const indent = (rows: string[]): string => rows.map((row) => `  ${row}\n`).join('');

/** The text of `owned-spawn --help`. */
export function overview(commands: readonly { name: string; summary: string }[]): string {
  return `owned-spawn: find child processes that outlive their owner, fix them, prove it

Usage: owned-spawn <command> [options]

${indent(table(commands.map(({ name, summary }) => [name, summary])))}
  owned-spawn <command> --help says more.

Exit codes: ${EXIT_CODES}
`;
}

/** The text of `owned-spawn <command> --help`. */
export function help({ name, summary, usage, flags, examples }: Command): string {
  const rows = Object.entries(flags).map(([flag, { help: text, value, short, choices }]) => [
    `${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${choices ? choices.join('|') : value}`}`,
    text,
  ]);
  return `owned-spawn ${name}: ${summary}

Usage: owned-spawn ${name} ${usage}

${indent(table([...rows, ['-h, --help', 'show this text']]))}
Examples:
${indent(examples.flatMap(([command, does]) => [`# ${does}`, command]))}
Exit codes: ${EXIT_CODES}
`;
}
