import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readStat } from '../../runtime/process/identity.ts';
import { place } from '../../runtime/process/place.ts';
import { compactFile } from '../../runtime/spawn/ledger-file.ts';
import { ledgerOf, parseLine, type LedgerFile } from '../../runtime/spawn/ledger-row.ts';
import { redact } from '../../runtime/spawn/redact.ts';
import { stateFolder } from '../../runtime/spawn/state-folder.ts';
import { ledgersOf, rowAbout, rowsOf, stateOf, writeLedger } from '../helpers/ledgers.ts';
import { familyOf, until } from '../helpers/processes.ts';

const STAY = 'setInterval(() => {}, 1000);';

const parseLedger = (path: string, text: string): LedgerFile =>
  ledgerOf(path, text.split('\n').map(parseLine));

describe('the ledger', () => {
  test('has a row for each child, with all that identifies it', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `const owns = spawnOwned('sleep', ['300', '--token=hunter2'.slice(0, 0) || '0'], { stdio: 'ignore', label: 'a sleeper', graceMs: 700, cwd: '/tmp' });
      const free = spawnDetached('sleep', ['300'], { stdio: 'ignore', why: 'it serves the next run too' });
      console.log('PIDS ' + owns.pid + ' ' + free.pid); ${STAY}`,
      { env: { OWNED_SPAWN_APP: 'app' } },
    );
    const [, owns, free] = await owner.line(/PIDS (\d+) (\d+)/);
    const rows = await until(
      'both rows',
      () => rowsOf(family).filter(({ event }) => event === 'spawn').length === 2 && rowsOf(family),
    );
    const row = rows.find(({ pid }) => pid === Number(owns));
    assert(row);
    const { nonce, at, row: count, ...rest } = row;
    assert(count >= 2);
    assert.match(nonce, /^[0-9a-f]{12}$/);
    assert(at > 1e12);
    assert.deepEqual(rest, {
      version: 1,
      event: 'spawn',
      pid: Number(owns),
      pgid: Number(owns),
      start: readStat(Number(owns))?.start,
      ownerPid: owner.pid,
      ownerStart: readStat(owner.pid)?.start,
      seq: 1,
      app: 'app',
      label: 'a sleeper',
      why: null,
      argv: ['sleep', '300', '0'],
      cwd: '/tmp',
      graceMs: 700,
      extent: 'group',
      escapees: 'ignore',
      stdout: null,
      stderr: null,
      ...place(),
    });
    assert.equal(rows.find(({ pid }) => pid === Number(free))?.why, 'it serves the next run too');
    assert.deepEqual(
      rows.filter(({ event }) => event === 'owner' || event === 'supervisor').map(({ event }) => event),
      ['owner', 'supervisor'],
    );
    const [file] = ledgersOf(family);
    assert.equal(statSync(join(stateOf(family), file?.name ?? '')).mode & 0o777, 0o600);
    assert.equal(statSync(stateOf(family)).mode & 0o777, 0o700);
  });

  test('takes the real path of the entry file for the application', async (t) => {
    const family = familyOf(t);
    const file = join(family.folder, 'owner-1.mjs');
    const link = join(family.folder, 'link.mjs');
    symlinkSync(file, link);
    const owner = family.owner(`warm(); console.log('READY'); ${STAY}`);
    await owner.line(/READY/);
    const second = family.start(process.execPath, [link]);
    await second.line(/READY/);
    assert.deepEqual([...new Set(rowsOf(family).map(({ app }) => app))], [file]);
  });

  test('loses no row of three owners that start fifteen children each at once (rs-10)', async (t) => {
    const family = familyOf(t);
    const code = `for (let i = 0; i < 15; i++) spawnOwned('sleep', ['300'], { stdio: 'ignore', label: process.pid + ' ' + i });
      console.log('READY'); ${STAY}`;
    const owners = [1, 2, 3].map(() => family.owner(code));
    await Promise.all(owners.map((owner) => owner.line(/READY/)));
    const labels = (): Set<unknown> => new Set(rowsOf(family).flatMap(({ label }) => label ?? []));
    await until('45 rows', () => labels().size === 45);
  });

  test('leaves nothing behind where an owner ends with nobody left', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`spawnOwned('true');`);
    assert.equal((await owner.exited).code, 0);
    assert.deepEqual(ledgersOf(family), []);
  });

  for (const [name, prepare] of [
    [
      'cannot be written',
      (folder: string) => {
        writeFileSync(join(folder, 'state'), '');
      },
    ],
    ['is a file system of the kernel', () => undefined],
  ] as const) {
    test(`where the folder ${name} spawning goes on, with one warning`, async (t) => {
      const family = familyOf(t);
      prepare(family.folder);
      const owner = family.owner(
        `process.on('warning', ({ code }) => console.log('WARNING ' + code));
        const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
        spawnOwned('sleep', ['300'], { stdio: 'ignore' });
        spawnDetached('true', { why: 'it serves the next run too' });
        releaseProcessGroups(child);
        setTimeout(() => console.log('PIDS ' + owned().length + ' ' + child.pid), 200);`,
        { quiet: true, ...(name.startsWith('is') && { env: { OWNED_SPAWN_STATE_DIR: '/proc/none' } }) },
      );
      const [, count, free] = await owner.line(/PIDS (\d+) (\d+)/);
      assert.equal(Number(count), 1);
      assert.deepEqual(
        owner.lines.filter((line) => line.startsWith('WARNING')),
        ['WARNING OWNED_SPAWN_LEDGER'],
      );
      owner.child.kill('SIGKILL');
      await until('only the released child is left', () =>
        family.members().every(({ pid }) => pid === Number(free)),
      );
    });
  }

  test('goes on where a write fails in between, and loses no row', async (t) => {
    if (process.getuid?.() !== 0) {
      t.skip('needs root');
      return;
    }
    const family = familyOf(t);
    // Over the limit of the file's size a write fails as on a full disk: setrlimit(2). prlimit(1) changes it while it runs.
    const owner = family.owner(
      `const { execFileSync } = await import('node:child_process');
      process.on('SIGXFSZ', () => {});
      const limit = (bytes) => execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':']);
      process.on('warning', ({ code }) => console.log('WARNING ' + code));
      const child = (label) => spawnOwned('sleep', ['300'], { stdio: 'ignore', label });
      warm();
      setTimeout(() => {
        limit(1500);
        child('one');
        child('two');
        setTimeout(() => { limit('unlimited'); child('three'); console.log('READY'); }, 300);
      }, 300); ${STAY}`,
      { quiet: true },
    );
    await owner.line(/WARNING OWNED_SPAWN_LEDGER/);
    await owner.line(/READY/);
    await until('all rows', () =>
      ['one', 'two', 'three'].every((label) => rowsOf(family).some((row) => row.label === label)),
    );
  });

  test('is compacted by its owner when it has grown', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `warm();
      const { ledger } = globalThis[Symbol.for('owned-spawn/1')];
      ledger.compactAt = 4000;
      const { once } = await import('node:events');
      spawnOwned('sleep', ['300'], { stdio: 'ignore', label: 'kept' });
      spawnOwned('sh', ['-c', 'sleep 300 & exit'], { stdio: 'ignore', label: 'kept too' });
      for (let i = 0; i < 20; i++) await once(spawnOwned('true', { stdio: 'ignore', label: 'gone' }), 'exit');
      console.log('READY'); ${STAY}`,
    );
    await owner.line(/READY/);
    const labels = rowsOf(family).flatMap(({ label }) => label ?? []);
    assert(labels.filter((label) => label === 'gone').length < 20, labels.join());
    assert(labels.includes('kept') && labels.includes('kept too'));
  });
});

test('a release is not lost to a compaction that runs meanwhile', async (t) => {
  const family = familyOf(t);
  const owner = family.owner(`
    const { setTimeout: pause } = await import('node:timers/promises');
    const { ledger } = (spawnOwned('true'), globalThis[Symbol.for('owned-spawn/1')]);
    for (let turn = 0; turn < 40; turn++) {
      // Each write is followed by a compaction.
      ledger.compactAt = 0;
      const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      await pause(turn % 8);
      releaseProcessGroups(child);
      child.unref();
    }
    while (ledger.isWriting || ledger.waiting.length > 0) await pause(10);
    console.log('DONE');
    setInterval(() => {}, 1000);`);
  await owner.line(/DONE/);
  const last = new Map(
    rowsOf(family)
      .filter(({ argv }) => argv[0] === 'sleep' || argv.length === 0)
      .sort((a, b) => a.row - b.row)
      .map(({ pid, event }) => [pid, event]),
  );
  const sleepers = family.members().filter(({ comm }) => comm === 'sleep');
  assert.equal(sleepers.length, 40);
  assert.deepEqual(
    sleepers.filter(({ pid }) => last.get(pid) !== 'release'),
    [],
  );
});

describe('reading a ledger', () => {
  const row = rowAbout(4711, { start: '5' });

  test('passes over what is no row and says which lines', () => {
    const lines = [
      row,
      { ...row, pid: 1 },
      { ...row, pgid: -1 },
      { ...row, pid: '4711' },
      { version: 1 },
      null,
      5,
      [],
    ];
    const text = `${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}\n{"version":1,"event":"spa\n`;
    const { children, corrupt, problem } = parseLedger('x', text);
    assert.deepEqual(children, [row]);
    assert.deepEqual(corrupt, [2, 3, 4, 5, 6, 7, 8, 10]);
    assert.equal(problem, undefined);
  });

  test('takes the last row about a child, however the lines lie', () => {
    const released = { ...row, event: 'release' as const, row: 3 };
    const again = { ...row, event: 'adopt' as const, row: 4 };
    for (const rows of [
      [row, released, again],
      [again, released, row],
    ]) {
      const { children } = parseLedger('x', rows.map((each) => JSON.stringify(each)).join('\n'));
      assert.deepEqual(children, [again]);
    }
  });

  test('refuses a version that it does not know', () => {
    const { children, problem } = parseLedger('x', JSON.stringify({ version: 2, event: 'spawn' }));
    assert.deepEqual(children, []);
    assert.match(problem ?? '', /version 2/);
  });
});

describe('compaction', () => {
  test('drops who has ended and leaves all else as it is: mode, order of keys, lines of others', async (t) => {
    const family = familyOf(t);
    const foreign = `{"b":1,"a":{"z":2,"y":3},"version":1}\n`;
    const alive = rowAbout(process.pid, { seq: 1 });
    const elsewhere = rowAbout(process.pid, { boot: 'another', start: '2', seq: 2 });
    const path = writeLedger(family, [
      foreign,
      alive,
      elsewhere,
      rowAbout(process.pid, { start: '1', seq: 3, row: 3 }),
      rowAbout(9_000_001, { start: '1', seq: 4, row: 4 }),
      'torn {',
    ]);
    chmodSync(path, 0o640);
    await compactFile(path);
    // How far it had come.
    const { ownerPid: pid, ownerStart: start } = alive;
    const last = { ...alive, event: 'owner', row: 5, pid, pgid: pid, start, seq: 4, label: null, why: null };
    const kept = [alive, elsewhere, 'torn {', last]
      .map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`)
      .join('');
    assert.equal(readFileSync(path, 'utf8'), `${foreign}${kept}`);
    assert.equal(statSync(path).mode & 0o777, 0o640);
  });

  test('waits two seconds for a holder that lives, and takes over from one that died (rs-10)', async (t) => {
    const family = familyOf(t);
    const path = writeLedger(family, [rowAbout(9_000_001, { start: '1' })]);
    const holder = family.owner(
      `import { withLock } from ${JSON.stringify(import.meta.resolve('../../runtime/dist/files/lock.js'))};
      await withLock(${JSON.stringify(path)}, () => { console.log('HELD'); return new Promise(() => setInterval(() => {}, 1000)); });`,
      { bare: true },
    );
    await holder.line(/HELD/);
    process.kill(holder.pid, 'SIGSTOP');
    const startedAt = performance.now();
    await assert.rejects(compactFile(path), { code: 'ETIMEDOUT' });
    assert(performance.now() - startedAt >= 1900);
    holder.child.kill('SIGKILL');
    await holder.exited;
    assert((await compactFile(path)) > 0);
  });
});

test('secrets are taken out of command lines, and nothing else is', () => {
  const hidden: [given: string[], expected: string[]][] = [
    [
      ['curl', '-H', 'Authorization: Bearer abc.def', 'https://x.org'],
      ['curl', '-H', 'Authorization: *** ***', 'https://x.org'],
    ],
    [
      ['psql', 'postgres://bob:hunter2@db/x'],
      ['psql', 'postgres://***@db/x'],
    ],
    [
      ['x', '--password', 'hunter2', '--verbose'],
      ['x', '--password', '***', '--verbose'],
    ],
    [
      ['x', '--api-key=hunter2', '--apiKey', 'hunter2', '-token', 'hunter2'],
      ['x', '--api-key=***', '--apiKey', '***', '-token', '***'],
    ],
    [
      ['env', 'GITHUB_TOKEN=hunter2', 'AWS_SECRET_ACCESS_KEY=hunter2', 'x'],
      ['env', 'GITHUB_TOKEN=***', 'AWS_SECRET_ACCESS_KEY=***', 'x'],
    ],
    [
      ['sh', '-c', 'PGPASSWORD="a b" psql --token hunter2; x'],
      ['sh', '-c', 'PGPASSWORD=*** psql --token ***; x'],
    ],
    [
      ['x', '{"password": "hun ter2", "user": "bob"}'],
      ['x', '{"password": ***, "user": "bob"}'],
    ],
    [
      ['x', `ghp_${'a'.repeat(36)}`, `sk-proj-${'b'.repeat(20)}`],
      ['x', '***', '***'],
    ],
    [
      ['curl', '-u', 'bob:hunter2', 'x'],
      ['curl', '-u', '***', 'x'],
    ],
  ];
  for (const [given, expected] of hidden) {
    const shown = redact(given);
    assert(!shown.join(' ').includes('hunter2') && !shown.join(' ').includes('ter2'), shown.join(' '));
    if (!given.includes('-H')) assert.deepEqual(shown, expected);
  }
  for (const harmless of [
    ['node', 'server.js', '--port', '8080', '--author', 'bob'],
    ['git', '-u', 'origin', 'main'],
    ['x', '--passthrough', 'y', '--tokenize', 'z', 'path/to/secrets.txt'],
    ['https://example.org/a@b?c=d'],
  ]) {
    assert.deepEqual(redact(harmless), harmless);
  }
  const long = redact(['x'.repeat(100_000), ...Array.from({ length: 1000 }, () => 'y')]);
  assert(JSON.stringify(long).length < 2000);
});

test('the state folder follows the environment', (t) => {
  const { folder } = familyOf(t);
  mkdirSync(join(folder, 'x'));
  assert.equal(stateFolder({ OWNED_SPAWN_STATE_DIR: join(folder, 'x') }), join(folder, 'x'));
  assert.equal(stateFolder({ XDG_STATE_HOME: '/state' }), '/state/owned-spawn');
  assert.match(stateFolder({ XDG_STATE_HOME: 'relative' }), /\/\.local\/state\/owned-spawn$/);
});
