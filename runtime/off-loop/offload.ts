import { pathToFileURL } from 'node:url';
import { callSite } from './host/call-site.ts';
import type { Answer, CallOptions } from './host/call.ts';
import { createClient, type Client } from './host/client.ts';
import { encodeError } from './host/codec.ts';
import { iterate } from './host/iterate.ts';
import { programOf, type Port, type Surroundings } from './host/program.ts';
import { serve, type Reply } from './host/serve.ts';
import { startHost, type HostKind } from './host/start-host.ts';

/** Where a module runs and how much may wait for it. */
export interface OffloadOptions {
  /** `thread` (default) or `process`. */
  host?: HostKind;
  /** Calls that may wait for an answer, 1024 by default; more are rejected with ERR_OWNED_SPAWN_OVERLOAD. */
  maxPending?: number;
}

type AnyFunction = (...args: never[]) => unknown;
type Rowlike<T> = Iterator<T> | AsyncIterator<T>;

/** What a call gives: a promise, or for a generator what `for await` takes. */
export type OffLoop<R> = [R] extends [never]
  ? Promise<never>
  : R extends Rowlike<infer T>
    ? AsyncIterableIterator<T> & PromiseLike<AsyncIterableIterator<T>>
    : Promise<Awaited<R>>;

/** A module with each exported function off the loop. */
export type Offloaded<M> = {
  readonly [K in keyof M as M[K] extends AnyFunction ? K : never]: M[K] extends (...args: infer A) => infer R
    ? (...args: A) => OffLoop<R>
    : never;
};

/** What can be done with an offloaded module besides calling it. */
export interface OffloadControl<M> {
  /** The same module in the same host; its calls reject as soon as the signal is aborted. What runs then is given up: a process is killed, a thread is replaced and ends when it can. */
  with(options: { signal: AbortSignal }): Offloaded<M>;
  /** Waits so many milliseconds (2000) for what is pending, and ends the host. False where something was left undone. */
  close(withinMs?: number): Promise<boolean>;
  /** Calls that wait for an answer. */
  readonly pending: number;
}

interface Invocation {
  name: string;
  args: unknown[];
}

const LIMITS = { bytes: 128 * 1024, ms: 10 };
const controls = new WeakMap<object, OffloadControl<unknown>>();

/** Lists of what moves instead of being copied, by value; known to every copy of the package in this thread. */
const TRANSFERS = Symbol.for('owned-spawn/transfers/1');
const transfers = ((globalThis as Partial<Record<symbol, WeakMap<object, readonly unknown[]>>>)[TRANSFERS] ??=
  new WeakMap<object, readonly unknown[]>());

/**
 * Says that parts of an argument, or of what an offloaded function returns, move to the other side instead of being copied:
 * they are empty here afterwards. A process host copies all the same.
 */
export function transfer<T extends object>(value: T, list: readonly unknown[]): T {
  transfers.set(value, list);
  return value;
}

/**
 * Runs a whole module in a thread or process of its own: a call of an export is one round trip, what happens inside stays
 * synchronous and in one piece. The host starts at the first call, and again after a crash, which rejects what was pending.
 * Arguments and results are copied (structured clone).
 *
 *     const repo = offload<typeof import('./repo.js')>(new URL('./repo.js', import.meta.url));
 *     await repo.find(7);
 *     for await (const row of repo.list()) …
 *
 * @param module a file: URL, or an absolute path
 */
export function offload<M extends object>(
  module: URL | string,
  { host = 'thread', maxPending = 1024 }: OffloadOptions = {},
): Offloaded<M> {
  const url = module instanceof URL || /^[a-z-]{2,}:/.test(module) ? String(module) : fileUrl(module);
  const program = programOf(main, { serve, encodeError });
  const client = createClient({
    what: url,
    maxPending,
    start: (events) =>
      startHost(host, program, { url, limits: LIMITS }, events, `owned-spawn offload ${url}`),
  });
  return facade(client, {});
}

/** What can be done with an offloaded module besides calling it: close it, or call under a signal. */
export function controlOf<M>(offloaded: Offloaded<M>): OffloadControl<M> {
  const control = controls.get(offloaded);
  if (!control) throw new TypeError('this is no module that offload() returned');
  return control as OffloadControl<M>;
}

function fileUrl(path: string): string {
  if (!/^([/\\]|[a-z]:)/i.test(path)) {
    throw new TypeError(
      `offload() takes an absolute path or a URL, not "${path}": new URL('${path}', import.meta.url)`,
    );
  }
  return pathToFileURL(path).href;
}

function facade<M extends object>(client: Client, options: CallOptions): Offloaded<M> {
  const callers = new Map<string, (...args: unknown[]) => unknown>();
  const callerOf =
    (name: string) =>
    (...args: unknown[]) => {
      const site = callSite(callers.get(name));
      const lists = args.flatMap((arg) => (isObject(arg) ? (transfers.get(arg) ?? []) : []));
      return resultOf(
        client.call({ name, args } satisfies Invocation, { ...options, site, transfer: lists }),
      );
    };
  const offloaded = new Proxy(Object.create(null) as Offloaded<M>, {
    get: (_, name) => {
      // A thing with `then` would be called by every await.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      const caller = callers.get(name) ?? callerOf(name);
      callers.set(name, caller);
      return caller;
    },
  });
  controls.set(offloaded, {
    with: ({ signal }) => facade(client, { ...options, signal }),
    close: (withinMs = 2000) => client.close(withinMs),
    get pending() {
      return client.pending;
    },
  });
  return offloaded;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A promise of the value, which is also what `for await` takes: whether rows come is known only with the answer. */
function resultOf(answer: Promise<Answer>): Promise<unknown> {
  let rows: AsyncIterableIterator<unknown> | undefined;
  const value = answer.then((given) => ('first' in given ? (rows ??= iterate(given)) : given.value));
  return Object.assign(value, {
    [Symbol.asyncIterator]: () => {
      const given = value.then(() => {
        if (!rows) throw new TypeError('this call gave a value, no rows: await it');
        return rows;
      });
      return {
        next: async () => (await given).next(),
        return: async () => (await given).return?.() ?? { done: true, value: undefined },
      };
    },
  });
}

/** The program of the host. */
function main(
  port: Port,
  { url, limits }: { url: string; limits: typeof LIMITS },
  tools: Surroundings & { serve: typeof serve; encodeError: typeof encodeError },
): void {
  let exports: Record<string, unknown> | undefined;
  const loading = tools.load(url).then((loaded) => (exports = loaded));
  loading.catch(() => undefined); // each call tells
  const transferred = (value: unknown): readonly unknown[] => {
    const lists = (globalThis as Partial<Record<symbol, WeakMap<object, readonly unknown[]>>>)[
      Symbol.for('owned-spawn/transfers/1')
    ];
    return (typeof value === 'object' && value !== null && lists?.get(value)) || [];
  };
  const replyTo = (value: unknown): Reply => {
    const rows = value as Partial<Iterator<unknown> & AsyncIterable<unknown>> | undefined | null;
    if (typeof rows === 'object' && rows !== null && typeof rows.next === 'function') {
      // What comes by and by is passed on at once.
      return { rows: rows as Iterator<unknown>, size: Symbol.asyncIterator in rows ? 1 : 256 };
    }
    return { value, transfer: transferred(value) };
  };
  const invoke = (loaded: Record<string, unknown>, { name, args }: Invocation): Reply | Promise<Reply> => {
    // A CommonJS module may show its exports as `default` only.
    const inner = loaded.default as Record<string, unknown> | undefined;
    const exported = loaded[name] ?? inner?.[name];
    if (typeof exported !== 'function') throw new TypeError(`${url} exports no function "${name}"`);
    const value = (exported as (...all: unknown[]) => unknown)(...args);
    const isPromise =
      typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
    return isPromise ? (value as unknown as Promise<unknown>).then(replyTo) : replyTo(value);
  };
  tools.serve(
    port,
    tools,
    (call: Invocation) =>
      exports
        ? invoke(exports, call)
        : loading.then(
            (loaded) => invoke(loaded, call),
            (useless: unknown) => ({ useless }),
          ),
    limits,
  );
}
