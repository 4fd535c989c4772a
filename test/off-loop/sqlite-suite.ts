// The whole facade against a real driver: OWNED_SPAWN_DRIVER=better-sqlite3 | node:sqlite, and OWNED_SPAWN_RESOLVE_FROM.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Database, type DatabaseOptions } from '../../runtime/off-loop/sqlite.ts';
import type { DriverName } from '../../runtime/off-loop/sqlite/driver.ts';
import { folderOf, run, use } from './program.ts';

export const driver = (process.env.OWNED_SPAWN_DRIVER ?? 'node:sqlite') as DriverName;
const resolveFrom = process.env.OWNED_SPAWN_RESOLVE_FROM;
const common: DatabaseOptions = { driver, ...(resolveFrom !== undefined && { resolveFrom }) };
const isBetter = driver === 'better-sqlite3';
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
const busyCode = isBetter ? 'SQLITE_BUSY' : 'ERR_SQLITE_ERROR';
/** Takes seconds, in native code that nothing interrupts. */
const HEAVY = (n: number): string =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${n}) select count(*) as hits from n where i % 7 = 3`;

function open(t: TestContext, options: DatabaseOptions = {}, path = join(folderOf(t), 'a.db')): Database {
  const db = openDatabase(path, { ...common, ...options });
  t.after(() => db.close({ withinMs: 100 }));
  return db;
}
const rows = (db: Database, sql: string): Promise<unknown[]> => db.prepare(sql).all();
const one = async (db: Database, sql: string): Promise<unknown> =>
  Object.values((await db.prepare(sql).get()) as object)[0];

async function counter(
  t: TestContext,
  options: DatabaseOptions,
  wal: boolean,
  path?: string,
): Promise<Database> {
  const db = open(t, options, path);
  if (wal) await db.pragma('journal_mode = WAL');
  await db.exec('create table c (id integer primary key, n integer); insert into c values (1, 0)');
  return db;
}

for (const host of ['thread', 'process'] as const) {
  describe(`${driver}, host ${host}`, () => {
    it('has synchronous handles and promises at the leaves', async (t) => {
      const path = join(folderOf(t), 'a.db');
      const db = open(t, { host }, path);
      assert.ok(!existsSync(path), 'opened at the first call');
      const insert = db.prepare('insert into t values (?, ?)');
      const list = db.prepare<{ a: number; b: string }>('select a, b from t order by a');
      await db.exec('create table t (a integer primary key, b text)');
      assert.deepEqual({ ...(await insert.run(1, 'x')) }, { changes: 1, lastInsertRowid: 1 });
      await insert.run(2, 'ü');
      assert.deepEqual(await list.all(), [
        { a: 1, b: 'x' },
        { a: 2, b: 'ü' },
      ]);
      assert.deepEqual(await list.get(), { a: 1, b: 'x' });
      assert.equal(await db.prepare('select a from t where a = ?').get(9), undefined);
      assert.deepEqual(await db.prepare('select a from t where b = $b').all({ b: 'ü' }), [{ a: 2 }]);
      const seen = [];
      for await (const row of list.iterate()) seen.push(row.b);
      assert.deepEqual(seen, ['x', 'ü']);
      assert.equal(await db.pragma('user_version', { simple: true }), 0);
      assert.ok(db.open && db.name === path && !db.memory && !db.inTransaction);
      assert.equal(await db.close(), true);
      assert.ok(!db.open);
      await assert.rejects(list.all(), { code: 'ERR_OWNED_SPAWN_CLOSED' });
    });

    it('keeps BigInt, bytes, null and modes', async (t) => {
      const db = open(t, { host });
      await db.exec('create table t (big integer, bytes blob, none)');
      const bytes = Buffer.from('\0\xff from the pool', 'latin1');
      await db.prepare('insert into t values (?, ?, ?)').run(2n ** 60n, bytes, null);
      await db.prepare('insert into t values (@big, @bytes, @none)').run({ big: 1, bytes, none: 'x' });
      const all = db
        .prepare<{ big: bigint; bytes: Uint8Array; none: unknown }>('select * from t')
        .safeIntegers();
      const [row, second] = await all.all();
      assert.deepEqual([row?.big, row?.none, second?.none], [2n ** 60n, null, 'x']);
      for (const found of [row?.bytes, second?.bytes, (await all.get())?.bytes]) {
        assert.ok(found && bytes.equals(found));
        assert.equal(Buffer.isBuffer(found), isBetter, 'as the driver gives it');
      }
      assert.equal(await db.prepare('select count(*) from t').pluck().get(), 2);
      assert.deepEqual(await db.prepare('select 1 union select 2').pluck().all(), [1, 2]);
      if (isBetter) assert.deepEqual(await db.prepare('select 1 as a, 2 as b').raw().all(), [[1, 2]]);
      if (isBetter)
        assert.deepEqual(await db.prepare('select none from t where big = 1').expand().get(), {
          t: { none: 'x' },
        });
      const shape = db.prepare('select 1 as a, 2 as b');
      assert.equal(await shape.pluck().get(), 1);
      assert.deepEqual(await shape.pluck(false).get(), { a: 1, b: 2 });
      if (isBetter) assert.deepEqual(await shape.pluck().raw().get(), [1, 2], 'the last shape counts');
      if (isBetter) assert.equal(await shape.pluck().get(), 1);
      assert.deepEqual(await db.defaultSafeIntegers().prepare('select 1 as a').get(), { a: 1n });
      db.defaultSafeIntegers(false);
      assert.equal(await db.exec('select 1'), db);
      const given = Buffer.from('as given');
      const echo = db.prepare<Uint8Array>('select ?').pluck();
      const [later, part] = [echo.iterate(given), echo.of(given)];
      given.fill(0);
      assert.equal(Buffer.from((await later.next()).value ?? []).toString(), 'as given');
      assert.equal(
        Buffer.from(((await db.batch([part])) as [Uint8Array[]])[0][0] ?? []).toString(),
        'as given',
      );
      const bound = db.prepare('select ? + ? as sum').bind(1, 2);
      assert.deepEqual(await bound.get(), { sum: 3 });
      await assert.rejects(bound.get(1), TypeError);
      if (isBetter)
        assert.equal(
          ((await db.prepare('select none from t').columns())[0] as { name: string }).name,
          'none',
        );
    });

    it('throws the errors of the driver, with code, class and both stacks', async (t) => {
      const db = open(t, { host });
      await db.exec('create table t (a integer primary key)');
      await db.prepare('insert into t values (1)').run();
      async function caller(): Promise<unknown> {
        return await db.prepare('insert into t values (1)').run();
      }
      await assert.rejects(caller(), (error: Error & { code: string; errcode?: number }) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, /UNIQUE constraint failed: t\.a/);
        if (isBetter)
          assert.deepEqual([error.name, error.code], ['SqliteError', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
        else assert.deepEqual([error.code, error.errcode], ['ERR_SQLITE_ERROR', 1555]);
        assert.match(error.stack ?? '', /off the event loop[^]*caller/);
        return true;
      });
      await assert.rejects(db.prepare('select missing').all(), /no such column/);
      for (const unbound of [() => 1, Symbol('a')]) {
        await assert.rejects(db.prepare('select ?').get(unbound), TypeError);
        assert.throws(() => db.prepare('select ?').of(unbound), TypeError);
      }
      await assert.rejects(db.prepare('select ?').get({ a: new Date() }), Error);
      await assert.rejects(
        open(t, { host, fileMustExist: true }, join(folderOf(t), 'none.db'))
          .prepare('select 1')
          .get(),
        /unable to open database file/,
      );
      for (const name of ['function', 'aggregate', 'table'] as const)
        assert.throws(() => db[name]('f', () => 1), /option setup/);
      for (const what of [undefined, 1, {}]) {
        assert.throws(() => db.prepare(what as unknown as string), TypeError);
        await assert.rejects(db.exec(what as unknown as string), TypeError);
        assert.throws(() => db.transaction(what as unknown as () => void), TypeError);
        assert.throws(() => openDatabase(what as unknown as string, common), TypeError);
      }
      assert.equal(await one(db, 'select count(*) from t'), 1);
    });

    it('sends many rows in parts: all of them, in order, without blocking', async (t) => {
      const db = open(t, { host });
      await db.exec(
        `create table t (a integer primary key, b text); with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) insert into t select i, 'row ' || i from n`,
      );
      const all = (await rows(db, 'select * from t order by a')) as { a: number; b: string }[];
      assert.equal(all.length, 20_000);
      assert.ok(all.every(({ a, b }, i) => a === i + 1 && b === `row ${i + 1}`));
      let [count, last] = [0, 0];
      for await (const { a } of db.prepare<{ a: number }>('select a from t order by a').iterate()) {
        last = a;
        if (++count === 1500) break;
      }
      assert.deepEqual([count, last], [1500, 1500]);
      await db.prepare('delete from t').run();
      assert.equal(await one(db, 'select count(*) from t'), 0);
    });

    for (const wal of [false, true]) {
      it(`loses no update of 100 concurrent transactions, ${wal ? 'WAL' : 'rollback journal'}`, async (t) => {
        const db = await counter(t, { host }, wal);
        const get = db.prepare<{ n: number }>('select n from c where id = 1');
        const set = db.prepare('update c set n = ? where id = 1');
        const increment = db.transaction(async (by: number) => {
          const n = (await get.get())?.n ?? NaN;
          await set.run(n + by);
          return n;
        });
        await Promise.all(Array.from({ length: 100 }, () => increment(1)));
        assert.equal(await one(db, 'select n from c'), 100);
      });

      it(`shows a read what was written before it, awaited or not, ${wal ? 'WAL' : 'rollback journal'}`, async (t) => {
        const db = await counter(t, { host }, wal);
        const set = db.prepare('update c set n = n + 1');
        const get = db.prepare('select n from c').pluck();
        for (let i = 1; i <= 20; i++) {
          void set.run();
          assert.equal(await get.get(), i);
        }
      });

      it(`keeps a transaction apart from all others, and rolls it back, ${wal ? 'WAL' : 'rollback journal'}`, async (t) => {
        const db = await counter(t, { host }, wal);
        const get = db.prepare('select n from c').pluck();
        let [enter, leave] = [(): void => undefined, (): void => undefined];
        const entered = new Promise<void>((resolve) => (enter = resolve));
        const left = new Promise<void>((resolve) => (leave = resolve));
        const failing = db.transaction(async () => {
          await db.exec('update c set n = 50');
          assert.ok(db.inTransaction);
          assert.equal(await get.get(), 50);
          enter();
          await left;
          throw new Error('planned');
        })();
        failing.catch(() => undefined);
        await entered;
        assert.ok(!db.inTransaction);
        const outside = db.prepare('update c set n = n + 1').run();
        if (wal)
          assert.equal(
            await one(db, 'select count(*) from c where n = 50'),
            0,
            'a reader sees what was committed',
          );
        leave();
        await assert.rejects(failing, /planned/);
        await outside;
        assert.equal(await get.get(), 1);
      });
    }

    it('nests transactions as savepoints, also several at once', async (t) => {
      const db = await counter(t, { host }, true);
      const add = db.transaction(async (by: number, fails: boolean) => {
        await db.prepare('update c set n = n + ?').run(by);
        if (fails) throw new Error('planned');
      });
      await db.transaction(async () => {
        await add(1, false);
        await assert.rejects(add(10, true), /planned/);
        const results = await Promise.allSettled([add(100, false), add(1000, true), add(10_000, false)]);
        assert.deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
      })();
      assert.equal(await one(db, 'select n from c'), 10_101);
      for (const mode of ['deferred', 'immediate', 'exclusive'] as const)
        await db.transaction(async (n: number) => db.prepare('update c set n = ?').run(n))[mode](7);
      assert.equal(await one(db, 'select n from c'), 7);
    });

    it('gives what was left running after a transaction back to the outside', async (t) => {
      const db = await counter(t, { host }, true);
      let late: Promise<unknown> | undefined;
      await db.transaction(() => {
        late = sleep(30).then(() => db.prepare('update c set n = n + 1').run());
      })();
      await db.transaction(async () => {
        await sleep(50);
        await db.exec('update c set n = n + 10');
      })();
      await late;
      assert.equal(await one(db, 'select n from c'), 11);
    });

    it('takes BEGIN and COMMIT by hand for the context that says them', async (t) => {
      const db = await counter(t, { host }, true);
      const request = async (by: number, fails: boolean): Promise<void> => {
        await db.exec('BEGIN');
        try {
          const n = Number(await db.prepare('select n from c').pluck().get());
          await sleep(Math.random() * 5);
          await db.prepare('update c set n = ?').run(n + by);
          if (fails) throw new Error('planned');
          await db.prepare('COMMIT').run();
        } catch {
          await db.exec('ROLLBACK');
        }
      };
      await Promise.all(Array.from({ length: 20 }, (_, i) => request(1, i % 4 === 0)));
      assert.equal(await one(db, 'select n from c'), 15);
      assert.ok(!db.inTransaction);
    });

    it('says that a transaction waits for itself, instead of waiting', async (t) => {
      const folder = folderOf(t);
      const db = await counter(t, { host }, true, join(folder, 'a.db'));
      const again = open(t, { host }, join(folder, 'a.db'));
      const other = await counter(t, { host }, true, join(folder, 'b.db'));
      await db.transaction(async () => {
        await assert.rejects(again.exec('update c set n = 1'), { code: 'ERR_OWNED_SPAWN_DEADLOCK' });
        await assert.rejects(again.transaction(() => 1)(), { code: 'ERR_OWNED_SPAWN_DEADLOCK' });
        await other.exec('update c set n = 1');
      })();
      // Two that want each other's.
      let both = 0;
      const meet = async (): Promise<void> => {
        both++;
        while (both < 2) await sleep(1);
      };
      const results = await Promise.allSettled([
        db.transaction(async () => {
          await meet();
          await other.transaction(() => 1)();
        })(),
        other.transaction(async () => {
          await meet();
          await db.transaction(() => 1)();
        })(),
      ]);
      const failed = results.filter((each) => each.status === 'rejected');
      assert.deepEqual(
        failed.map(({ reason }) => codeOf(reason)),
        ['ERR_OWNED_SPAWN_DEADLOCK'],
      );
    });

    it('runs a batch in one transaction', async (t) => {
      const db = await counter(t, { host }, true);
      const insert = db.prepare('insert into c values (?, ?)');
      const results = await db.batch([
        insert.of(2, 2),
        insert.of(3, 3),
        db.prepare('select n from c').pluck().of(),
      ]);
      assert.equal(results.length, 3);
      assert.deepEqual(isBetter ? results[2] : [0, 2, 3], [0, 2, 3]);
      await assert.rejects(db.batch([insert.of(4, 4), insert.of(4, 4)]), /UNIQUE/);
      await db.transaction(async () => {
        await db.batch([insert.of(5, 5)]);
      })();
      assert.equal(await one(db, 'select count(*) from c'), 4);
    });

    it('repeats pragmas, attached files and the setup on every connection', async (t) => {
      const folder = folderOf(t);
      const db = await counter(
        t,
        { host, setup: new URL('./modules/setup.ts', import.meta.url) },
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

    for (const wal of [false, true]) {
      it(`writes while it iterates, and sees each row once, ${wal ? 'WAL' : 'rollback journal'}`, async (t) => {
        const db = open(t, { host });
        if (wal) await db.pragma('journal_mode = WAL');
        await db.exec(
          `create table t (a integer primary key, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into t select i, 0 from n`,
        );
        const update = db.prepare('update t set b = 1 where a = ?');
        let count = 0;
        for await (const { a } of db.prepare<{ a: number }>('select a from t').iterate()) {
          count++;
          if (a % 500 === 0) {
            await update.run(a);
            await db.prepare('insert into t values (?, 0)').run(10_000 + a);
            assert.equal(await one(db, `select b from t where a = ${a}`), 1);
          }
        }
        assert.equal(count, 2000);
        const nested = [];
        for await (const x of db.prepare('select a from t where a < 4').pluck().iterate())
          for await (const y of db.prepare('select a from t where a < 3').pluck().iterate())
            nested.push([x, y]);
        assert.equal(nested.length, 6);
      });
    }

    it('aborts at once, and goes on with the next call', async (t) => {
      const db = await counter(t, { host, timeout: 60_000 }, true);
      await rows(db, 'select n from c');
      for (const sql of [HEAVY(3e7), `update c set n = (${HEAVY(3e7)})`]) {
        const controller = new AbortController();
        const heavy = db.prepare(sql).with({ signal: controller.signal });
        const running = sql.startsWith('select') || sql.startsWith('with') ? heavy.get() : heavy.run();
        const behind = rows(db, 'select id from c');
        await sleep(100);
        controller.abort();
        await assert.rejects(running, { name: 'AbortError' });
        assert.deepEqual(await behind, [{ id: 1 }]);
      }
      await assert.rejects(db.prepare('select 1').with({ signal: AbortSignal.abort() }).get(), {
        name: 'AbortError',
      });
      if (host === 'process') {
        await db.prepare('update c set n = 8').run();
        assert.equal(await one(db, 'select n from c'), 8, 'the killed update is undone, none is repeated');
      }
    });

    it('survives an error of a query that was aborted, or closed upon', async (t) => {
      const folder = folderOf(t);
      const db = await counter(t, { host, timeout: 500, log: () => undefined }, false, join(folder, 'a.db'));
      const holder = run(
        t,
        folder,
        `${use('off-loop/sqlite.ts', 'openDatabase')}const db = openDatabase('a.db', ${JSON.stringify(common)});
        await db.exec('begin immediate');
        console.log('HELD');
        setInterval(() => {}, 1000);`,
      );
      await holder.line(/HELD/);
      const controller = new AbortController();
      const write = db.prepare('update c set n = 2');
      const aborted = write.with({ signal: controller.signal }).run();
      await sleep(100);
      controller.abort();
      await assert.rejects(aborted, { name: 'AbortError' });
      const lost = assert.rejects(write.run(), { code: 'ERR_OWNED_SPAWN_CLOSED' });
      await sleep(100);
      assert.equal(await db.close({ withinMs: 50 }), false);
      await lost;
      // Both wait for the lock still, and then have an error to throw, which aborted the whole process.
      await sleep(1000);
    });

    it('keeps the code of an exit() during a query that fails', async (t) => {
      const program = run(
        t,
        folderOf(t),
        `${use('off-loop/sqlite.ts', 'openDatabase')}const db = openDatabase('a.db', ${JSON.stringify({ ...common, host })});
        await db.exec('create table t (a unique)');
        db.prepare(${JSON.stringify(`insert into t select hits * 0 from (${HEAVY(3e6)}) union all select 0`)}).run().catch(() => {});
        setTimeout(() => process.exit(5), 100);`,
      );
      assert.deepEqual(await program.ended, { code: 5, signal: null });
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

    it('refuses more than maxPending, and lets a transaction finish', async (t) => {
      const db = await counter(t, { host, maxPending: 3 }, true);
      const results = await Promise.allSettled([
        db.transaction(async () => {
          await Promise.all(Array.from({ length: 10 }, () => db.prepare('update c set n = n + 1').run()));
        })(),
        ...Array.from({ length: 5 }, () => db.prepare('update c set n = n + 1').run()),
      ]);
      assert.deepEqual(
        results.map((each) => (each.status === 'fulfilled' ? 'ok' : codeOf(each.reason))),
        ['ok', 'ok', 'ok', ...Array<string>(3).fill('ERR_OWNED_SPAWN_OVERLOAD')],
      );
      assert.equal(await one(db, 'select n from c'), 12);
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

    it('lets the program end when nothing is pending', async (t) => {
      const folder = folderOf(t);
      const program = run(
        t,
        folder,
        `${use('off-loop/sqlite.ts', 'openDatabase')}
        const db = openDatabase(${JSON.stringify(join(folder, 'a.db'))}, ${JSON.stringify({ ...common, host })});
        await db.exec('create table t (a)');
        await db.pragma('journal_mode = WAL');
        console.log(JSON.stringify(await db.prepare('select 7 as n').all()));`,
      );
      assert.deepEqual(await program.ended, { code: 0, signal: null }, program.lines.join('\n'));
      assert.ok(program.lines.includes('[{"n":7}]'));
    });

    it('is whole after its host was killed in the middle of a transaction, and tells the caller', async (t) => {
      const path = join(folderOf(t), 'a.db');
      const program = run(
        t,
        join(path, '..'),
        `${use('off-loop/sqlite.ts', 'openDatabase')}
        import { owned } from ${JSON.stringify(new URL('../../runtime/index.ts', import.meta.url).href)};
        const db = openDatabase(${JSON.stringify(path)}, ${JSON.stringify({ ...common, host })});
        await db.exec('create table t (a)');
        await db.prepare('insert into t values (1)').run();
        await db.transaction(async () => {
          await db.prepare('insert into t values (2)').run();
          console.log('INSIDE ' + (owned()[0]?.pgid ?? 'thread'));
          const late = setInterval(() => {}, 1000);
          try {
            for (;;) await db.prepare('insert into t values (3)').run();
          } finally { clearInterval(late); }
        })().catch((error) => { console.log('CAUGHT ' + error.code); });
        console.log('AFTER ' + JSON.stringify(await db.prepare('select a from t').all()));`,
      );
      const [, whom] = await program.line(/INSIDE (\w+)/);
      if (host === 'thread') program.child.kill('SIGKILL');
      else {
        process.kill(Number(whom), 'SIGKILL');
        await program.line(/CAUGHT ERR_OWNED_SPAWN_HOST_LOST/);
        await program.line(/AFTER \[\{"a":1\}\]/);
      }
      await program.ended;
      const db = open(t, {}, path);
      assert.deepEqual(await rows(db, 'select a from t'), [{ a: 1 }]);
      assert.equal(await db.pragma('integrity_check', { simple: true }), 'ok');
    });
  });
}

describe(driver, () => {
  it('leaves the loop free while a query runs', async (t) => {
    const db = open(t);
    await rows(db, 'select 1');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const startedAt = performance.now();
    await rows(db, HEAVY(4e6));
    const tookMs = performance.now() - startedAt;
    delay.disable();
    assert.ok(delay.max / 1e6 < tookMs / 2, `blocked for ${delay.max / 1e6} of ${tookMs} ms`);
  });

  it('closes within its bound', async (t) => {
    const db = open(t);
    const never = assert.rejects(rows(db, HEAVY(3e7)), { code: 'ERR_OWNED_SPAWN_CLOSED' });
    await sleep(50);
    assert.equal(await db.close({ withinMs: 50 }), false);
    await never;
  });

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
