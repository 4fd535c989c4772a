import { EXIT, UserError, type Context } from 'owned-spawn/cli';
import { bring, finish, forget, withJournal } from './journal.ts';

/** Takes the last migration below a root back. */
export const rollback = (root: string, { out }: Context): Promise<number> =>
  withJournal(root, (journal) => {
    if (!journal) throw new UserError('there is no migration to take back here', 'Nothing was changed.');
    const paths = bring(root, journal, 'before');
    forget(root, journal);
    for (const path of paths) out.line(path);
    out.line(out.bold(`${paths.length} file${paths.length === 1 ? '' : 's'} restored.`));
    return EXIT.ok;
  });

/** Brings a migration that was cut off to its end. */
export const resume = (root: string, { out }: Context): Promise<number> =>
  withJournal(root, (journal) => {
    if (!journal) throw new UserError('no migration was cut off here', 'Nothing was changed.');
    const paths = bring(root, journal, 'after');
    finish(root, journal);
    for (const path of paths) out.line(path);
    out.line(out.bold(`${journal.files.length} files migrated, ${paths.length} of them now.`));
    return EXIT.ok;
  });

/**
 * Refuses to go on where a migration was cut off.
 * @throws {UserError} saying how far it came
 */
export const refuseHalf = (root: string): Promise<void> =>
  withJournal(root, (journal) => {
    if (journal?.state !== 'writing') return;
    throw new UserError(
      `a migration of ${journal.files.length} files was cut off while it replaced them`,
      'migrate --rollback restores them, migrate --resume migrates the rest.',
    );
  });
