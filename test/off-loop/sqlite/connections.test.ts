import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { openDatabase } from '../../../runtime/off-loop/sqlite.ts';
import { folderOf, run, use } from '../program.ts';

import {
  busyCode,
  common,
  counter,
  describeDriver,
  describeHosts,
  isBetter,
  one,
  open,
  rows,
} from './database.ts';

describeHosts('connections', (host) => {
  it('repeats pragmas, attached files and the setup on every connection', async (t) => {
    const folder = folderOf(t);
    const db = await counter(
      t,
      { host, setup: new URL('../modules/setup.ts', import.meta.url) },
      true,
      join(folder, 'a.db'),
    );
    await db.pragma('cache_size = 77');
    await db.exec(`ATTACH '${join(folder, 'b.db')}' AS b; create table b.t (a)`);
    assert.deepEqual(await rows(db, 'select twice(n) as n from c, b.t'), []);
    const settings = await Promise.all([
      rows(db, 'select cache_size as n from pragma_cache_size'),
      db.transaction(() => rows(db, 'select cache_size as n from pragma_cache_size'))(),
    ]);
    assert.deepEqual(settings, [[{ n: 77 }], [{ n: 77 }]]);
    assert.equal(await one(db, 'select twice(21)'), 42);
    await db.exec('create temp table mine (a); insert into mine values (5)');
    assert.equal(await one(db, 'select a from mine'), 5);
  });

  it('knows what only the connection that writes can answer', async (t) => {
    const db = await counter(t, { host }, true);
    await rows(db, 'select n from c');
    await db.prepare('insert into c (n) values (5)').run();
    assert.equal(await one(db, 'select last_insert_rowid()'), 2);
    assert.deepEqual(await rows(db, 'with x as (select 1) select * from c where n = 5'), [{ id: 2, n: 5 }]);
    await db.prepare('with x(a) as (select 3) insert into c (n) select a from x').run();
    assert.deepEqual(await rows(db, 'insert into c (n) values (4) returning n'), [{ n: 4 }]);
    assert.equal(await one(db, 'select count(*) from c'), 4);
  });

  it('has one connection in memory', async (t) => {
    const db = open(t, { host }, ':memory:');
    await db.exec('create table t (a); insert into t values (1)');
    assert.deepEqual(await Promise.all([rows(db, 'select a from t'), rows(db, 'select a from t')]), [
      [{ a: 1 }],
      [{ a: 1 }],
    ]);
    assert.ok(db.memory);
  });

  it('opens the path of its start, and closes without a bound where it is told so', async (t) => {
    const folder = folderOf(t);
    const away = folderOf(t);
    const program = run(
      t,
      folder,
      `${use('off-loop/sqlite.ts', 'openDatabase')}const db = openDatabase('here.db', ${JSON.stringify({ ...common, host })});
        process.chdir(${JSON.stringify(away)});
        const made = db.exec('create table t (a)');
        console.log('CLOSED', await db.close({ withinMs: Infinity }));
        await made;`,
    );
    await program.line(/CLOSED true/);
    assert.deepEqual(await program.ended, { code: 0, signal: null });
    assert.ok(existsSync(join(folder, 'here.db')));
  });

  it('backs up while it is used', async (t) => {
    const folder = folderOf(t);
    const db = open(t, { host }, join(folder, 'a.db'));
    await db.exec(
      `create table t (a); with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) insert into t select randomblob(100) from n`,
    );
    const progress: number[] = [];
    const total = await db.backup(join(folder, 'b.db'), {
      pages: 20,
      progress: ({ remainingPages }) => progress.push(remainingPages),
    });
    assert.ok(progress.length > 0);
    assert.ok(total.totalPages >= Math.max(...progress), 'the result says how much it was');
    assert.equal(total.remainingPages, 0);
    for (const none of ['', ' ', ':memory:']) await assert.rejects(db.backup(none), /names none/);
    await assert.rejects(
      db.backup(join(folder, 'c.db'), {
        pages: 1,
        progress: () => {
          throw new Error('enough');
        },
      }),
      /^Error: enough$/,
    );
    assert.equal(await one(open(t, {}, join(folder, 'b.db')), 'select count(*) from t'), 5000);
    if (!isBetter) return;
    const bytes = await db.serialize();
    assert.equal(bytes.subarray(0, 15).toString(), 'SQLite format 3');
    await db.exec("attach ':memory:' as small; create table small.t (a)");
    assert.ok((await db.serialize({ attached: 'small' })).length < bytes.length);
    const again = openDatabase(bytes, { ...common, host });
    t.after(() => again.close());
    assert.equal(await one(again, 'select count(*) from t'), 5000);
  });

  it('names in the log who holds the lock, and leaves the error as it is', async (t) => {
    const path = join(folderOf(t), 'a.db');
    const logged: string[] = [];
    const db = await counter(t, { host, timeout: 1, log: (text) => logged.push(text) }, true, path);
    const holder = open(t, { host: 'process' }, path);
    // In a context of its own: in ours, the wait for ourselves would be found.
    let [enter, leave] = [(): void => undefined, (): void => undefined];
    const locked = new Promise<void>((resolve) => (enter = resolve));
    const ended = new Promise<void>((resolve) => (leave = resolve));
    const holding = holder.transaction(async () => {
      enter();
      await ended;
    })();
    await locked;
    await assert.rejects(db.exec('update c set n = 1'), { code: busyCode, message: 'database is locked' });
    leave();
    await holding;
    assert.match(logged.join('\n'), /WAL write lock on a\.db-shm held by pid \d+.*a transaction begun at/);
    await db.exec('update c set n = 1');
  });
});

describeDriver('connections', () => {
  it('takes a file: URL, and leaves a readonly file alone', async (t) => {
    const path = join(folderOf(t), 'a.db');
    const db = open(t, {}, path);
    await db.exec('create table t (a)');
    await db.close();
    const before = statSync(path).mtimeMs;
    const reader = openDatabase(new URL(`file://${path}`), { ...common, readonly: true });
    t.after(() => reader.close());
    assert.deepEqual(await rows(reader, 'select * from t'), []);
    await assert.rejects(reader.exec('insert into t values (1)'), /readonly/);
    assert.equal(statSync(path).mtimeMs, before);
  });

  it('opens again after the open failed', async (t) => {
    const folder = join(folderOf(t), 'later');
    const db = open(t, {}, join(folder, 'a.db'));
    await assert.rejects(rows(db, 'select 1 as n'), Error);
    mkdirSync(folder);
    assert.deepEqual(await rows(db, 'select 1 as n'), [{ n: 1 }]);
  });
});
