import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf } from '../program.ts';

import { codeOf, counter, describeHosts, isBetter, one, open } from './database.ts';

describeHosts('transactions', (host) => {
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
});
