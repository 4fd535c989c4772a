/** Which of SQLite's files a lock is on. */
export type LockedFile = 'main' | 'shm';

interface Range {
  file: LockedFile;
  first: number;
  last: number;
  name: string;
  /** Whether such a lock keeps a writer out: always, only in a rollback journal, or never; by the mode in which it is held. */
  blocks: Record<'READ' | 'WRITE', 'always' | 'rollback' | 'never'>;
}

// The pending byte lies behind one gigabyte (sqlite3.c, PENDING_BYTE).
const PENDING = 0x40000000;

const writersOnly = { READ: 'never', WRITE: 'always' } as const;

/** SQLite's lock bytes: https://www.sqlite.org/lockingv3.html, https://www.sqlite.org/walformat.html (WAL-index locks). */
const RANGES: readonly Range[] = [
  {
    file: 'main',
    first: PENDING,
    last: PENDING,
    name: 'PENDING',
    blocks: { READ: 'rollback', WRITE: 'always' },
  },
  { file: 'main', first: PENDING + 1, last: PENDING + 1, name: 'RESERVED', blocks: writersOnly },
  // A reader in a rollback journal keeps the commit out; in WAL every connection holds this all its life.
  {
    file: 'main',
    first: PENDING + 2,
    last: PENDING + 511,
    name: 'SHARED',
    blocks: { READ: 'rollback', WRITE: 'always' },
  },
  { file: 'shm', first: 120, last: 120, name: 'WAL write', blocks: writersOnly },
  { file: 'shm', first: 121, last: 121, name: 'WAL checkpoint', blocks: writersOnly },
  { file: 'shm', first: 122, last: 122, name: 'WAL recovery', blocks: writersOnly },
  { file: 'shm', first: 123, last: 127, name: 'WAL read', blocks: { READ: 'never', WRITE: 'never' } },
  { file: 'shm', first: 128, last: 128, name: 'WAL open', blocks: writersOnly },
];

/**
 * What a lock means to SQLite. The kernel merges neighbouring ranges of one holder: EXCLUSIVE shows as all bytes from
 * PENDING on.
 * @param isWal whether the database is in WAL mode
 */
export function meaningOf(
  file: LockedFile,
  mode: 'READ' | 'WRITE',
  first: number,
  last: number,
  isWal: boolean,
): { name: string; blocks: boolean } {
  const touched = RANGES.filter((range) => range.file === file && range.first <= last && range.last >= first);
  const isShared = touched.some(({ name }) => name === 'SHARED');
  const names = touched.map(({ name }) => name);
  return {
    name:
      touched.length === 0
        ? `bytes ${first} to ${last}`
        : mode === 'WRITE' && isShared
          ? 'EXCLUSIVE'
          : names.join(' + '),
    blocks: touched.some(
      ({ blocks }) => blocks[mode] === 'always' || (blocks[mode] === 'rollback' && !isWal),
    ),
  };
}
