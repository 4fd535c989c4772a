import assert from 'node:assert/strict';
import { isBuiltin } from 'node:module';
import { describe, it } from 'node:test';
import { openDatabase } from '../../runtime/off-loop/sqlite.ts';
import { otherBuilds } from '../../runtime/off-loop/sqlite/driver.ts';
import { isBegin, isEnd, isPrivate, isRead, replayed } from '../../runtime/off-loop/sqlite/sql.ts';
import { travelling, withBuffers } from '../../runtime/off-loop/sqlite/values.ts';

describe('SQL that is routed', () => {
  it('tells reads from what needs the writer', () => {
    for (const sql of [
      'select 1',
      '  SELECT 1',
      '-- why\n select 1',
      '/* a */ with x as (select 1) select * from x',
      'values (1)',
      'explain query plan select 1',
    ])
      assert.ok(isRead(sql), sql);
    for (const sql of [
      'insert into t values (1)',
      'with x as (select 1) insert into t select * from x',
      'select last_insert_rowid()',
      'select changes ()',
      'select * from temp.t',
      'pragma user_version',
      'selectable',
      '',
    ])
      assert.ok(!isRead(sql), sql);
  });

  it('tells what begins and ends a transaction', () => {
    for (const sql of ['BEGIN', 'begin immediate;', ' -- now\nBEGIN TRANSACTION '])
      assert.ok(isBegin(sql), sql);
    for (const sql of ['BEGIN; insert into t values (1); COMMIT', 'select 1', 'beginning'])
      assert.ok(!isBegin(sql), sql);
    for (const sql of ['commit', 'END TRANSACTION;', 'rollback']) assert.ok(isEnd(sql), sql);
    for (const sql of ['rollback to a', 'ROLLBACK TRANSACTION TO SAVEPOINT a', 'release a', 'commit; begin'])
      assert.ok(!isEnd(sql), sql);
  });

  it('finds what each connection has to repeat', () => {
    assert.deepEqual(
      replayed(
        "create table t (a); PRAGMA foreign_keys = ON; pragma cache_size(5); attach 'b.db' as b; detach b",
      ),
      ['PRAGMA foreign_keys = ON', 'pragma cache_size(5)', "attach 'b.db' as b", 'detach b'],
    );
    assert.deepEqual(
      replayed(
        'pragma journal_mode = wal; pragma main.user_version = 5; pragma foreign_keys; pragma table_info(t); pragma wal_checkpoint(TRUNCATE)',
      ),
      [],
    );
    for (const sql of [
      'create temp table t (a)',
      'CREATE TEMPORARY VIEW v as select 1',
      'pragma locking_mode = EXCLUSIVE',
      "attach ':memory:' as m",
      "ATTACH DATABASE '' as m",
    ])
      assert.ok(isPrivate(sql), sql);
    for (const sql of ['create table temp_files (a)', "attach 'a.db' as m", 'pragma locking_mode'])
      assert.ok(!isPrivate(sql), sql);
  });
});

describe('values that travel', () => {
  it('take no more of a buffer along than is theirs', () => {
    const pooled = Buffer.from('abc');
    const copy = travelling(pooled) as Uint8Array;
    assert.equal(copy.buffer.byteLength, 3);
    assert.equal((travelling({ a: pooled, b: 1 }) as { a: Uint8Array }).a.buffer.byteLength, 3);
    assert.equal((travelling([pooled]) as Uint8Array[])[0]?.buffer.byteLength, 3);
    const [whole, named, list] = [new Uint8Array([1]), { a: 1 }, [1]];
    const copies = [whole, named, list].map(travelling);
    [whole[0], named.a, list[0]] = [9, 9, 9];
    assert.deepEqual(copies, [new Uint8Array([1]), { a: 1 }, [1]], 'as they were when they were given');
    const date = new Date();
    assert.equal(travelling(date), date);
    for (const value of [1, null, 'x', 2n]) assert.equal(travelling(value), value);
  });

  it('become Buffers again, wherever they are in a row', () => {
    const bytes = (): Uint8Array => new Uint8Array([1]);
    assert.ok(Buffer.isBuffer(withBuffers(bytes())));
    assert.ok(Buffer.isBuffer((withBuffers({ a: bytes() }) as { a: unknown }).a));
    assert.ok(Buffer.isBuffer((withBuffers([bytes()]) as unknown[])[0]));
    assert.ok(Buffer.isBuffer((withBuffers({ t: { a: bytes() } }) as { t: { a: unknown } }).t.a));
    assert.deepEqual(withBuffers({ a: null, b: 1 }), { a: null, b: 1 });
  });
});

describe('openDatabase', () => {
  it('says how to get a driver that is not there', () => {
    if (!isBuiltin('node:sqlite'))
      assert.throws(() => openDatabase(':memory:', { driver: 'node:sqlite' }), {
        code: 'ERR_OWNED_SPAWN_NO_DRIVER',
        message: /npm install better-sqlite3/,
      });
  });

  it('sees a second SQLite in the process, also another copy of the same driver', () => {
    const driver = { name: 'better-sqlite3', path: '/a/node_modules/better-sqlite3/lib/index.js' } as const;
    const own = '/a/node_modules/better-sqlite3/build/Release/better_sqlite3.node';
    assert.deepEqual(otherBuilds(driver, [own]), []);
    for (const other of [
      '/b/node_modules/better-sqlite3/build/Release/better_sqlite3.node',
      '/a/node_modules/sqlite3/build/Release/node_sqlite3.node',
      '/a/node_modules/better-sqlite3-multiple-ciphers/build/Release/better_sqlite3.node',
    ]) {
      assert.deepEqual(otherBuilds(driver, [own, other]), [other]);
    }
    assert.deepEqual(otherBuilds({ name: 'node:sqlite', path: 'node:sqlite' }, [own]), [own]);
  });
});
