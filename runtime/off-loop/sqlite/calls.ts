import type { BackupCall } from './backup.ts';
import type { Driver } from './driver.ts';

/** What a host opens. */
export interface HostInit {
  driver: Driver;
  /** A path, or the bytes of a database, which better-sqlite3 opens in memory. */
  path: string | Uint8Array;
  /** A reader refuses to write. */
  isReader: boolean;
  readonly: boolean;
  fileMustExist: boolean;
  /** How long a statement waits for a lock, in milliseconds. */
  timeout: number;
  nativeBinding: string | undefined;
  /** A module whose default export is called with each connection. */
  setup: string | undefined;
  /** What each connection needs that is kept by none: pragmas, attached files, extensions. */
  replay: Replay[];
  limits: { bytes: number; ms: number };
}

export type Replay = { sql: string } | { extension: string };

/** How rows come. */
export interface Flags {
  pluck?: boolean;
  raw?: boolean;
  expand?: boolean;
  safeIntegers?: boolean;
}

export type StatementCall = [sql: string, params: unknown[], flags: Flags | undefined];

/** What a host is asked. */
export type SqliteCall =
  | [op: 'run' | 'get' | 'all' | 'iterate' | 'columns', ...StatementCall]
  | [op: 'exec', given: string]
  | [op: 'pragma', given: { text: string; simple: boolean }]
  | [op: 'batch', given: StatementCall[]]
  | [op: 'backup', given: BackupCall]
  | [op: 'replay', given: Replay]
  | [op: 'serialize', given: { attached: string }]
  | [op: 'close' | 'journal', given?: undefined];
