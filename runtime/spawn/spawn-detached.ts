import {
  spawn,
  type ChildProcess,
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
  type ForkOptions,
  type SpawnOptions,
  type SpawnOptionsWithoutStdio,
  type SpawnOptionsWithStdioTuple,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStat } from '../process/identity.ts';
import { openLedger, recordNow } from './ledger.ts';
import {
  checkLabel,
  checkWhy,
  markedEnvironment,
  splitArguments,
  type DetachedOptions,
  type GivenOptions,
  type Piped,
  type Stdio,
  type With,
} from './options.ts';
import { outputFiles } from './output-files.ts';
import { registry } from './registry.ts';

/**
 * child_process.spawn() with `detached: true` for a child that outlives this process on purpose. The reason travels in the
 * child's environment mark, where `owned-spawn prove` and people who read /proc/PID/environ find it, and in the ledger,
 * from which a later run of the application finds the child again: {@link adoptSurvivors}. As with spawn(),
 * `stdio: 'ignore'` (or files) and `.unref()` are what let this process end before the child.
 *
 * @throws TypeError for what spawn() throws, and where `why` is missing, a placeholder, or shorter than three words
 */
export function spawnDetached(
  command: string,
  options: With<SpawnOptionsWithoutStdio, DetachedOptions>,
): ChildProcessWithoutNullStreams;
export function spawnDetached<In extends Stdio, Out extends Stdio, Err extends Stdio>(
  command: string,
  options: With<SpawnOptionsWithStdioTuple<In, Out, Err>, DetachedOptions>,
): ChildProcessByStdio<Piped<In, Writable>, Piped<Out, Readable>, Piped<Err, Readable>>;
export function spawnDetached(command: string, options: With<SpawnOptions, DetachedOptions>): ChildProcess;
export function spawnDetached(
  command: string,
  args: readonly string[],
  options: With<SpawnOptionsWithoutStdio, DetachedOptions>,
): ChildProcessWithoutNullStreams;
export function spawnDetached<In extends Stdio, Out extends Stdio, Err extends Stdio>(
  command: string,
  args: readonly string[],
  options: With<SpawnOptionsWithStdioTuple<In, Out, Err>, DetachedOptions>,
): ChildProcessByStdio<Piped<In, Writable>, Piped<Out, Readable>, Piped<Err, Readable>>;
export function spawnDetached(
  command: string,
  args: readonly string[],
  options: With<SpawnOptions, DetachedOptions>,
): ChildProcess;
export function spawnDetached(
  command: string,
  args?: readonly string[] | GivenOptions,
  options?: GivenOptions,
): ChildProcess {
  const [list = [], { why, ...given }] = splitArguments<readonly string[], GivenOptions>(args, options);
  return startDetached(given, argvOf(command, list), checkWhy(why), (prepared) =>
    spawn(command, list, prepared),
  );
}

/** Starts a child that outlives this process, and writes down why. */
export function startDetached(
  given: GivenOptions,
  argv: readonly string[],
  why: string,
  start: (options: SpawnOptions & ForkOptions) => ChildProcess,
): ChildProcess {
  const { env, label, ...rest } = given;
  const name = checkLabel(label) ?? null;
  openLedger();
  const seq = ++registry.seq;
  // detached-spawn: ok — that is what it is for, and its caller gives the reason
  const child = start({ ...rest, detached: true, env: markedEnvironment(env, seq, why) });
  if (child.pid !== undefined) {
    const place = { pgid: child.pid, start: readStat(child.pid)?.start ?? '' };
    recordNow('spawn', {
      ...place,
      seq,
      why,
      label: name,
      argv,
      ...whereOf(rest),
      ...outputFiles(rest.stdio),
    });
  }
  return child;
}

/** The command line for the ledger; what spawn() is about to refuse is left out. */
export const argvOf = (command: string, args: readonly string[]): string[] => [
  command,
  ...(Array.isArray(args) ? (args as string[]) : []),
];

/** The folder that a child starts in. */
export function whereOf({ cwd }: Pick<SpawnOptions, 'cwd'>): { cwd?: string } {
  if (cwd === undefined) return {};
  return { cwd: typeof cwd === 'string' ? resolve(cwd) : fileURLToPath(cwd) };
}
