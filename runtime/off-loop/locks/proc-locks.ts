import { readFile, readdir, readlink, stat } from 'node:fs/promises';

/** A line of /proc/locks, see proc_locks(5). */
export interface KernelLock {
  kind: string;
  mode: 'READ' | 'WRITE';
  /** -1 for an open file description's lock, which no process owns (fcntl(2), F_OFD_SETLK). */
  pid: number;
  /** major:minor in hexadecimal. */
  device: string;
  inode: string;
  first: number;
  last: number;
}

/** What is known of a file without opening it. */
export interface FileIdentity {
  dev: bigint;
  ino: bigint;
}

/** Parses /proc/locks, or the `lock:` lines of a /proc/PID/fdinfo/FD; who only waits is left out. */
export function parseLocks(text: string): KernelLock[] {
  const line = /\d+: (\w+) +\w+ +(READ|WRITE) +(-?\d+) +([0-9a-f]+:[0-9a-f]+):(\d+) +(\d+) +(\d+|EOF)/g;
  return [...text.matchAll(line)].map(([, kind, mode, pid, device, inode, first, last]) => ({
    kind: String(kind),
    mode: mode as 'READ' | 'WRITE',
    pid: Number(pid),
    device: String(device),
    inode: String(inode),
    first: Number(first),
    last: last === 'EOF' ? Infinity : Number(last),
  }));
}

/** A device number as /proc/locks shows it: glibc's major() and minor(), in hexadecimal. */
export function deviceOf(dev: bigint): string {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn & 0xffffffffn);
  return [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':');
}

const orEmpty = async <T>(asked: Promise<T[]>): Promise<T[]> => asked.catch(() => []);

/** The descriptors of a process that are open on a file. Only stat() of /proc links, never an open: closing would drop our own locks (fcntl(2)). */
async function descriptorsOf(pid: number, file: FileIdentity): Promise<string[]> {
  const names = await orEmpty(readdir(`/proc/${pid}/fd`));
  const found = await Promise.all(
    names.map(async (name) => {
      const path = `/proc/${pid}/fd/${name}`;
      try {
        if (!(await readlink(path)).startsWith('/')) return [];
        const { dev, ino } = await stat(path, { bigint: true });
        return dev === file.dev && ino === file.ino ? [name] : [];
      } catch {
        return []; // closed meanwhile
      }
    }),
  );
  return found.flat();
}

/** The locks on a file. On btrfs the kernel names another device than stat() does: a holder is then confirmed by its descriptors. */
export async function locksOn(file: FileIdentity, all: readonly KernelLock[]): Promise<KernelLock[]> {
  const device = deviceOf(file.dev);
  const checked = await Promise.all(
    all
      .filter(({ inode }) => inode === String(file.ino))
      .map(async (lock) => {
        if (lock.device === device) return [lock];
        if (lock.pid < 0) return [];
        return (await descriptorsOf(lock.pid, file)).length > 0 ? [lock] : [];
      }),
  );
  return checked.flat();
}

/** Who has a file open with an open file description's lock: fdinfo tells what /proc/locks keeps to itself. Several after a fork. */
export async function ofdHolders(file: FileIdentity): Promise<Map<number, KernelLock[]>> {
  const holders = new Map<number, KernelLock[]>();
  for (const name of await orEmpty(readdir('/proc'))) {
    if (!/^\d+$/.test(name)) continue;
    for (const descriptor of await descriptorsOf(Number(name), file)) {
      const text = await readFile(`/proc/${name}/fdinfo/${descriptor}`, 'utf8').catch(() => '');
      const locks = parseLocks(text).filter(({ kind }) => kind === 'OFDLCK');
      if (locks.length > 0) holders.set(Number(name), [...(holders.get(Number(name)) ?? []), ...locks]);
    }
  }
  return holders;
}
