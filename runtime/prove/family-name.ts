import { basename } from 'node:path';
import type { Descendant } from './descendants.ts';
import type { Labels } from './labels.ts';

const INTERPRETERS =
  /^(node|nodejs|bun|deno|tsx|sh|bash|dash|zsh|ksh|ash|busybox|python[\d.]*|ruby|perl|npx|npm|pnpm|yarn)$/;

/** Flags of interpreters whose value is the next word. */
const TAKES_VALUE = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|-W)$/;

const LONGEST = 32;

const NONE: Labels = new Map();

/** The family of a descendant: the label, else the name, of the owner's child that it descends from. */
export function familyOf({ parent, command, row, marks }: Descendant, labels = NONE): string {
  if (parent) return familyOf(parent, labels);
  // The first that has one: what comes after it is what the child itself started.
  const label = marks
    .map(({ nonce, seq }) => labels.get(`${nonce}.${seq}`))
    .find((each) => each !== undefined);
  return label ?? familyName(command, row.comm);
}

/**
 * A short name for a process: its command, and for an interpreter or a shell what it runs.
 * @param words its command line; where there is none, `fallback` is taken.
 */
export function familyName(words: readonly string[], fallback: string): string {
  const [first, ...rest] = words;
  if (first === undefined) return fallback;
  // The supervisor of owned-spawn names itself in $0: sh -c SCRIPT owned-spawn.
  if (rest[0] === '-c' && rest[2] === 'owned-spawn') return 'owned-spawn supervisor';
  // A program that sets its title leaves one text: "nginx: worker process", "chromium --type=renderer".
  const name = basename(first.replace(/(?:: | -).*/s, ''));
  const what = INTERPRETERS.test(name)
    ? rest.find((word, i) => !word.startsWith('-') && !TAKES_VALUE.test(rest[i - 1] ?? ''))
    : undefined;
  if (what === undefined) return name;
  const text = `${name} ${/\s/.test(what) ? what.trim().replace(/\s+/g, ' ') : basename(what)}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
