import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { owned } from '../../../runtime/index.ts';
import { folderOf, run, use } from '../program.ts';
import {
  codeOf,
  common,
  counter,
  describeDriver,
  describeHosts,
  HEAVY,
  one,
  open,
  rows,
} from './database.ts';

describeHosts('aborts, closes and kills', (host) => {
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
        import { owned } from ${JSON.stringify(new URL('../../../runtime/index.ts', import.meta.url).href)};
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

describeDriver('aborts, closes and kills', () => {
  it('rejects with the error of the function, where its transaction is lost too', async (t) => {
    const db = open(t, { host: 'process' });
    await db.exec('create table t (a)');
    const insert = db.prepare('insert into t values (1)');
    const work = db.transaction(async () => {
      await insert.run();
      const host = owned()[0]?.pgid;
      assert.ok(host !== undefined);
      process.kill(host, 'SIGKILL');
      for (;;)
        if (
          await insert
            .run()
            .catch(codeOf)
            .then((it) => it === 'ERR_OWNED_SPAWN_HOST_LOST')
        )
          break;
      throw new RangeError('of the function');
    });
    await assert.rejects(work(), { name: 'RangeError' });
    assert.deepEqual(await rows(db, 'select a from t'), []);
  });

  it('closes within its bound', async (t) => {
    const db = open(t);
    const never = assert.rejects(rows(db, HEAVY(3e7)), { code: 'ERR_OWNED_SPAWN_CLOSED' });
    await sleep(50);
    assert.equal(await db.close({ withinMs: 50 }), false);
    await never;
  });
});
