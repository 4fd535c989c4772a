import type { CommonSpawnOptions, ForkOptions, SpawnOptions } from 'node:child_process';
import { formatMark, MARK_VARIABLE } from '../process/mark.ts';
import { registry, warnOnce } from './registry.ts';

/** What an owned child takes beyond the options of child_process. */
export interface OwnedOptions {
  /** From TERM to KILL when the child is ended, in milliseconds; 3000 by default, at most an hour. */
  graceMs?: number | undefined;
  /** A name for {@link owned}. */
  label?: string | undefined;
  /** @deprecated An owned child leads a group of its own in any case; this is ignored, with one warning. For a child that outlives its owner, use spawnDetached(). */
  detached?: boolean | undefined;
}

/** What a child that outlives its owner takes beyond the options of child_process. */
export interface DetachedOptions {
  /** Why it must outlive its owner, in at least three words. Its environment mark carries it. */
  why: string;
  /** @deprecated It is detached in any case. */
  detached?: true | undefined;
}

/** Options as they arrive from JavaScript. */
export type GivenOptions = Omit<SpawnOptions & ForkOptions, 'detached'> &
  Omit<OwnedOptions, 'detached'> & { detached?: unknown; why?: unknown };

export const DEFAULT_GRACE_MS = 3000;
const MAX_GRACE_MS = 3_600_000;
const MINIMUM_WORDS = 3;
const PLACEHOLDER = /\b(?:todo|fixme|xxx|tbd|placeholder|lorem ipsum)\b|<[^>]*>/i;

/** A TypeError that names the option, with the code that Node gives to such errors. */
export function invalidOption(code: 'TYPE' | 'VALUE', message: string): TypeError {
  return Object.assign(new TypeError(message), { code: `ERR_INVALID_ARG_${code}` });
}

/** @throws TypeError where graceMs is no number of milliseconds from 0 to an hour */
export function checkGrace(graceMs: unknown): number {
  if (graceMs === undefined) return DEFAULT_GRACE_MS;
  if (typeof graceMs !== 'number') {
    throw invalidOption('TYPE', `options.graceMs must be a number of milliseconds, not ${kindOf(graceMs)}`);
  }
  if (graceMs >= 0 && graceMs <= MAX_GRACE_MS) return graceMs;
  throw invalidOption(
    'VALUE',
    `options.graceMs must be from 0 to ${MAX_GRACE_MS} milliseconds, not ${graceMs}`,
  );
}

/** @throws TypeError where label is no string */
export function checkLabel(label: unknown): string | undefined {
  if (label === undefined || typeof label === 'string') return label;
  throw invalidOption('TYPE', `options.label must be a string, not ${kindOf(label)}`);
}

/** @throws TypeError where why is no string, has fewer than three words, or is a placeholder */
export function checkWhy(why: unknown): string {
  if (typeof why !== 'string') {
    throw invalidOption('TYPE', `options.why must say why the child outlives its owner, not ${kindOf(why)}`);
  }
  if (countWords(why) < MINIMUM_WORDS) {
    throw invalidOption(
      'VALUE',
      `options.why must be a reason of at least ${MINIMUM_WORDS} words, not '${why}'`,
    );
  }
  if (PLACEHOLDER.test(why)) {
    throw invalidOption('VALUE', `options.why must be a reason, and '${why}' is a placeholder`);
  }
  return why;
}

/** Says once that `detached` does nothing here. */
export function warnOfDetached(detached: unknown): void {
  if (detached === undefined) return;
  warnOnce(
    'OWNED_SPAWN_DETACHED',
    'owned-spawn: the option detached is ignored, an owned child leads a group of its own in any case; remove it, or use spawnDetached() for a child that outlives its owner.',
  );
}

/** spawn's optional middle argument: (command, args?, options?) or (command, options?). */
export function splitArguments<A, O extends object>(
  args: A | O | undefined,
  options: O | undefined | null,
): [A | undefined, O] {
  if (args !== undefined && args !== null && !Array.isArray(args) && typeof args === 'object') {
    return [undefined, args as O];
  }
  if (options === undefined) return [args as A | undefined, {} as O];
  if (typeof options === 'object' && options !== null) return [args as A | undefined, options];
  throw invalidOption('TYPE', `options must be an object, not ${kindOf(options)}`);
}

/** The child's environment: the given one, or ours, with one mark more. Never process.env itself, which every later child would inherit. */
export function markedEnvironment(
  given: CommonSpawnOptions['env'],
  seq: number,
  why?: string,
): NodeJS.ProcessEnv {
  const source = given ?? process.env;
  const env: NodeJS.ProcessEnv = {};
  // Inherited keys too, as spawn() takes them: Object.create(process.env) is in use.
  for (const key in source) env[key] = source[key];
  const mark = formatMark({ ownerPid: process.pid, nonce: registry.nonce, seq, ...(why && { why }) });
  env[MARK_VARIABLE] = (env[MARK_VARIABLE] ?? '') + mark;
  return env;
}

// Languages without spaces have words too.
const countWords = (text: string): number =>
  [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(
    ({ isWordLike }) => isWordLike,
  ).length;

const kindOf = (value: unknown): string => (value === null ? 'null' : `a value of type ${typeof value}`);
