import type { BackupProgress } from './backup-options.ts';

/** The part of both drivers' databases that is used. */
export interface RawDatabase {
  prepare(sql: string): RawStatement;
  exec(sql: string): unknown;
  close(): void;
  readonly inTransaction?: boolean;
  readonly isTransaction?: boolean;
  loadExtension(path: string): void;
  enableLoadExtension?(allow: boolean): void;
  pragma?(text: string, options: { simple: boolean }): unknown;
  serialize?(options: { attached: string }): Uint8Array;
  backup?(
    path: string,
    options: { attached: string; progress(info: BackupProgress): number },
  ): Promise<BackupProgress>;
}

export interface RawStatement {
  reader?: boolean;
  run(...params: unknown[]): unknown;
  get(...params: unknown[]): unknown;
  all(...params: unknown[]): unknown[];
  iterate(...params: unknown[]): Iterator<unknown>;
  columns?(): unknown[];
  pluck?(on: boolean): void;
  raw?(on: boolean): void;
  expand?(on: boolean): void;
  safeIntegers?(on: boolean): void;
  setReadBigInts?(on: boolean): void;
  setReturnArrays?(on: boolean): void;
}
