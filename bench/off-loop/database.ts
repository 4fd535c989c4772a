import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { betterSqlite3 } from '../../test/helpers/on-demand.ts';

/** What the benches use of better-sqlite3 itself. */
export interface Direct {
  prepare(sql: string): {
    all(...params: unknown[]): unknown[];
    get(...params: unknown[]): unknown;
    run(...params: unknown[]): unknown;
  };
  exec(sql: string): void;
  pragma(text: string): unknown;
  close(): void;
}

export const resolveFrom = join(betterSqlite3(), 'x.js');
export const BetterSqlite3 = createRequire(resolveFrom)('better-sqlite3') as new (path: string) => Direct;

const cache = fileURLToPath(new URL('../../.cache/off-loop/', import.meta.url));
const WORDS = 5000;

/** A search that takes long: every message that holds a frequent word is ranked. */
export const SEARCH = `select m.id, substr(m.body, 1, 80) as head from f join m on m.id = f.rowid where f match ? order by bm25(f) limit 20`;
export const searchWord = (i: number): string => `w${i % 20}`;

/** A database of about 300 MB: 300,000 messages with a full-text index; made once. */
export function searchDatabase(): string {
  const path = join(cache, 'search.db');
  if (existsSync(path)) return path;
  mkdirSync(cache, { recursive: true });
  const making = `${path}.new`;
  rmSync(making, { force: true });
  const db = new BetterSqlite3(making);
  db.pragma('journal_mode = off');
  db.exec(
    `create table m (id integer primary key, author text, at integer, body text); create virtual table f using fts5 (body, content = 'm', content_rowid = 'id')`,
  );
  let seed = 1;
  // Frequent words come often, as in a language.
  const word = (): string => {
    seed = (seed * 16_807) % 2_147_483_647;
    return `w${Math.floor(WORDS * (seed / 2_147_483_647) ** 3)}`;
  };
  const insert = db.prepare('insert into m values (?, ?, ?, ?)');
  db.exec('begin');
  for (let id = 1; id <= 300_000; id++) {
    insert.run(id, word(), id, Array.from({ length: 110 }, word).join(' '));
  }
  db.exec(`commit; insert into f (f) values ('rebuild')`);
  db.pragma('journal_mode = wal');
  db.close();
  renameSync(making, path);
  console.log(`  made ${path}: ${Math.round(statSync(path).size / 1e6)} MB`);
  return path;
}
