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
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { readStat } from '../process/identity.ts';
import { endInTime } from './end-in-time.ts';
import { gateOf, shellWords, type Gate } from './gate.ts';
import { openLedger, record } from './ledger.ts';
import {
  checkEscapees,
  checkExtent,
  checkGrace,
  checkLabel,
  checkSwitch,
  checkWhy,
  markedEnvironment,
  splitArguments,
  warnOfDetached,
  warnOfPid1,
  type GivenOptions,
  type OwnedOptions,
  type Piped,
  type Stdio,
  type With,
} from './options.ts';
import { registry } from './registry.ts';
import { releaseOnExit } from './release-once-empty.ts';
import { argvOf, startDetached, whereOf } from './spawn-detached.ts';
import { ensureSupervisor, retireWhenIdle, tell } from './supervisor.ts';
import { beginSweep } from './sweep.ts';
import { groupLine, intentLine, isHunted, settledLine } from './wire.ts';

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
 * of its own, and the whole group is ended: TERM, graceMs, KILL. What leaves the group (setsid, a daemon) is not, unless
 * `escapees` says so.
 *
 * The kill of this process and of its supervisor in the same moment is made good by the next run of the application: see
 * {@link sweepOrphans}. Not covered: a machine where no shell can be started (see {@link supervisorStatus}); on Windows,
 * grandchildren. A child in a session of its own has no controlling terminal: Ctrl-C does not reach it, and sudo or ssh
 * cannot ask for a password; `group: false` leaves it where it is. `signal` and `timeout` end the whole group.
 *
 * @throws TypeError for what spawn() throws, and for a wrong value of one of our options; a command that is not found is an 'error' event
 * @see setsid(2), kill(2), and for the options https://nodejs.org/api/child_process.html#child_processspawncommand-args-options
 */
export const spawnOwned = ((
  command: string,
  args?: readonly string[] | GivenOptions,
  options?: GivenOptions,
): ChildProcess => {
  const [list = [], given] = splitArguments<readonly string[], GivenOptions>(args, options);
  return start(given, argvOf(command, list), {
    isFork: false,
    plain: (prepared) => spawn(command, list, prepared),
    gated: ({ words: [shell, ...words], options: { shell: own, ...prepared } }) =>
      spawn(shell, [...words, ...(own ? shellWords(own, command, list) : [command, ...list])], prepared),
  });
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
  const [list = [], given] = splitArguments<readonly string[], GivenOptions>(args, options);
  return start(given, argvOf(String(modulePath), list), {
    isFork: true,
    plain: (prepared) => fork(modulePath, list, prepared as ForkOptions),
    gated: ({ words: [shell, ...words], options: { execPath, execArgv, ...prepared } }) =>
      fork(modulePath, list, {
        ...(prepared as ForkOptions),
        execPath: shell,
        execArgv: [...words, execPath ?? process.execPath, ...(execArgv ?? process.execArgv)],
      }),
  });
}

/** The two ways to start a child: as it is asked for, and behind a gate. */
interface Starts {
  isFork: boolean;
  plain: (options: SpawnOptions & ForkOptions) => ChildProcess;
  gated: (gate: Gate) => ChildProcess;
}

function start(given: GivenOptions, argv: readonly string[], starts: Starts): ChildProcess {
  const { outlives, ...rest } = given;
  if (outlives === undefined || outlives === false) return startOwned(rest, argv, starts);
  return startDetached(rest, argv, checkWhy(outlives, 'outlives'), starts.plain);
}

function startOwned(
  given: GivenOptions,
  argv: readonly string[],
  { isFork, plain, gated }: Starts,
): ChildProcess {
  const { graceMs, label, detached, env, strict, escapees, group: leads, session, ...rest } = given;
  const settings = {
    graceMs: checkGrace(graceMs),
    label: checkLabel(label),
    escapees: checkEscapees(escapees),
    extent: checkExtent(leads, session),
  };
  checkSwitch('strict', strict);
  warnOfDetached(detached);
  warnOfPid1();
  openLedger();
  const seq = ++registry.seq;
  const options = {
    ...rest,
    env: markedEnvironment(env, seq),
    // libuv's job object ends a direct child on Windows, unless it is detached.
    detached: process.platform !== 'win32' && settings.extent !== 'process',
  };
  const gate = strict && process.platform !== 'win32' ? gateOf(options, isFork) : undefined;
  ensureSupervisor();
  tell(intentLine(seq));
  let settled = settledLine(seq);
  try {
    const child = gate ? gated(gate) : plain(options);
    if (child.pid === undefined) return child;
    const group = { ...settings, seq, pgid: child.pid, start: readStat(child.pid)?.start ?? '' };
    registry.groups.set(group.pgid, group);
    // An intent that is never settled keeps the supervisor looking for the mark: so it finds who left the group.
    settled = groupLine(group) + (isHunted(group) ? '' : settled);
    releaseOnExit(child, group);
    endInTime(child, rest);
    record('spawn', { ...group, label: group.label ?? null, argv, ...whereOf(rest) });
    if (gate) {
      tell(settled);
      settled = '';
      gate.open(child);
    }
    return child;
  } finally {
    tell(settled);
    retireWhenIdle();
    void beginSweep();
  }
}
