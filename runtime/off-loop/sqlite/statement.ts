import { callSite } from '../host/call-site.ts';
import type { Flags } from './calls.ts';
import { travelling } from './values.ts';

/** What a statement asks of its database, with the arguments of the call: a promise rejects also where these are wrong. */
export interface StatementHost {
  run(statement: Bound, args: unknown[], site: object): Promise<RunResult>;
  get(statement: Bound, args: unknown[], site: object): Promise<unknown>;
  all(statement: Bound, args: unknown[], site: object): Promise<unknown[]>;
  iterate(statement: Bound, args: unknown[], site: object): AsyncIterableIterator<unknown>;
  columns(statement: Bound, site: object): Promise<unknown[]>;
}

/** What is known of a statement here. */
export interface Bound {
  sql: string;
  /** Only where something was set: an empty object costs to copy. */
  flags: Flags | undefined;
  signal: AbortSignal | undefined;
  /** Parameters that were bound for good. */
  params: unknown[] | undefined;
}

/**
 * The parameters of a call.
 * @throws TypeError where some are bound already
 */
export function paramsOf({ params }: Bound, args: unknown[]): unknown[] {
  if (!params) return args.map(travelling);
  if (args.length > 0) throw new TypeError('This statement already has bound parameters');
  return params;
}

/** What a write changed. */
export interface RunResult {
  changes: number | bigint;
  lastInsertRowid: number | bigint;
}

/** A statement with its parameters, for batch(). */
export interface BoundStatement {
  readonly source: string;
  readonly params: unknown[];
  readonly flags: Flags | undefined;
}

/** A statement as the drivers have it, whose queries are promises. It is compiled at its first use: an error in its SQL shows there. */
export interface Statement<Row = unknown> {
  readonly source: string;
  run: (...params: unknown[]) => Promise<RunResult>;
  get: (...params: unknown[]) => Promise<Row | undefined>;
  all: (...params: unknown[]) => Promise<Row[]>;
  /** Rows as they are asked for; a slow reader holds nobody up. */
  iterate: (...params: unknown[]) => AsyncIterableIterator<Row>;
  columns: () => Promise<unknown[]>;
  /** Binds parameters for good, as better-sqlite3 does. */
  bind(...params: unknown[]): this;
  /** Only the first column. */
  pluck(on?: boolean): this;
  /** Rows as arrays. */
  raw(on?: boolean): this;
  /** Rows as an object for each table; better-sqlite3 only. */
  expand(on?: boolean): this;
  /** Integers as BigInt. */
  safeIntegers(on?: boolean): this;
  setReadBigInts(on: boolean): void;
  setReturnArrays(on: boolean): void;
  /** The same statement under a signal: its calls reject as soon as it is aborted. */
  with(options: { signal: AbortSignal }): Statement<Row>;
  /** The statement with parameters, to be run by batch(). */
  of(...params: unknown[]): BoundStatement;
}

/** A handle: synchronous, costs nothing. */
export function createStatement<Row>(host: StatementHost, given: Bound): Statement<Row> {
  const own: Bound = { ...given };
  const flag = (name: keyof Flags, on: boolean): Statement<Row> => {
    // One shape at a time, as in better-sqlite3: the last one that was switched on.
    if (on && name !== 'safeIntegers') own.flags = { ...own.flags, pluck: false, raw: false, expand: false };
    own.flags = { ...own.flags, [name]: on };
    return statement;
  };
  const statement: Statement<Row> = {
    source: own.sql,
    run: (...args) => host.run(own, args, callSite(statement.run)),
    get: (...args) => host.get(own, args, callSite(statement.get)) as Promise<Row | undefined>,
    all: (...args) => host.all(own, args, callSite(statement.all)) as Promise<Row[]>,
    iterate: (...args) => host.iterate(own, args, callSite(statement.iterate)) as AsyncIterableIterator<Row>,
    columns: () => host.columns(own, callSite(statement.columns)),
    bind: (...args) => {
      if (own.params) throw new TypeError('The bind() method can only be invoked once per statement object');
      own.params = args.map(travelling);
      return statement;
    },
    pluck: (on = true) => flag('pluck', on),
    raw: (on = true) => flag('raw', on),
    expand: (on = true) => flag('expand', on),
    safeIntegers: (on = true) => flag('safeIntegers', on),
    setReadBigInts: (on) => void flag('safeIntegers', on),
    setReturnArrays: (on) => void flag('raw', on),
    with: ({ signal }) => createStatement(host, { ...own, signal }),
    of: (...args) => ({ source: own.sql, params: paramsOf(own, args), flags: own.flags }),
  };
  return statement;
}
