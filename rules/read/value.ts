import type { TSESTree } from '@typescript-eslint/utils';
import type { FunctionNode } from './nodes.ts';
import type { Origin, Verdict } from './site.ts';

/**
 * What is known of a value as a condition. Beside yes and no: `platform` is true on some operating systems only,
 * `maybe` is decided at run time, `unknown` is decided out of sight.
 */
export interface Value {
  is: 'yes' | 'no' | 'platform' | 'maybe' | 'unknown';
  /** For `maybe`: the source of what decides. */
  why?: string;
  /** For `no`: nobody has said anything, so that a default still counts. */
  absent?: true;
  /** For `yes` and `platform`: true unless the caller says otherwise. */
  byDefault?: true;
  /** Functions whose parameters decide: their callers may know more. */
  through: ReadonlySet<FunctionNode>;
  /** For `unknown` and `maybe`: nothing but these parameters decides. */
  given?: boolean;
  /** The code that says it, and how it got here. */
  cause?: TSESTree.Node;
  origin?: Origin;
}

const nobody: ReadonlySet<FunctionNode> = new Set();
export const yes: Value = { is: 'yes', through: nobody };
export const no: Value = { is: 'no', through: nobody };
export const absent: Value = { is: 'no', absent: true, through: nobody };
export const platform: Value = { is: 'platform', through: nobody };
export const unknown: Value = { is: 'unknown', through: nobody };

/** Decided at run time by the given source. */
export function maybe(why: string): Value {
  return { is: 'maybe', why: shortened(why), through: nobody };
}

/** A source as a message shows it. */
export const shortened = (source: string): string => source.replace(/\s+/g, ' ').slice(0, 60);

/** Decided by a parameter of the function. */
export function throughParameter(fn: FunctionNode): Value {
  return { is: 'unknown', through: new Set([fn]), given: true };
}

/** Whether a value starts a child that leaves, on any system and in any run. */
export const isTrueSomewhere = (value: Value) =>
  value.is === 'yes' || value.is === 'platform' || value.is === 'maybe';

/** `!value`. */
export function not(value: Value): Value {
  if (value.is === 'yes') return { ...no, through: value.through };
  return value.is === 'no' ? { ...yes, through: value.through } : value;
}

/** `a && b`. */
export function and(a: Value, b: Value): Value {
  if (a.is === 'no' || b.is === 'no') return { ...(a.is === 'no' ? a : b), through: merged(a, b) };
  if (a.is === 'yes') return withThrough(b, a);
  if (b.is === 'yes') return withThrough(a, b);
  if (a.is === 'platform' && b.is === 'platform') return withThrough(a, b);
  const undecided =
    [a, b].find((value) => value.is === 'maybe') ?? [a, b].find((value) => value.is === 'unknown');
  const first = undecided ?? a;
  return withThrough(first, first === a ? b : a);
}

/** `a || b`. */
export function or(a: Value, b: Value): Value {
  return not(and(not(a), not(b)));
}

/** `a ?? b`, and what a default makes of a value that may be missing. */
export function otherwise(a: Value, b: Value): Value {
  if (a.absent) return withThrough(b, a);
  if (a.is !== 'unknown') return a;
  if (b.is === 'yes' || b.is === 'platform') return { ...withThrough(b, a), byDefault: true };
  return b.is === 'maybe' ? withThrough(b, a) : withThrough(a, b);
}

/** Either of two values, by a test that is known or not. */
export function either(test: Value, a: Value, b: Value, source: () => string): Value {
  if (test.is === 'yes' && !test.byDefault) return a;
  if (test.is === 'no' && test.through.size === 0) return b;
  if (a.is === b.is) return a.cause ? withThrough(a, b) : withThrough(b, a);
  const told = [a, b].find((value) => value.is === 'yes' || value.is === 'platform');
  if (!told) {
    const open = [a, b].find((value) => value.is === 'maybe') ?? (a.is === 'unknown' ? a : b);
    return withThrough(open, open === a ? b : a);
  }
  const other = told === a ? b : a;
  const place = told.cause ?? other.cause;
  const facts = {
    through: merged(a, b),
    ...(place ? { cause: place } : {}),
    ...(told.origin ? { origin: told.origin } : {}),
  };
  if (other.is === 'platform' || (other.is === 'no' && test.is === 'platform'))
    return { ...facts, is: 'platform' };
  return { ...facts, ...pick(maybe(source()), 'is', 'why') };
}

function pick(value: Value, ...keys: ['is', 'why']): Pick<Value, 'is' | 'why'> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<Value, 'is' | 'why'>;
}

function withThrough(value: Value, other: Value): Value {
  if (other.through.size === 0 && !value.given) return value;
  const { given, ...rest } = value;
  const isOpen = other.is === 'unknown' || other.is === 'maybe';
  return { ...rest, through: merged(value, other), ...(given && (!isOpen || other.given) ? { given } : {}) };
}

function merged(a: Value, b: Value): ReadonlySet<FunctionNode> {
  if (a.through.size === 0) return b.through;
  return b.through.size === 0 ? a.through : new Set([...a.through, ...b.through]);
}

const origins: readonly Origin[] = [
  'inline',
  'variable',
  'spread',
  'assignment',
  'parameter',
  'factory',
  'other',
];

/** The value after it has taken one more step on its way to the call; the farthest step names the origin. */
export function carriedBy(value: Value, step: Origin): Value {
  if (!value.cause) return value;
  const at = Math.max(origins.indexOf(value.origin ?? 'inline'), origins.indexOf(step));
  return { ...value, origin: origins[at] ?? 'other' };
}

/** The verdict that a site carries; true on some systems is true. */
export function verdictOf(value: Value): Verdict {
  switch (value.is) {
    case 'platform':
      return { is: 'yes' };
    case 'maybe':
      return { is: 'maybe', why: value.why ?? '' };
    default:
      return { is: value.is };
  }
}
