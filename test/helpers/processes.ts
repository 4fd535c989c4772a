import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isLiving, readStat, type ProcessRow } from '../../runtime/process/identity.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TAG = 'OWNED_SPAWN_TEST_TAG';
const EXPORTS =
  'forwardSignals, shutdownOwned, sweepOrphans, adoptSurvivors, spawnOwned, forkOwned, spawnDetached, ownProcessGroups, releaseProcessGroups, releaseProcessGroupOnceEmpty, killOwned, owned, supervisorStatus, warm';

/** A program under test, with its output read line by line. */
export interface Owner {
  child: ChildProcess;
  pid: number;
  lines: string[];
  /** The first line, past or to come, that matches. */
  line(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Its exit; does not wait for who else holds its output. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** The end of its output: nobody holds it any more. */
  closed: Promise<void>;
}

/** Settings of {@link Family.start}. */
export interface StartOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** In a process group and a session of its own. */
  leadsGroup?: boolean;
  /** Throws its stderr away. */
  quiet?: boolean;
}

/** Settings of {@link Family.owner}. */
export interface OwnerOptions extends StartOptions {
  args?: readonly string[];
  /** Imports nothing by itself. */
  bare?: boolean;
}

/** Processes that are found again by a tag in their environment, however they moved away. All are killed when the test ends. */
export interface Family {
  /** A temporary folder, removed at the end. */
  folder: string;
  /** The environment of a member, for who starts one by other means. */
  env: NodeJS.ProcessEnv;
  /** Starts a command in the family. */
  start(command: string, args: readonly string[], options?: StartOptions): Owner;
  /** Runs a module with the runtime's exports in scope, as `node owner.mjs ...args`. */
  owner(code: string, options?: OwnerOptions): Owner;
  /** Who lives, zombies not counted. */
  members(): ProcessRow[];
}

/** A family that ends with the test, or with whoever else calls what is given to `after`. */
export function familyOf(t: { after(clean: () => Promise<void>): void }): Family {
  const tag = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-test-'));
  let owners = 0;
  const members = (): ProcessRow[] => tagged(`${TAG}=${tag}`);

  const familyEnv = {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    OWNED_SPAWN_STATE_DIR: join(folder, 'state'),
    [TAG]: tag,
  };

  const start: Family['start'] = (
    command,
    args,
    { env = {}, cwd = folder, leadsGroup = false, quiet = false } = {},
  ) =>
    watch(
      // detached-spawn: ok — the family kills it by its tag when the test ends
      spawn(command, args, {
        cwd,
        detached: leadsGroup,
        env: { ...familyEnv, ...env },
        stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
      }),
    );

  t.after(async () => {
    await until('the family is killed', () => {
      const left = members();
      for (const { pid } of left) kill(pid, 'SIGKILL');
      return left.length === 0;
    });
    await removeFolder(folder);
  });

  return {
    folder,
    env: familyEnv,
    members,
    start,
    owner(code, { args = [], bare = false, ...options } = {}) {
      const file = join(folder, `owner-${++owners}.mjs`);
      writeFileSync(
        file,
        bare ? code : `import { ${EXPORTS} } from ${JSON.stringify(builtRuntime())};\n${code}`,
      );
      return start(process.execPath, [file, ...args], options);
    },
  };
}

type Falsy = false | undefined | null | 0 | '';

/**
 * Asks again and again until the answer is truthy, and returns it.
 * @param what what is waited for; a function where only the failure knows it
 * @param deadlineMs for failures only: on a machine with ten others at work, a minute is soon gone
 */
export async function until<T extends object | number | string | true>(
  what: string | (() => string),
  ask: () => T | Falsy | Promise<T | Falsy>,
  deadlineMs = 120_000,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > end)
      throw new Error(`not in ${deadlineMs} ms: ${typeof what === 'string' ? what : what()}`);
    await sleep(20);
  }
}

/**
 * Removes a folder into which somebody who was killed may still write until it is gone.
 * The retries of rmSync do not list the folder again (lib/internal/fs/rimraf.js of Node 20), so what is new stays.
 */
export async function removeFolder(folder: string): Promise<void> {
  await until(`${folder} is removed`, () => {
    try {
      rmSync(folder, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether a process lives; a zombie does not. */
export function isAlive(pid: number): boolean {
  const row = readStat(pid);
  return row !== undefined && isLiving(row);
}

/** process.kill that passes over who is gone. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The URL of the built runtime: owners start in a tenth of the time that tsx takes. */
export function builtRuntime(): string {
  const built = statSync(join(root, 'runtime/dist/tsconfig.tsbuildinfo'), { throwIfNoEntry: false });
  const sources = [
    'index.ts',
    ...['spawn', 'process'].flatMap((folder) =>
      readdirSync(join(root, 'runtime', folder)).map((name) => join(folder, name)),
    ),
  ];
  const newer = sources.find(
    (name) => !built || statSync(join(root, 'runtime', name)).mtimeMs > built.mtimeMs,
  );
  if (newer) throw new Error(`runtime/${newer} is newer than runtime/dist: npx tsc -b runtime`);
  return new URL('../../runtime/dist/index.js', import.meta.url).href;
}

function watch(child: ChildProcess): Owner {
  const lines: string[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject).once('exit', (code, signal) => {
      resolve({ code, signal });
    });
  });
  let isClosed = false;
  const closed = new Promise<void>((resolve) =>
    child.once('close', () => {
      isClosed = true;
      resolve();
    }),
  );
  const find = (pattern: RegExp): RegExpMatchArray | undefined => {
    const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
    if (!found && isClosed) throw new Error(`ended without ${pattern} in ${JSON.stringify(lines)}`);
    return found;
  };
  return {
    child,
    pid: child.pid ?? 0,
    lines,
    exited,
    closed,
    line: (pattern) =>
      until(
        () => `${pattern} in ${JSON.stringify(lines)}`,
        () => find(pattern),
      ),
  };
}

function tagged(entry: string): ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || !environment(name).includes(entry)) return [];
    const row = readStat(Number(name));
    return row && isLiving(row) ? [row] : [];
  });
}

function environment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** Kills an owner that prints `SUPERVISOR <pid>`, and its supervisor, neither seeing the other's end. */
export async function killBoth(owner: Owner): Promise<void> {
  const [, supervisor] = await owner.line(/SUPERVISOR (\d+)/);
  process.kill(Number(supervisor), 'SIGSTOP');
  process.kill(owner.pid, 'SIGKILL');
  process.kill(Number(supervisor), 'SIGKILL');
  await owner.exited;
}
