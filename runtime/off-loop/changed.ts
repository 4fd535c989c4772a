import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { withLock } from '../files/lock.ts';
import { replaceFile } from '../files/replace.ts';

/** What decides whether a run can be skipped. */
export interface ChangedOptions {
  /** Files and folders (with all in them) that the run reads. One that is not there counts as such. */
  inputs: readonly string[];
  /** Files or folders that the run makes: without one of them it runs. */
  present?: readonly string[];
  /** The file that remembers the inputs of the last run that succeeded. Best inside what the run makes, so that it goes with it. */
  stamp: string;
  /** More that the result depends on, such as the command line and the version of Node. */
  key?: string;
  /** Paths are relative to this folder; the current one by default. */
  cwd?: string;
}

/** What was done, and why. */
export interface ChangedResult<T> {
  ran: boolean;
  /** `unchanged`, `first run`, `changed: package.json`, `missing: node_modules`. */
  reason: string;
  /** What the run returned, where it ran. */
  value?: T;
}

interface Stamp {
  version: 1;
  key: string;
  inputs: Record<string, string>;
}

/** A lock that is held while a package manager works must outlast it. */
const LOCK = { waitMs: Infinity, staleMs: 3_600_000 };

/**
 * Runs something only if its inputs differ from those of the last run that succeeded, or what it makes is missing. The
 * content counts, not the time. Two processes at once make one run: the second waits and then finds nothing to do.
 * @throws what `run` throws; the next call then runs again
 */
export async function runIfChanged<T>(
  { inputs, present = [], stamp, key = '', cwd = process.cwd() }: ChangedOptions,
  run: (reason: string) => T | Promise<T>,
): Promise<ChangedResult<T>> {
  const file = resolve(cwd, stamp);
  const reasonToRun = async (now: Stamp): Promise<string | undefined> => {
    for (const path of present) {
      if (!(await exists(resolve(cwd, path)))) return `missing: ${path}`;
    }
    const last = await readStamp(file);
    if (!last) return 'first run';
    if (last.key !== now.key) return 'changed: the command';
    const names = new Set([...Object.keys(last.inputs), ...Object.keys(now.inputs)]);
    const changed = [...names].sort().filter((name) => last.inputs[name] !== now.inputs[name]);
    return changed.length === 0 ? undefined : `changed: ${changed.join(', ')}`;
  };
  const lockName = `.${Buffer.from(file).toString('base64url').slice(-40)}`;
  const folder = dirname(await existingAbove(file));
  // The stamp and its lock may lie among the inputs, which are followed through links.
  const realStamp = join(await realpath(folder), relative(folder, file));
  const isOurs = (path: string): boolean =>
    path === realStamp || basename(path).startsWith(`${lockName}.lock`);
  const read = async (): Promise<Stamp> => ({
    version: 1,
    key,
    inputs: await digests(inputs, { cwd, stamp: realStamp, isOurs }),
  });

  // Without the lock first: the usual answer is that there is nothing to do.
  if ((await reasonToRun(await read())) === undefined) return { ran: false, reason: 'unchanged' };
  // Not beside the stamp: its folder may be what the run removes and makes anew.
  const isBelow = file.startsWith(join(resolve(cwd), sep));
  const lock = join(isBelow ? cwd : folder, lockName);
  return withLock(
    lock,
    async () => {
      const before = await read();
      const reason = await reasonToRun(before);
      if (reason === undefined) return { ran: false, reason: 'unchanged' };
      // A run that is cut off must not look like the one before.
      await rm(file, { force: true });
      const value = await run(reason);
      await mkdir(dirname(file), { recursive: true });
      await replaceFile(file, `${JSON.stringify(before, null, 2)}\n`);
      return { ran: true, reason, value };
    },
    LOCK,
  );
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function existingAbove(file: string): Promise<string> {
  let path = file;
  while (!(await exists(dirname(path)))) path = dirname(path);
  return path;
}

async function readStamp(file: string): Promise<Stamp | undefined> {
  try {
    const stamp = JSON.parse(await readFile(file, 'utf8')) as Partial<Stamp>;
    // Of another version, or damaged: not remembered.
    return stamp.version === 1 && stamp.inputs ? (stamp as Stamp) : undefined;
  } catch {
    return undefined;
  }
}

interface Place {
  cwd: string;
  stamp: string;
  isOurs: (path: string) => boolean;
}

async function digests(
  inputs: readonly string[],
  { cwd, stamp, isOurs }: Place,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  // Links lead to one folder by many ways, or back up: each is read once.
  const folders = new Map<string, string>();

  /** Whether there is anything but what is ours. */
  async function add(name: string, path: string): Promise<boolean> {
    if (isOurs(path)) return false;
    const about = await stat(path).catch(() => undefined);
    if (about?.isDirectory()) return addFolder(`${name}/`, path);
    // Not of a FIFO: it would wait for a writer.
    found[name] = about?.isFile() ? await digestOf(path) : about ? 'no file' : 'absent';
    return true;
  }
  async function addFolder(name: string, path: string): Promise<boolean> {
    const real = await realpath(path);
    const first = folders.get(real);
    if (first === undefined) {
      folders.set(real, name);
      let count = 0;
      for (const entry of (await readdir(real)).sort())
        if (await add(name + entry, join(real, entry))) count++;
      if (count === 0 && stamp.startsWith(join(real, sep))) return false;
      found[name] = String(count);
    } else found[name] = `as ${first}`;
    return true;
  }
  for (const input of inputs) await add(input, resolve(cwd, input));
  return found;
}

/** In pieces: one hash of a large file in one go would block the loop. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent'; // gone since it was listed
    throw error;
  }
  return hash.digest('hex');
}
