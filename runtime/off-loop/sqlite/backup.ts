import type { BackupProgress } from './backup-options.ts';
import type { RawDatabase } from './raw-database.ts';

/** What is asked of a backup. */
export interface BackupCall {
  path: string;
  attached: string;
  /** A step; between two steps others may write. */
  pages: number;
}

/** The part of node:sqlite that makes backups; Node 22.16 and 23.8 have it. */
export interface BackupModule {
  backup?(db: RawDatabase, path: string, options: object): Promise<number>;
}

/**
 * What is told while a backup runs, and at the end the result. Holds no reference to its module: hosts get its source.
 * @param builtin node:sqlite, where the database is one of it
 */
export async function* backup(
  db: RawDatabase,
  { path, attached, pages }: BackupCall,
  builtin: BackupModule | undefined,
): AsyncGenerator<BackupProgress | { result: BackupProgress }> {
  const news: BackupProgress[] = [];
  let wake = (): void => undefined;
  const state = { isOver: false, isUnwanted: false };
  const progress = (info: BackupProgress): number => {
    // What throws here ends the backup.
    if (state.isUnwanted) throw new Error('nobody waits for this backup any more');
    news.push({ totalPages: info.totalPages, remainingPages: info.remainingPages });
    wake();
    return pages;
  };
  const run = builtin
    ? builtin.backup?.(db, path, { source: attached, rate: pages, progress })
    : db.backup?.(path, { attached, progress });
  if (!run) throw new TypeError('this node:sqlite has no backup(): Node 22.16 and 23.8 have');
  const done = run.finally(() => {
    state.isOver = true;
    wake();
  });
  done.catch(() => undefined);
  try {
    while (!state.isOver) {
      await new Promise<void>((resolve) => (wake = resolve));
      yield* news.splice(0);
    }
  } finally {
    state.isUnwanted = true;
  }
  const result = await done;
  yield* news.splice(0);
  yield { result: typeof result === 'number' ? { totalPages: result, remainingPages: 0 } : result };
}
