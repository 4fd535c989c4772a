import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { markPrefix } from '../process/mark.ts';
import { hasProc, readStat } from '../process/identity.ts';
import { registry, warnOnce } from './registry.ts';
import { SUPERVISOR_SCRIPT } from './supervisor-script.ts';
import { record } from './ledger.ts';
import { replayLines } from './wire.ts';

/** The owner's side of the supervisor. */
export interface Supervisor {
  child: ChildProcess | undefined;
  idleTimer: NodeJS.Timeout | undefined;
  /** Lines for which its pipe has had no room. */
  backlog: string;
  /** How long it stays without a group, in milliseconds. */
  idleMs: number;
  /** warm() was called: no idle exit. */
  isKept: boolean;
  starts: number;
  /** Deaths by a signal within QUICK_MS of the start, in a row. */
  quickDeaths: number;
  /** Why no further start is tried. */
  gaveUp: string | undefined;
}

/** The health of the supervisor, see {@link supervisorStatus}. */
export interface SupervisorStatus {
  /** `off`: none is needed now; `gave-up`: none can run; `unsupported`: on Windows. */
  state: 'off' | 'running' | 'gave-up' | 'unsupported';
  pid: number | undefined;
  /** How often one was started: more than one after an idle exit or a death. */
  starts: number;
  /** Process groups that are owned now. */
  groups: number;
  /** Bytes not yet taken by the kernel: more than 0 only where the supervisor is stopped or starved. */
  queuedBytes: number;
  /** Why it gave up. */
  reason: string | undefined;
}

const QUICK_MS = 5000;
/** A signal is an accident, and the next one may live; a seccomp filter that kills every shell must not make a loop. */
const MAX_QUICK_DEATHS = 50;
const DIRECTORIES = '/usr/bin:/bin:/usr/sbin:/sbin';
/** What may be over at the next spawn; see fork(2), pipe(2). */
const TRANSIENT = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

const { supervisor, groups } = registry;

/** Starts the supervisor if none runs; replays what is owned. Never throws: without one, children run unowned. */
export function ensureSupervisor(): void {
  if (supervisor.idleTimer) clearTimeout(supervisor.idleTimer);
  supervisor.idleTimer = undefined;
  if (supervisor.child || supervisor.gaveUp !== undefined || process.platform === 'win32') return;
  const shell = process.env.OWNED_SPAWN_SHELL ?? '/bin/sh';
  const startedAt = performance.now();
  supervisor.starts++;
  let child: ChildProcess;
  try {
    child = startShell(shell);
  } catch (error) {
    lose(shell, error as NodeJS.ErrnoException);
    return;
  }
  supervisor.child = child;
  // What is owned is replayed.
  supervisor.backlog = '';
  child.on('error', (error) => {
    if (supervisor.child === child) lose(shell, error);
  });
  // Not 'close': a nap of a killed supervisor may hold the socket open.
  child.on('exit', (code) => {
    if (supervisor.child !== child) return;
    const isQuick = performance.now() - startedAt < QUICK_MS;
    supervisor.quickDeaths = isQuick ? supervisor.quickDeaths + 1 : 0;
    supervisor.child = undefined;
    if (isQuick && code !== null) giveUp(`${shell} ended by itself with code ${code}`);
    else if (supervisor.quickDeaths > MAX_QUICK_DEATHS) giveUp(`${shell} was killed again and again`);
    else if (groups.size > 0) ensureSupervisor();
  });
  // A write to one that was just killed is an EPIPE, which ends the owner if nobody listens.
  child.stdin?.on('error', ignore);
  child.stdin?.on('drain', () => {
    if (supervisor.child !== child) return;
    const lines = supervisor.backlog;
    supervisor.backlog = '';
    tell(lines);
  });
  child.unref();
  (child.stdin as Socket | null)?.unref();
  tell([...groups.values()].map(replayLines).join(''));
  if (child.pid !== undefined)
    record('supervisor', { pgid: child.pid, start: readStat(child.pid)?.start ?? '' });
}

/** Sends lines; the kernel has them on return unless the supervisor is behind. They are dropped where none runs: the next start replays. */
export function tell(lines: string): void {
  const stdin = supervisor.child?.stdin;
  if (!stdin || lines === '') return;
  // As one text: a socket that drains takes all its waiting chunks at once, and 200,000 of them hold the loop for 60 ms.
  if (stdin.writableNeedDrain) supervisor.backlog += lines;
  else stdin.write(lines);
}

/** To be called whenever a group was released: lets the supervisor go once nothing has been owned for a while. */
export function retireWhenIdle(): void {
  if (groups.size > 0 || supervisor.isKept || supervisor.idleTimer || !supervisor.child) return;
  supervisor.idleTimer = setTimeout(() => {
    supervisor.idleTimer = undefined;
    // With what it has not been told yet: a release that it missed would end who was let go.
    supervisor.child?.stdin?.end(supervisor.backlog);
    supervisor.backlog = '';
    supervisor.child = undefined;
  }, supervisor.idleMs).unref();
}

/** Whether owned children would be ended now if this process were killed; for health checks and tests. */
export function supervisorStatus(): SupervisorStatus {
  const { child, gaveUp, starts } = supervisor;
  const state = gaveUp !== undefined ? 'gave-up' : child ? 'running' : 'off';
  return {
    state: process.platform === 'win32' ? 'unsupported' : state,
    pid: child?.pid,
    starts,
    groups: groups.size,
    queuedBytes: (child?.stdin?.writableLength ?? 0) + supervisor.backlog.length,
    reason: gaveUp,
  };
}

const ignore = (): void => undefined;

function startShell(shell: string): ChildProcess {
  const ownGroup = hasProc() ? String(readStat('self')?.pgid) : '';
  const words = ['owned-spawn', String(process.pid), ownGroup, markPrefix(process.pid, registry.nonce)];
  // detached-spawn: ok — it must see the end of this process, and ends by itself then
  return spawn(shell, ['-c', SUPERVISOR_SCRIPT, ...words], {
    // A session of its own: neither Ctrl-C nor a kill of the owner's group reaches it.
    detached: true,
    // Its stdout must not be ours: who reads the owner's output to its end would wait for the grace.
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: { PATH: `${DIRECTORIES}:${process.env.PATH ?? ''}`, LC_ALL: 'C' },
  });
}

function lose(shell: string, error: NodeJS.ErrnoException): void {
  supervisor.child = undefined;
  const reason = `${shell} could not be started: ${error.code ?? error.message}`;
  if (TRANSIENT.has(error.code ?? '')) warn(reason, 'the next spawn tries again');
  else giveUp(reason);
}

function giveUp(reason: string): void {
  supervisor.gaveUp = reason;
  warn(reason, 'OWNED_SPAWN_SHELL can name another shell');
}

const warn = (reason: string, next: string): void => {
  warnOnce(
    'OWNED_SPAWN_SUPERVISOR',
    `owned-spawn: no supervisor, ${reason}. Child processes run on, but nothing ends them if this process is killed; ${next}.`,
  );
};
