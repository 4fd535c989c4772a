import type { RawDatabase } from './raw-database.ts';

/**
 * Runs work in a transaction, or in a savepoint of the one that is open; undoes it where it throws. Holds no reference to
 * its module: hosts get its source.
 */
export function atomically<T>(db: RawDatabase, work: () => T): T {
  const isInTransaction = (): boolean => {
    // As better-sqlite3 calls it, and node:sqlite from Node 24 on.
    const known = db.inTransaction ?? db.isTransaction;
    if (known !== undefined) return known;
    try {
      db.exec('BEGIN');
    } catch {
      return true;
    }
    db.exec('ROLLBACK');
    return false;
  };
  const [begin, commit, undo] = isInTransaction()
    ? [
        'SAVEPOINT owned_spawn_batch',
        'RELEASE owned_spawn_batch',
        'ROLLBACK TO owned_spawn_batch; RELEASE owned_spawn_batch',
      ]
    : ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'];
  db.exec(begin);
  try {
    const result = work();
    db.exec(commit);
    return result;
  } catch (error) {
    // Some errors have rolled back already: https://www.sqlite.org/lang_transaction.html
    if (isInTransaction()) db.exec(undo);
    throw error;
  }
}
