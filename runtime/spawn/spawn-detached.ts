import {
  spawn,
  type ChildProcess,
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
  type SpawnOptions,
  type SpawnOptionsWithoutStdio,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import {
  checkWhy,
  markedEnvironment,
  splitArguments,
  type DetachedOptions,
  type GivenOptions,
} from './options.ts';
import { registry } from './registry.ts';
import type { Piped, With } from './spawn-owned.ts';

type Stdio = StdioNull | StdioPipe;

/**
 * child_process.spawn() with `detached: true` for a child that outlives this process on purpose. The reason travels in the
 * child's environment mark, where `owned-spawn prove` and people who read /proc/PID/environ find it. As with spawn(),
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
  const [list, given] = splitArguments<readonly string[], GivenOptions>(args, options);
  const { why, env, ...rest } = given;
  const reason = checkWhy(why);
  // detached-spawn: ok — that is what it is for, and its caller gives the reason
  return spawn(command, list ?? [], {
    ...rest,
    detached: true,
    env: markedEnvironment(env, ++registry.seq, reason),
  } as SpawnOptions);
}
