import type { CommonSpawnOptions, ForkOptions, SpawnOptions, StdioNull, StdioPipe } from 'node:child_process';
import { formatMark, MARK_VARIABLE } from '../process/mark.ts';
import type { Escapees, Extent } from './ledger-row.ts';
import { DEFAULT_GRACE_MS, registry, warnOnce } from './registry.ts';

/** Node's options with ours on top. */
export type With<Options, Extra> = Omit<Options, keyof Extra> & Extra;

/** A stream where stdio says 'pipe', null where it says 'inherit', 'ignore' or a file. */
export type Piped<Stdio, Stream> = Stdio extends StdioPipe ? Stream : null;

export type Stdio = StdioNull | StdioPipe;

/** What an owned child takes beyond the options of child_process. */
export interface OwnedOptions {
  /** From TERM to KILL when the child is ended, in milliseconds; 3000 by default, at most an hour. */
  graceMs?: number | undefined;
  /** A name for {@link owned}, the ledger and `owned-spawn ps`. */
  label?: string | undefined;
  /** The child starts only once it is registered: for systems without /proc, where a kill in the middle of a spawn could leave it. Costs a shell's start; a command that is not found is then exit code 127, and `argv0` is lost. */
  strict?: boolean | undefined;
  /** What becomes of descendants that leave the group (`setsid`, daemons) when it ends; they are known by the environment mark, on Linux. `ignore` by default; `report` is a process warning. */
  escapees?: Escapees | undefined;
  /** false: the child stays in this process's group, with the terminal and its Ctrl-C, and is owned alone, without its descendants. */
  group?: boolean | undefined;
  /** true: every group of the child's session is owned, on Linux: for shells with job control and programs under a PTY. */
  session?: boolean | undefined;
  /** A reason as for spawnDetached(): the child then outlives this process. false (or nothing): it is owned. */
  outlives?: string | false | undefined;
  /** @deprecated An owned child leads a group of its own in any case; this is ignored, with one warning. For a child that outlives its owner, use spawnDetached(). */
  detached?: boolean | undefined;
}

/** What a child that outlives its owner takes beyond the options of child_process. */
export interface DetachedOptions {
  /** Why it must outlive its owner, in at least three words. Its environment mark carries it. */
  why: string;
  /** A name for the ledger and `owned-spawn ps`. */
  label?: string | undefined;
  /** @deprecated It is detached in any case. */
  detached?: true | undefined;
}

/** Options as they arrive from JavaScript. */
export type GivenOptions = Omit<SpawnOptions & ForkOptions, 'detached'> &
  Omit<OwnedOptions, 'detached' | 'escapees'> & { detached?: unknown; why?: unknown; escapees?: unknown };

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

const ESCAPEES: readonly unknown[] = ['ignore', 'report', 'kill'] satisfies Escapees[];

/** @throws TypeError where escapees is none of its three values */
export function checkEscapees(escapees: unknown): Escapees {
  if (escapees === undefined) return 'ignore';
  if (ESCAPEES.includes(escapees)) return escapees as Escapees;
  throw invalidOption(
    'VALUE',
    `options.escapees must be 'ignore', 'report' or 'kill', not ${typeof escapees === 'string' ? `'${escapees}'` : kindOf(escapees)}`,
  );
}

/** @throws TypeError where group or session is no boolean, or both ask for something of their own */
export function checkExtent(group: unknown, session: unknown): Extent {
  checkSwitch('group', group);
  checkSwitch('session', session);
  if (group === false && session === true)
    throw invalidOption('VALUE', 'options.group: false and options.session: true exclude each other');
  if (session === true) return 'session';
  return group === false ? 'process' : 'group';
}

/** @throws TypeError where the option is neither a boolean nor undefined */
export function checkSwitch(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw invalidOption('TYPE', `options.${name} must be a boolean, not ${kindOf(value)}`);
}

/** @throws TypeError where why is no string, has fewer than three words, or is a placeholder */
export function checkWhy(why: unknown, name = 'why'): string {
  if (typeof why !== 'string') {
    throw invalidOption(
      'TYPE',
      `options.${name} must say why the child outlives its owner, not ${kindOf(why)}`,
    );
  }
  if (countWords(why) < MINIMUM_WORDS) {
    throw invalidOption(
      'VALUE',
      `options.${name} must be a reason of at least ${MINIMUM_WORDS} words, not '${why}'`,
    );
  }
  if (PLACEHOLDER.test(why)) {
    throw invalidOption('VALUE', `options.${name} must be a reason, and '${why}' is a placeholder`);
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

/** Says once what being PID 1 means: who is nobody's child any more becomes ours, and Node waits for its own children only. */
export function warnOfPid1(): void {
  if (process.pid !== 1) return;
  warnOnce(
    'OWNED_SPAWN_PID_1',
    'owned-spawn: this process is PID 1 and reaps no adopted children: ended helpers of owned children stay as defunct entries. Put an init in front (docker run --init, tini).',
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
