import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { command } from '../../runtime/commands/locks.ts';
import { explainBusy } from '../../runtime/off-loop/locks.ts';
import { ownConnections } from '../../runtime/off-loop/locks/own-connections.ts';
import { deviceOf, locksOn, parseLocks } from '../../runtime/off-loop/locks/proc-locks.ts';
import { meaningOf } from '../../runtime/off-loop/locks/ranges.ts';
import { contextIn } from './context.ts';
import { folderOf } from './program.ts';

const PB = 0x40000000;

describe('meaningOf', () => {
  const cases: [what: string, args: Parameters<typeof meaningOf>, name: string, blocks: boolean][] = [
    [
      'a reader in a rollback journal keeps the commit out',
      ['main', 'READ', PB + 2, PB + 511, false],
      'SHARED',
      true,
    ],
    ['a connection in WAL keeps nobody out', ['main', 'READ', PB + 2, PB + 511, true], 'SHARED', false],
    ['BEGIN IMMEDIATE', ['main', 'WRITE', PB + 1, PB + 1, false], 'RESERVED', true],
    ['a commit that waits', ['main', 'WRITE', PB, PB + 1, false], 'PENDING + RESERVED', true],
    ['BEGIN EXCLUSIVE, merged by the kernel', ['main', 'WRITE', PB, PB + 511, false], 'EXCLUSIVE', true],
    ['locking_mode=EXCLUSIVE in WAL', ['main', 'WRITE', PB + 2, PB + 511, true], 'EXCLUSIVE', true],
    ['a writer in WAL', ['shm', 'WRITE', 120, 120, true], 'WAL write', true],
    ['a checkpoint with a writer', ['shm', 'WRITE', 120, 121, true], 'WAL write + WAL checkpoint', true],
    ['readers in WAL', ['shm', 'READ', 123, 127, true], 'WAL read', false],
    ['a reader that moves its mark', ['shm', 'WRITE', 124, 124, true], 'WAL read', false],
    ['an open WAL', ['shm', 'READ', 128, 128, true], 'WAL open', false],
    ['another program', ['main', 'WRITE', 0, 10, false], 'bytes 0 to 10', false],
  ];
  for (const [what, args, name, blocks] of cases) {
    it(what, () => {
      assert.deepEqual(meaningOf(...args), { name, blocks });
    });
  }
});

describe('parseLocks', () => {
  it('reads holders of each kind and leaves out who waits', () => {
    const text = [
      '1: POSIX  ADVISORY  READ  1423 fe:00:262 1073741826 1073742335',
      '2: POSIX  ADVISORY  WRITE 2000 00:27:999999999999 120 120',
      '2: -> POSIX  ADVISORY  WRITE 2001 00:27:999999999999 120 120',
      '3: OFDLCK ADVISORY  WRITE -1 08:13:5 0 EOF',
      '4: FLOCK  ADVISORY  WRITE 7 103:05:6 0 EOF',
      '5: LEASE  ACTIVE    READ  8 08:01:7 0 EOF',
    ].join('\n');
    assert.deepEqual(
      parseLocks(text).map(({ kind, pid, device, inode, first, last }) => [
        kind,
        pid,
        device,
        inode,
        first,
        last,
      ]),
      [
        ['POSIX', 1423, 'fe:00', '262', 1073741826, 1073742335],
        ['POSIX', 2000, '00:27', '999999999999', 120, 120],
        ['OFDLCK', -1, '08:13', '5', 0, Infinity],
        ['FLOCK', 7, '103:05', '6', 0, Infinity],
        ['LEASE', 8, '08:01', '7', 0, Infinity],
      ],
    );
    assert.equal(parseLocks('lock:\t1: OFDLCK ADVISORY  WRITE -1 08:13:5 0 EOF\n').length, 1);
  });

  it('splits a device number as the kernel prints it', () => {
    assert.equal(deviceOf(0xfe00n), 'fe:00');
    assert.equal(deviceOf(41n), '00:29');
    // major 259, minor 1048577
    assert.equal(deviceOf((259n << 8n) | 1n | (0x100000n << 12n)), '103:100001');
  });
});

/** Python's fcntl takes the locks that SQLite takes. */
const hasPython = process.platform === 'linux' && spawnSync('python3', ['-c', 'import fcntl']).status === 0;

async function holder(t: TestContext, file: string, code: string): Promise<number> {
  const child = spawn(
    'python3',
    [
      '-c',
      `import fcntl, os, struct, sys, time\nf = open(${JSON.stringify(file)}, 'r+b')\n${code}\nprint('READY', flush=True)\nsys.stdin.read()`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGKILL'));
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', reject);
  });
  return child.pid ?? 0;
}

function database(t: TestContext, withShm = false): string {
  const file = join(folderOf(t), 'a.db');
  writeFileSync(file, '');
  if (withShm) writeFileSync(`${file}-shm`, '');
  return file;
}

describe('explainBusy', { skip: !hasPython && 'needs Linux and python3' }, () => {
  it('names a writer in WAL by its -shm, and no reader', async (t) => {
    const file = database(t, true);
    const writer = await holder(t, `${file}-shm`, 'fcntl.lockf(f, fcntl.LOCK_EX, 1, 120)');
    const reader = await holder(t, `${file}-shm`, 'fcntl.lockf(f, fcntl.LOCK_SH, 1, 124)');
    const { holders, text } = await explainBusy(file);
    assert.deepEqual(
      holders.map(({ pid, lock, blocks }) => ({ pid, lock, blocks })),
      [
        { pid: writer, lock: 'WAL write', blocks: true },
        { pid: reader, lock: 'WAL read', blocks: false },
      ],
    );
    assert.match(text, new RegExp(`WAL write lock on a\\.db-shm held by pid ${writer} \\(python3`));
    assert.ok(!text.includes(String(reader)) && !text.includes('\n'));
  });

  it('names a reader in a rollback journal', async (t) => {
    const file = database(t);
    const reader = await holder(t, file, `fcntl.lockf(f, fcntl.LOCK_SH, 510, ${PB + 2})`);
    const { holders } = await explainBusy(file);
    assert.deepEqual(
      holders.map(({ pid, lock, mode, blocks }) => [pid, lock, mode, blocks]),
      [[reader, 'SHARED', 'READ', true]],
    );
  });

  it('names the process behind an open file description', async (t) => {
    const file = database(t);
    const writer = await holder(
      t,
      file,
      `fcntl.fcntl(f, 37, struct.pack('hhqqi', fcntl.F_WRLCK, 0, ${PB + 1}, 1, 0))`,
    );
    const { holders } = await explainBusy(file);
    assert.deepEqual(
      holders.map(({ pid, lock, blocks }) => [pid, lock, blocks]),
      [[writer, 'RESERVED', true]],
    );
  });

  it('does not mix up another database', async (t) => {
    const file = database(t);
    await holder(t, database(t), `fcntl.lockf(f, fcntl.LOCK_EX, 1, ${PB + 1})`);
    const { holders, text } = await explainBusy(file);
    assert.deepEqual(holders, []);
    assert.match(text, /released, or its holder is in another PID namespace/);
  });

  it('confirms a holder by its descriptors where the kernel names another device (btrfs)', async (t) => {
    const file = database(t);
    const pid = await holder(t, file, `fcntl.lockf(f, fcntl.LOCK_EX, 1, ${PB + 1})`);
    const { dev, ino } = statSync(file, { bigint: true });
    const lock = {
      kind: 'POSIX',
      mode: 'WRITE' as const,
      pid,
      device: 'ff:ff',
      inode: String(ino),
      first: PB + 1,
      last: PB + 1,
    };
    assert.deepEqual(await locksOn({ dev, ino }, [lock, { ...lock, pid: process.pid }]), [lock]);
  });

  it('says what this program does there itself', async (t) => {
    const file = database(t);
    const pid = await holder(t, file, `fcntl.lockf(f, fcntl.LOCK_EX, 1, ${PB + 1})`);
    const connection = { path: file, pid: () => pid, doing: () => 'transaction begun at app.ts:7' };
    ownConnections.add(connection);
    t.after(() => {
      ownConnections.delete(connection);
    });
    assert.match((await explainBusy(file)).text, /: transaction begun at app\.ts:7$/);
  });

  it('takes a link for the file it leads to, and throws for one that is not there', async (t) => {
    await assert.rejects(explainBusy(join(folderOf(t), 'none.db')), { code: 'ENOENT' });
  });
});

const hasSqlite = hasPython && spawnSync('python3', ['-c', 'import sqlite3']).status === 0;
const begin = (how: string) => `d.execute('BEGIN ${how}'); d.execute('insert into t values (2)')`;

describe(
  'explainBusy of a real SQLite',
  { skip: !hasSqlite && 'needs Linux, and python3 with sqlite3' },
  () => {
    for (const [journal, what, code, lock] of [
      ['delete', 'a reader', `rows = d.execute('select 1 from t x, t y'); rows.fetchone()`, 'SHARED'],
      ['delete', 'BEGIN IMMEDIATE', begin('IMMEDIATE'), 'RESERVED'],
      ['delete', 'BEGIN EXCLUSIVE', begin('EXCLUSIVE'), 'EXCLUSIVE'],
      ['wal', 'BEGIN IMMEDIATE', begin('IMMEDIATE'), 'WAL write'],
      ['wal', 'BEGIN EXCLUSIVE', begin('EXCLUSIVE'), 'WAL write'],
      [
        'wal',
        'locking_mode',
        `d.execute('pragma locking_mode = exclusive'); d.execute('insert into t values (2)')`,
        'EXCLUSIVE',
      ],
      [
        'wal',
        'a reader, who blocks nobody',
        `rows = d.execute('select 1 from t x, t y'); rows.fetchone()`,
        undefined,
      ],
    ] as const) {
      it(`${journal}, ${what}`, async (t) => {
        const file = database(t);
        const pid = await holder(
          t,
          file,
          `import sqlite3
d = sqlite3.connect(${JSON.stringify(file)}, isolation_level=None)
d.execute('pragma journal_mode = ${journal}')
d.execute('create table t (a)')
d.execute('insert into t values (1)')
d.execute('insert into t values (1)')
${code}`,
        );
        const blocking = (await explainBusy(file)).holders.filter(({ blocks }) => blocks);
        const expected = lock === undefined ? [] : [{ pid, lock }];
        assert.deepEqual(
          blocking
            .filter((each) => each.lock === lock || lock === undefined)
            .map((each) => ({ pid: each.pid, lock: each.lock })),
          expected,
        );
        assert.ok(blocking.every((each) => each.pid === pid));
      });
    }
  },
);

describe('owned-spawn locks', { skip: !hasPython && 'needs Linux and python3' }, () => {
  it('answers by table, JSON and exit code', async (t) => {
    const file = database(t, true);
    const free = contextIn('/');
    assert.equal(await command.run({}, [file], free.context), 0);
    assert.match(free.out(), /no process here holds/);
    const writer = await holder(t, `${file}-shm`, 'fcntl.lockf(f, fcntl.LOCK_EX, 1, 120)');
    await holder(t, `${file}-shm`, 'fcntl.lockf(f, fcntl.LOCK_SH, 1, 124)');
    const taken = contextIn(join(file, '..'));
    assert.equal(await command.run({}, ['a.db'], taken.context), 1);
    assert.match(taken.out(), new RegExp(`${writer} +WAL write +write`));
    assert.doesNotMatch(taken.out(), /WAL read/);
    const json = contextIn('/');
    assert.equal(await command.run({ all: true, json: true }, [file], json.context), 1);
    assert.equal((JSON.parse(json.out()) as unknown[]).length, 2);
    await assert.rejects(command.run({}, [`${file}x`], json.context), { name: 'UserError' });
    await assert.rejects(command.run({}, [], json.context), { name: 'UserError' });
  });
});
