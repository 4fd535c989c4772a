import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { locksOn, ofdHolders, parseLocks, type FileIdentity, type KernelLock } from './locks/proc-locks.ts';
import { meaningOf, type LockedFile } from './locks/ranges.ts';
import { ownConnections } from './locks/own-connections.ts';

/** A process that holds a lock on a database. */
export interface LockHolder {
  /** Undefined where the kernel does not tell. */
  pid: number | undefined;
  /** Program and script, without other arguments, which may be secret. */
  command: string;
  /** SQLite's name for the lock: `WAL write`, `RESERVED`, `EXCLUSIVE`, … */
  lock: string;
  mode: 'READ' | 'WRITE';
  /** The file the lock is on: the database, or its -shm. */
  file: string;
  /** Whether it keeps a writer out. */
  blocks: boolean;
  /** Where the holder is this program: which of its connections may hold it. */
  own?: string;
}

/** Who holds which locks on a database. */
export interface LockReport {
  path: string;
  holders: LockHolder[];
  /** Lines for a log. */
  text: string;
}

/**
 * Says who holds the locks of a SQLite database, for a log line beside `SQLITE_BUSY`. Reads /proc/locks and /proc/PID, so
 * Linux only; processes of other users show no command. The files are never opened: closing one would drop every lock that
 * this process itself has on it (fcntl(2)).
 * @param path the database file
 * @throws ENOENT and the like for a file that is not there; an Error with code ERR_OWNED_SPAWN_UNSUPPORTED without /proc/locks
 */
export async function explainBusy(path: string): Promise<LockReport> {
  const main = await realpath(path);
  const text = await readFile('/proc/locks', 'utf8').catch((cause: unknown) => {
    throw Object.assign(
      new Error('who holds a lock can only be read from /proc/locks, on Linux', { cause }),
      {
        code: 'ERR_OWNED_SPAWN_UNSUPPORTED',
      },
    );
  });
  const kernel = parseLocks(text);
  const files = await Promise.all(
    (['main', 'shm'] as const).map(async (kind) => {
      const file = kind === 'main' ? main : `${main}-shm`;
      const identity = await stat(file, { bigint: true }).catch((error: unknown) => {
        if (kind === 'main') throw error;
        return undefined;
      });
      const locks = identity ? await named(identity, await locksOn(identity, kernel)) : [];
      return { kind, file, locks };
    }),
  );
  const isWal = files.some(({ kind, locks }) => kind === 'shm' && locks.length > 0);
  const holders = await Promise.all(
    files.flatMap(({ kind, file, locks }) => locks.map((lock) => holderOf(main, kind, file, lock, isWal))),
  );
  holders.sort((a, b) => Number(b.blocks) - Number(a.blocks));
  return { path: main, holders, text: textOf(main, holders) };
}

/** Gives an open file description's lock, which has no pid, that of each process that has the description. */
async function named(file: FileIdentity, locks: readonly KernelLock[]): Promise<KernelLock[]> {
  const rest = locks.filter(({ pid }) => pid >= 0);
  const nameless = locks.filter(({ pid }) => pid < 0);
  if (nameless.length === 0) return rest;
  const holders = await ofdHolders(file);
  const found = [...holders].flatMap(([pid, own]) => own.map((lock) => ({ ...lock, pid })));
  return [...rest, ...(found.length > 0 ? found : nameless)];
}

async function holderOf(
  main: string,
  kind: LockedFile,
  file: string,
  { pid, mode, first, last, kind: lockKind }: KernelLock,
  isWal: boolean,
): Promise<LockHolder> {
  const { name, blocks } =
    lockKind === 'FLOCK'
      ? { name: 'flock', blocks: mode === 'WRITE' }
      : meaningOf(kind, mode, first, last, isWal);
  const own =
    pid < 0 ? [] : [...ownConnections].filter((each) => each.pid() === pid && resolve(each.path) === main);
  return {
    pid: pid < 0 ? undefined : pid,
    command: pid < 0 ? '' : await commandOf(pid),
    lock: name,
    mode,
    file,
    blocks,
    ...(own.length > 0 && { own: own.map((each) => each.doing()).join('; ') }),
  };
}

async function commandOf(pid: number): Promise<string> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = '', ...args] = line.replace(/\0+$/, '').split('\0');
  const script = args.find((arg) => !arg.startsWith('-')) ?? '';
  const shown = /^[\w./@:+-]+\.\w+$/.test(script) ? ` ${basename(script)}` : '';
  return `${basename(program)}${shown}`.slice(0, 80);
}

function textOf(path: string, holders: readonly LockHolder[]): string {
  const blocking = holders.filter(({ blocks }) => blocks);
  if (blocking.length === 0) {
    return `${path}: no process here holds a lock that keeps a writer out; it was released, or its holder is in another PID namespace or on another machine`;
  }
  return blocking
    .map(({ pid, command, lock, file, own }) => {
      const who =
        pid === undefined
          ? 'a process that the kernel does not name (an open file description, in another PID namespace?)'
          : `${pid === process.pid ? 'this process, ' : ''}pid ${pid}${command && ` (${command})`}`;
      return `${path}: ${lock} lock on ${basename(file)} held by ${who}${own ? `: ${own}` : ''}`;
    })
    .join('\n');
}
