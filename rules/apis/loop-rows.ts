/** What a blocking call costs the event loop, and so how loud a report of it is. */
export type Cost =
  /** Waits for the disk, the network or a lock. */
  | 'io'
  /** Asks the file system one small question, or makes one folder: little, unless it is done in a loop. */
  | 'probe'
  /** Waits for another process. */
  | 'child'
  /** Computes. */
  | 'cpu'
  /** Does nothing until somebody wakes it up or time is over. */
  | 'wait';

/** Which calls of an API a row speaks of, by their arguments. */
export type When =
  /** No `async: true` in the options and no callback. */
  | 'not-async'
  /** The last argument, a time, is not 0. */
  | 'waits';

/** How a blocking call becomes its twin, where that is more than its name. */
export type TwinForm =
  /** The twin takes a callback: `promisify(gzip)(…)`. */
  | 'promisified'
  /** As above, and what the blocking call gives is the `stdout` of it. */
  | 'output'
  /** The twin rejects where the blocking call gives false. */
  | 'probe';

/** The promise-returning twin of a blocking call, called with the same arguments. */
export interface Twin {
  /** The module that exports it. */
  module: string;
  /** Its name there. */
  name: string;
  /** Its path in the module of the blocking call: `promises.readFile` of `fs`. */
  member: string;
  form?: TwinForm;
}

/** What a call of a row's member does. Rows with the same module and path are one row. */
export interface LoopRow {
  /** The module specifier without `node:`; a user's row may name a file of the project: `./lib/db`. Globals are of `global`. */
  module: string;
  /**
   * The member's path in the module; `''` is the module itself or its default export, `Database#` what a row with
   * `returns: 'Database#'` makes, and `Database#.prepare` a method of that.
   */
  path: string;
  /** What a call, a construction, or an annotation with the type of this name stands for. */
  returns?: string;
  blocks?: Blocks;
  sqlite?: SqliteEffect;
  callbacks?: Callbacks;
}

export interface Blocks {
  cost: Cost;
  /** What to use in its place, as it stands in the message: `` `fs.promises.readFile` ``. */
  instead?: string;
  twin?: Twin;
  when?: When;
  /** Whether its options hold a `timeout`, in milliseconds. */
  hasTimeout?: true;
}

/** What a method of a SQLite driver does, where it does it synchronously. */
export type SqliteEffect = 'open' | 'exec' | 'get' | 'all' | 'run' | 'iterate' | 'transaction' | 'pragma';

/** Where the functions run that an API is given. */
export interface Callbacks {
  /**
   * `loop`: later, on the event loop. `off`: elsewhere, or when nothing else runs. `now`: before the call returns.
   * `called`: when somebody calls what the call gives.
   */
  run: 'loop' | 'off' | 'now' | 'called';
  /** What such a function is called in a message: `a timer`. */
  as: string;
  /**
   * What becomes of the rejection of a promise that such a function gives. `seen`: who registers it waits for it. `next`:
   * nothing, but its last parameter takes errors. Nothing at all where it is not said.
   */
  rejections?: 'seen' | 'next';
}
