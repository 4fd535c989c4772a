import { LONGEST_MS } from './longest-ms.ts';

/** How often something is done, and when not. */
export interface CadenceOptions {
  /** From the start of one run to the start of the next, in milliseconds; a run that takes longer is not overlapped. */
  everyMs: number;
  /** Whether anybody looks: a pane that is shown, a client that is connected. Without it always. Asked often: a look at a variable, no I/O. */
  visible?: () => boolean;
  /** Calls back when `visible` may have changed, and returns how to stop that. Without it `visible` is asked once a second, or each `everyMs` where that is shorter. */
  onVisibilityChange?: (changed: () => void) => () => void;
  /** Ends the cadence. */
  signal?: AbortSignal;
  /** Told of a run that failed; the next one comes all the same. By default console.error. */
  onError?: (error: unknown) => void;
  /** Whether the cadence keeps the process alive, as setInterval() does; true by default. */
  keepsAlive?: boolean;
}

/** A cadence that was started. */
export interface Cadence {
  /** No run begins any more. Resolves when the last one is over. */
  stop(): Promise<void>;
  /** Looks at `visible` now. */
  check(): void;
}

/** What a cadence uses of a page, where there is one. */
interface Page {
  visibilityState?: string;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

const HIDDEN_CHECK_MS = 1000;

/**
 * Runs a function now and then: never twice at once, not while nobody looks, and at once when somebody looks again and a
 * run was due. In a browser a hidden page counts as nobody looking, whatever `visible` says.
 */
export function everyCadence(
  work: (signal: AbortSignal) => unknown,
  {
    everyMs,
    visible = () => true,
    onVisibilityChange,
    signal,
    onError = (error) => {
      console.error(error);
    },
    keepsAlive = true,
  }: CadenceOptions,
): Cadence {
  if (!(everyMs > 0))
    throw new RangeError(`everyMs must be a number of milliseconds above 0, not ${everyMs}`);
  const page = (globalThis as { document?: Page }).document;
  const stopped = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let dueAt = 0;

  const isSeen = (): boolean => page?.visibilityState !== 'hidden' && visible();
  const wait = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(check, Math.min(ms, LONGEST_MS));
    if (!keepsAlive) (timer as { unref?: () => void }).unref?.();
  };
  function check(): void {
    if (stopped.signal.aborted || running) return;
    const restMs = dueAt - performance.now();
    let seen = false;
    try {
      seen = isSeen();
    } catch (error) {
      onError(error);
    }
    if (!seen) wait(onVisibilityChange ? LONGEST_MS : Math.min(everyMs, HIDDEN_CHECK_MS));
    else if (restMs > 0) wait(restMs);
    else {
      running = run().then(() => {
        running = undefined;
        // A run that took longer than the interval does not make the next one follow in the same breath.
        if (!stopped.signal.aborted) wait(Math.max(1, dueAt - performance.now()));
      });
    }
  }
  async function run(): Promise<void> {
    dueAt = performance.now() + everyMs;
    try {
      await work(stopped.signal);
    } catch (error) {
      if (!stopped.signal.aborted) onError(error);
    }
  }
  const stop = async (): Promise<void> => {
    stopped.abort();
    clearTimeout(timer);
    page?.removeEventListener('visibilitychange', check);
    signal?.removeEventListener('abort', onAbort);
    unsubscribe?.();
    await running;
  };
  const onAbort = (): void => void stop();

  page?.addEventListener('visibilitychange', check);
  const unsubscribe = onVisibilityChange?.(check);
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) void stop();
  else check();
  return { stop, check };
}

/** Node, where there is one: its modules are reached without an import, as this file also runs in browsers. */
const node = (globalThis as { process?: NodeJS.Process }).process;

/**
 * The start time of a process, to be kept beside its pid: pids are reused, the pair is not. Opaque; to be compared only.
 * @returns undefined where there is no such process, or the system does not tell
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  const fs = node?.getBuiltinModule('node:fs/promises');
  if (!fs || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    const text = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
    // Field 22 of proc_pid_stat(5), counted from behind the name, which may hold anything; field 3 is the state.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (Number.parseInt(text, 10) === pid)
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    if (node?.platform === 'linux') return undefined;
  }
  if (node?.platform === 'win32') return undefined;
  const childProcess = node?.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    childProcess?.execFile(
      'ps',
      ['-o', 'lstart=', '-p', String(pid)],
      { env: { ...node?.env, LC_ALL: 'C', TZ: 'UTC' }, timeout: 5000 },
      (error, stdout) => {
        resolve(error ? undefined : stdout.trim() || undefined);
      },
    );
  });
}

/**
 * Whether a pid still means the process that it meant: a lease whose holder died must not be kept by a stranger with its
 * pid. False where there is no such process now or none was known, so that the lease ends.
 * @param startTime from {@link startTimeOf}
 */
export async function sameProcess(pid: number, startTime: string | undefined): Promise<boolean> {
  return startTime !== undefined && (await startTimeOf(pid)) === startTime;
}
