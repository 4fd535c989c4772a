import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker, type Transferable } from 'node:worker_threads';
import { loaderFlags, type Host, type HostEvents } from './host.ts';

/** What tells a thread to end, between its calls. */
const END = 0;
/** A bit beside the call's number: numbers stay below. */
const RETIRED = 1n << 62n;

/** The part of the program that knows it runs in a thread. */
const BOOT = `
const { parentPort, receiveMessageOnPort, workerData: { init, begun, posted, busy, parkMs, loader } } = require('node:worker_threads');
let last = 0n;
let taken = 0;
const rest = () => {
  Atomics.store(busy, 0, 0);
  Atomics.notify(busy, 0);
};
const port = {
  // An empty list costs as much as a small message.
  post: (message, transfer) => parentPort.postMessage(message, transfer?.length > 0 ? transfer : undefined),
  listen: (next) => parentPort.on('message', (message) => {
    const take = (message) => {
      taken = (taken + 1) | 0;
      if (message !== ${END}) return next(message);
      rest();
      process.exit();
    };
    Atomics.store(busy, 0, 1);
    setImmediate(rest);
    take(message);
    while (parkMs > 0) {
      const seen = Atomics.load(posted, 0);
      // To look into an empty port costs as much as a small message.
      const more = seen === taken ? undefined : receiveMessageOnPort(parentPort);
      if (more) take(more.message);
      else if (Atomics.wait(posted, 0, seen, parkMs) === 'timed-out') return;
    }
  }),
  begin: (id) => {
    const before = last;
    last = BigInt(id);
    return Atomics.compareExchange(begun, 0, before, last) === before;
  },
};
const ready = loader && import(loader).then(({ register }) => register());
const load = async (specifier) => { await ready; return import(specifier); };
`;

/** How a thread waits for work, and for its end. */
export interface ThreadOptions {
  /**
   * How long it waits for the next message before it looks at anything else, in milliseconds, 0 by default: it is awake a
   * tenth sooner than by its event loop, which a program that awaits nothing does not need.
   */
  parkMs?: number;
  /** How long it may take to come out of the call that it is in when it is to end, in milliseconds; then it is terminated. */
  leaveMs?: number;
}

/** Longer than a SQLite driver waits for a lock by default. */
const LEAVE_MS = 10_000;
/** For the end of this process: what hangs for longer is left to its fate. */
const EXIT_MS = 60_000;

const atExit = new Set<() => void>();
process.on('exit', () => {
  for (const wait of atExit) wait();
});

/**
 * Runs a program in a thread of its own.
 * @param program from programOf()
 * @param init handed to the program, copied
 */
export function startThread(
  program: string,
  init: unknown,
  events: HostEvents,
  { parkMs = 0, leaveMs = LEAVE_MS }: ThreadOptions,
): Host {
  // The call that has begun last, in memory that both see: so no call is ever begun here and done again elsewhere.
  const begun = new BigInt64Array(new SharedArrayBuffer(8));
  const posted = new Int32Array(new SharedArrayBuffer(4));
  const busy = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(`${BOOT}\nvoid (${program})(port, init, require, load);`, {
    eval: true,
    workerData: { init, begun, posted, busy, parkMs, loader: typescriptLoader() },
    execArgv: loaderFlags(),
    name: 'owned-spawn',
  });
  // Not terminate() at once: an addon with an error to throw in a thread that is being terminated aborts the whole process
  // (better-sqlite3: "v8::ToLocalChecked Empty MaybeLocal"), and a native call is stopped by nothing anyway.
  const kill = (): void => {
    Atomics.or(begun, 0, RETIRED);
    worker.unref();
    post(END);
    if (leaveMs < Infinity) setTimeout(() => void worker.terminate(), leaveMs).unref();
  };
  const post = (message: unknown, transfer?: readonly unknown[]): void => {
    worker.postMessage(message, transfer?.length ? (transfer as Transferable[]) : undefined);
    if (parkMs === 0) return;
    Atomics.add(posted, 0, 1);
    Atomics.notify(posted, 0);
  };
  // The end of this process terminates its threads too, and waits for native calls all the same.
  const waitAtExit = (): void => {
    Atomics.or(begun, 0, RETIRED);
    Atomics.wait(busy, 0, 1, EXIT_MS);
  };
  if (leaveMs === Infinity) atExit.add(waitAtExit);
  let reason = '';
  worker.on('message', (message: unknown) => {
    events.message(message as never);
  });
  worker.on('messageerror', (error) => {
    reason = `a message could not be read: ${error.message}`;
    kill();
  });
  worker.on('error', (error: unknown) => {
    reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  });
  worker.on('exit', (code) => {
    atExit.delete(waitAtExit);
    events.end(reason || (code === 0 ? '' : `it ended with code ${code}`));
  });
  return {
    name: `thread ${worker.threadId}`,
    post,
    hold: (isHeld) => {
      if (isHeld) worker.ref();
      else worker.unref();
    },
    begun: () => Number(Atomics.load(begun, 0) & ~RETIRED),
    retire: () => {
      Atomics.or(begun, 0, RETIRED);
      return true;
    },
    kill,
  };
}

/** tsx leaves threads alone before Node 22: what registers it in one, where this program runs under it. */
function typescriptLoader(): string | undefined {
  const flag = loaderFlags().find((each) => /\btsx\b/.test(each));
  if (flag === undefined || Number(process.versions.node.split('.')[0]) >= 22) return undefined;
  const value = flag.replace(/^--import=/, '');
  const near = value.startsWith('file:') ? fileURLToPath(value) : value;
  const from = isAbsolute(near) ? near : (process.argv[1] ?? join(process.cwd(), 'x'));
  try {
    return pathToFileURL(createRequire(from).resolve('tsx/esm/api').replace(/cjs$/, 'mjs')).href;
  } catch {
    return undefined;
  }
}
