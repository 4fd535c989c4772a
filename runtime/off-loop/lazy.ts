/** How calls of a lazy function are told apart and bounded. */
export interface LazyOptions<A extends unknown[]> {
  /** What is done once for each: by default the first argument. */
  keyOf?: (...args: A) => unknown;
  /** How many may be on their way at the same time; 4 by default. The others wait their turn. */
  atOnce?: number;
}

/** A function that does its work at the first call, and gives its result to all later ones. */
export interface Lazy<A extends unknown[], R> {
  (...args: A): Promise<R>;
  /** Does the work again at the next call with these arguments: what was started has died. Without arguments, for all. */
  forget(...args: Partial<A>): void;
}

/**
 * Puts a warm-up off until somebody needs it: nothing happens at start, callers that come at the same time share one run,
 * and a run that failed is tried again at the next call.
 *
 *     const connect = onFirst((entry: Entry) => start(entry), { keyOf: (entry) => entry.name });
 */
export function onFirst<A extends unknown[], R>(
  work: (...args: A) => R | Promise<R>,
  { keyOf = (...args) => args[0], atOnce = 4 }: LazyOptions<A> = {},
): Lazy<A, R> {
  if (!(atOnce >= 1)) throw new RangeError(`atOnce must be at least 1, not ${atOnce}`);
  const results = new Map<unknown, Promise<R>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn(args: A): Promise<R> {
    // Who is woken takes over the place of who woke it: a newcomer cannot slip in between.
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work(...args);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }
  const call = (...args: A): Promise<R> => {
    let key: unknown;
    try {
      key = keyOf(...args);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return Promise.reject(error);
    }
    const known = results.get(key);
    if (known) return known;
    const result = inTurn(args);
    results.set(key, result);
    result.catch(() => {
      if (results.get(key) === result) results.delete(key);
    });
    return result;
  };
  return Object.assign(call, {
    forget: (...args: Partial<A>) => {
      if (args.length === 0) results.clear();
      else results.delete(keyOf(...(args as unknown as A)));
    },
  });
}
