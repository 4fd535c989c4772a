import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { it } from 'node:test';
import { openDatabase } from '../../../runtime/off-loop/sqlite.ts';
import { folderOf } from '../program.ts';

import { common, describeDriver, describeHosts, HEAVY, isBetter, one, open, rows } from './database.ts';

describeHosts('answers', (host) => {
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
      assert.equal(((await db.prepare('select none from t').columns())[0] as { name: string }).name, 'none');
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
});

describeDriver('answers', () => {
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
});
