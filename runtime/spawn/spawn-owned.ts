import {
  fork,
  spawn,
  type ChildProcess,
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
  type ForkOptions,
  type SpawnOptions,
  type SpawnOptionsWithoutStdio,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { readStat } from '../process/identity.ts';
import {
  checkGrace,
  checkLabel,
  markedEnvironment,
  splitArguments,
  warnOfDetached,
  type GivenOptions,
  type OwnedOptions,
} from './options.ts';
import { registry } from './registry.ts';
import { releaseOnceEmpty } from './release-once-empty.ts';
import { ensureSupervisor, retireWhenIdle, tell } from './supervisor.ts';
import { groupLine, intentLine, settledLine } from './wire.ts';

/** Node's options with ours on top. */
export type With<Options, Extra> = Omit<Options, keyof Extra> & Extra;

/** A stream where stdio says 'pipe', null where it says 'inherit', 'ignore' or a file. */
export type Piped<Stdio, Stream> = Stdio extends StdioPipe ? Stream : null;

type Stdio = StdioNull | StdioPipe;

/** The overloads of child_process.spawn(), with our options; behind them Node's own, so that it can stand where `typeof spawn` is asked for. */
export type SpawnOwned = OwnedOverloads & typeof spawn;

interface OwnedOverloads {
  (command: string, options?: With<SpawnOptionsWithoutStdio, OwnedOptions>): ChildProcessWithoutNullStreams;
  <In extends Stdio, Out extends Stdio, Err extends Stdio>(
    command: string,
    options: With<SpawnOptionsWithStdioTuple<In, Out, Err>, OwnedOptions>,
  ): ChildProcessByStdio<Piped<In, Writable>, Piped<Out, Readable>, Piped<Err, Readable>>;
  (command: string, options: With<SpawnOptions, OwnedOptions>): ChildProcess;
  (
    command: string,
    args?: readonly string[],
    options?: With<SpawnOptionsWithoutStdio, OwnedOptions>,
  ): ChildProcessWithoutNullStreams;
  <In extends Stdio, Out extends Stdio, Err extends Stdio>(
    command: string,
    args: readonly string[],
    options: With<SpawnOptionsWithStdioTuple<In, Out, Err>, OwnedOptions>,
  ): ChildProcessByStdio<Piped<In, Writable>, Piped<Out, Readable>, Piped<Err, Readable>>;
  (command: string, args: readonly string[], options: With<SpawnOptions, OwnedOptions>): ChildProcess;
}

/**
 * child_process.spawn() for a child that ends with this process, however this process ends: `kill -9`, a crash, exit, Ctrl-C.
 * The arguments, the errors and the real ChildProcess are those of spawn(). The child leads a process group and a session
 * of its own, and the whole group is ended: TERM, graceMs, KILL. What leaves the group (setsid, a daemon) is not.
 *
 * Not covered: the kill of this process and of its supervisor in the same moment; a machine where no shell can be started
 * (see {@link supervisorStatus}); on Windows, grandchildren. A child in a session of its own has no controlling terminal:
 * Ctrl-C does not reach it, and sudo or ssh cannot ask for a password.
 *
 * @throws TypeError for what spawn() throws, and for a graceMs or label of the wrong type; a command that is not found is an 'error' event
 * @see setsid(2), kill(2), and for the options https://nodejs.org/api/child_process.html#child_processspawncommand-args-options
 */
export const spawnOwned = ((
  command: string,
  args?: readonly string[] | GivenOptions,
  options?: GivenOptions,
): ChildProcess => {
  const [list, given] = splitArguments<readonly string[], GivenOptions>(args, options);
  return startOwned(given, (prepared) => spawn(command, list ?? [], prepared));
}) as SpawnOwned;

/**
 * child_process.fork() for a child that ends with this process; see {@link spawnOwned}.
 * @throws as spawnOwned()
 */
export function forkOwned(modulePath: string | URL, options?: With<ForkOptions, OwnedOptions>): ChildProcess;
export function forkOwned(
  modulePath: string | URL,
  args?: readonly string[],
  options?: With<ForkOptions, OwnedOptions>,
): ChildProcess;
export function forkOwned(
  modulePath: string | URL,
  args?: readonly string[] | GivenOptions,
  options?: GivenOptions,
): ChildProcess {
  const [list, given] = splitArguments<readonly string[], GivenOptions>(args, options);
  return startOwned(given, (prepared) => fork(modulePath, list ?? [], prepared as ForkOptions));
}

function startOwned(
  given: GivenOptions,
  start: (options: SpawnOptions & ForkOptions) => ChildProcess,
): ChildProcess {
  const { graceMs, label, detached, env, ...rest } = given;
  const grace = checkGrace(graceMs);
  const name = checkLabel(label);
  warnOfDetached(detached);
  const seq = ++registry.seq;
  // libuv's job object ends a direct child on Windows, unless it is detached.
  const options = { ...rest, env: markedEnvironment(env, seq), detached: process.platform !== 'win32' };
  ensureSupervisor();
  tell(intentLine(seq));
  let settled = settledLine(seq);
  try {
    const child = start(options);
    if (child.pid === undefined) return child;
    const group = { pgid: child.pid, start: readStat(child.pid)?.start ?? '', graceMs: grace, label: name };
    registry.groups.set(group.pgid, group);
    registry.byChild.set(child, group);
    settled = groupLine(group) + settled;
    // First of all listeners: one that throws keeps the later ones from running.
    child.prependOnceListener('exit', () => {
      releaseOnceEmpty(group);
    });
    return child;
  } finally {
    tell(settled);
    retireWhenIdle();
  }
}
