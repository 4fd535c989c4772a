import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { describe, test } from 'node:test';
import { formatMark, MARK_VARIABLE } from '../../runtime/process/mark.ts';
import { readStat } from '../../runtime/process/identity.ts';
import type { SweepReport } from '../../runtime/spawn/sweep.ts';
import { ledgersOf, rowAbout, rowsOf, writeLedger } from '../helpers/ledgers.ts';
import { familyOf, isAlive, kill, killBoth, until, type Family } from '../helpers/processes.ts';

const STAY = 'setInterval(() => {}, 1000);';
const app = { env: { OWNED_SPAWN_APP: 'app' } };
const SWEEP = `console.log('SWEPT ' + JSON.stringify(await sweepOrphans()));`;

/** Runs the application again, and tells what its sweep did. */
async function nextStart(family: Family, env: NodeJS.ProcessEnv = app.env): Promise<SweepReport> {
  const owner = family.owner(SWEEP, { env });
  const [, text] = await owner.line(/^SWEPT (.*)$/);
  await owner.exited;
  return JSON.parse(text ?? '') as SweepReport;
}

/** A sleeping process that leads a group, with an environment mark where one is given. */
function leader(family: Family, mark?: { seq: number; why?: string; nonce?: string }): number {
  const text = mark && formatMark({ ownerPid: 9_000_000, nonce: '0123456789ab', ...mark });
  // detached-spawn: ok — the family kills it by its tag when the test ends
  const child = spawn('sleep', ['300'], {
    detached: true,
    stdio: 'ignore',
    env: { ...family.env, ...(text && { [MARK_VARIABLE]: text }) },
  });
  child.unref();
  return child.pid ?? 0;
}

const START = `
  const children = [
    spawnOwned('sleep', ['300'], { stdio: 'ignore' }),
    spawnOwned('sh', ['-c', 'trap "" TERM; sleep 300 & wait'], { stdio: 'ignore', graceMs: 300 }),
    spawnOwned('sh', ['-c', 'sleep 300 & exit'], { stdio: 'ignore' }),
    spawnOwned('sleep', ['300'], { stdio: 'ignore', group: false }),
  ];
  const released = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
  releaseProcessGroups(released);
  const free = spawnDetached('sleep', ['300'], { stdio: 'ignore', why: 'it serves the next run too' });
  console.log('FREE ' + released.pid + ' ' + free.pid);
  console.log('SUPERVISOR ' + supervisorStatus().pid);
  ${STAY}`;

describe('what an owner and its supervisor leave that are killed together', () => {
  test('lives on without a next start, and ends with one', async (t) => {
    const [family, control] = [familyOf(t), familyOf(t)];
    const owner = family.owner(START, app);
    const bystander = control.owner(START, app);
    const [, released, free] = (await owner.line(/FREE (\d+) (\d+)/)).map(Number);
    await bystander.line(/SUPERVISOR/);
    await until('all have started', () => control.members().length === 8 && family.members().length === 8);
    const kept = control.members();
    await killBoth(owner);
    await until('rows are written or never will be', () => rowsOf(family).length > 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert(family.members().length > 4, 'the fault shows');

    const { ended } = await nextStart(family);
    assert(ended.length >= 4, JSON.stringify(ended));
    await until('all that was owned has ended', () => family.members().length === 2);
    assert(isAlive(released ?? 0) && isAlive(free ?? 0));
    assert(kept.every(({ pid }) => isAlive(pid)));
    await until('the ledger names the rest only', () =>
      rowsOf(family).every(
        ({ event, why, pid }) =>
          event === 'owner' || event === 'supervisor' || why !== null || pid === released,
      ),
    );
    assert.deepEqual((await nextStart(family)).ended, []);
  });

  for (const delay of [0, 1, 5]) {
    test(`ends with the next start's first child, however soon they are killed (${delay} ms)`, async (t) => {
      const family = familyOf(t);
      const owner = family.owner(
        `const children = Array.from({ length: 10 }, () => spawnOwned('sleep', ['300'], { stdio: 'ignore' }));
        setTimeout(() => {
          process.kill(supervisorStatus().pid, 'SIGKILL');
          process.kill(process.pid, 'SIGKILL');
        }, ${delay});
        ${delay === 0 ? `process.kill(supervisorStatus().pid, 'SIGKILL'); process.kill(process.pid, 'SIGKILL');` : ''}`,
        app,
      );
      await owner.exited;
      await until(
        'the children are there',
        () => family.members().filter(({ comm }) => comm === 'sleep').length >= 9,
      );
      const next = family.owner(
        `const own = spawnOwned('sleep', ['300'], { stdio: 'ignore' }); console.log('OWN ' + own.pid); ${STAY}`,
        app,
      );
      const [, own] = await next.line(/OWN (\d+)/);
      await until(
        'only the new run is left',
        () => family.members().filter(({ comm }) => comm === 'sleep').length === 1,
      );
      assert(isAlive(Number(own)));
    });
  }

  test('is not touched by another application', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `spawnOwned('sleep', ['300'], { stdio: 'ignore' }); console.log('SUPERVISOR ' + supervisorStatus().pid); ${STAY}`,
      app,
    );
    await owner.line(/SUPERVISOR/);
    await killBoth(owner);
    assert.deepEqual(await nextStart(family, { OWNED_SPAWN_APP: 'other' }), { ended: [], kept: [] });
    assert.equal(family.members().length, 1);
  });
});

describe('a sweep', () => {
  test('ends what start time or mark prove, and nothing else', async (t) => {
    const family = familyOf(t);
    const [byStart, byMark, unwritten, ...kept] = [
      leader(family),
      leader(family, { seq: 7 }),
      leader(family, { seq: 99 }),
      // A stranger with the number, one of another owner's, two that stay on purpose, and one that left its group.
      leader(family),
      leader(family, { seq: 98, nonce: 'ba9876543210' }),
      leader(family, { seq: 97, why: 'it serves the next run too' }),
      leader(family),
      leader(family, { seq: 3 }),
    ];
    const [stranger, , , deliberate] = kept;
    // The leader has gone, and a member that carries the mark lives.
    const [gone] = [9_000_001];
    const member = family.start(
      'sh',
      [
        '-c',
        `${MARK_VARIABLE}=${formatMark({ ownerPid: 9_000_000, nonce: '0123456789ab', seq: 8 })} sleep 300 & echo MEMBER $$`.replaceAll(
          ';',
          '\\;',
        ),
      ],
      { leadsGroup: true },
    );
    const [, group] = await member.line(/MEMBER (\d+)/);
    await member.exited;
    const path = writeLedger(family, [
      rowAbout(9_000_000, { event: 'owner', row: 1, seq: 0, start: '1' }),
      rowAbout(byStart, { seq: 1 }),
      rowAbout(byMark, { seq: 7, start: '' }),
      rowAbout(Number(group), { seq: 8, start: '1' }),
      rowAbout(gone, { seq: 3, start: '1' }),
      rowAbout(stranger, { seq: 4, start: '1' }),
      rowAbout(deliberate, { seq: 5, why: 'it serves the next run too' }),
    ]);
    const { ended } = await nextStart(family);
    assert.deepEqual(
      ended.map(({ pgid }) => pgid).sort(),
      [byStart, byMark, unwritten, Number(group)].sort(),
    );
    await until('they have ended', () => family.members().length === kept.length);
    assert(kept.every(isAlive));
    assert(existsSync(path), 'it names who stays on purpose');
    kill(deliberate, 'SIGKILL');
    await until('who stayed has ended', () => readStat(deliberate)?.state !== 'S');
    await nextStart(family);
    assert.equal(existsSync(path), false);
  });

  test('keeps and names what was written in another boot, another pid namespace, or by nobody knows whom', async (t) => {
    const family = familyOf(t);
    const pid = leader(family, { seq: 1 });
    const row = rowAbout(pid);
    const ledgers: [lines: (object | string)[], reason: RegExp][] = [
      [[{ ...row, boot: '00000000-0000-0000-0000-000000000000' }], /another boot/],
      [[{ ...row, pidNamespace: 'pid:[1]' }], /pid namespace/],
      [[{ ...row, boot: '' }], /another boot/],
      [[{ ...row, version: 2 }], /version 2/],
      [['nothing but { noise\n'], /no row/],
      [[''], /no row/],
    ];
    const paths = ledgers.map(([lines]) => writeLedger(family, lines));
    const texts = paths.map((path) => readFileSync(path, 'utf8'));
    const { ended, kept } = await nextStart(family);
    assert.deepEqual(ended, []);
    assert.equal(kept.length, ledgers.length);
    for (const [at, [, reason]] of ledgers.entries())
      assert.match(kept.find(({ ledger }) => ledger === paths[at])?.reason ?? '', reason);
    assert.deepEqual(
      paths.map((path) => readFileSync(path, 'utf8')),
      texts,
    );
    assert(isAlive(pid));
  });

  test('sets lines aside that nobody can read, and does the rest', async (t) => {
    const family = familyOf(t);
    const pid = leader(family);
    const path = writeLedger(family, [
      '{"version":1,"eve',
      '\n',
      rowAbout(pid),
      '{"version":1,"event":"spawn","pid":1,"pgid":1}\n',
      'torn',
    ]);
    const { ended, kept } = await nextStart(family);
    assert.deepEqual(
      ended.map(({ pgid }) => pgid),
      [pid],
    );
    assert.match(kept[0]?.reason ?? '', /no rows: 1, 3, 4/);
    await until('it has ended', () => family.members().length === 0);
    assert.equal(existsSync(path), false);
    assert(
      ledgersOf(family).some(
        ({ name, text }) => name.endsWith('.corrupt') && text.includes('{"version":1,"eve'),
      ),
    );
  });

  test('removes what nobody has written to for thirty days and whose owner is gone, whatever the application', async (t) => {
    const family = familyOf(t);
    const pid = leader(family);
    const old = (path: string): string => {
      utimesSync(path, 0, 0);
      return path;
    };
    const removed = [
      old(writeLedger(family, [rowAbout(9_000_001, { start: '1', app: 'other' })], 'other')),
      old(writeLedger(family, [rowAbout(pid, { boot: 'another' })])),
    ];
    const kept = [
      writeLedger(family, [rowAbout(9_000_001, { start: '1', app: 'other' })], 'other'),
      old(writeLedger(family, [rowAbout(pid, { app: 'other' })], 'other')),
      old(writeLedger(family, ['{"version":2}\n'])),
    ];
    await nextStart(family);
    assert.deepEqual([...removed, ...kept].map(existsSync), [false, false, true, true, true]);
    assert(isAlive(pid));
  });

  test('leaves the children of an owner that lives alone', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `spawnOwned('sleep', ['300'], { stdio: 'ignore' }); console.log('READY'); ${STAY}`,
      app,
    );
    await owner.line(/READY/);
    assert.deepEqual(await nextStart(family), { ended: [], kept: [] });
    assert(family.members().some(({ comm }) => comm === 'sleep'));
  });

  test('waits for a supervisor that is at work: no child is asked to end twice', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `const child = spawnOwned(process.execPath, ['-e', \`let n = 0; process.on('SIGTERM', () => { require('fs').writeSync(1, 'TERM ' + ++n + '\\\\n'); setTimeout(() => process.exit(), 800); }); setInterval(() => {}, 1000); console.log('UP')\`], { stdio: ['ignore', 'inherit', 'inherit'] });
      ${STAY}`,
      app,
    );
    await owner.line(/UP/);
    await until('the supervisor is written down', () =>
      rowsOf(family).some(({ event }) => event === 'supervisor'),
    );
    process.kill(owner.pid, 'SIGKILL');
    await owner.line(/TERM 1/);
    assert.deepEqual((await nextStart(family)).ended, []);
    await owner.closed;
    assert.equal(owner.lines.filter((line) => line.startsWith('TERM')).length, 1);
  });

  test('ends what it began where its owner does not wait for it', async (t) => {
    const family = familyOf(t);
    const stubborn = family.start('sh', ['-c', 'trap "" TERM; echo UP; while :; do sleep 0.2; done'], {
      leadsGroup: true,
    });
    await stubborn.line(/UP/);
    writeLedger(family, [rowAbout(stubborn.pid, { graceMs: 500 })]);
    const owner = family.owner(
      `
      warm();
      const timer = setInterval(() => { if (owned().length > 0) clearInterval(timer); }, 5);`,
      app,
    );
    assert.equal((await owner.exited).code, 0);
    assert.equal((await stubborn.exited).signal, 'SIGKILL');
  });

  test('never holds the loop for long', async (t) => {
    const family = familyOf(t);
    for (let i = 0; i < 20; i++)
      writeLedger(
        family,
        Array.from({ length: 200 }, (_, at) => rowAbout(9_000_001 + at, { start: '1', seq: at + 1 })),
      );
    const owner = family.owner(
      `
      const { monitorEventLoopDelay } = await import('node:perf_hooks');
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      await sweepOrphans();
      console.log('P99 ' + Math.round(delay.percentile(99) / 1e6));`,
      app,
    );
    const [, p99] = await owner.line(/P99 (\d+)/);
    // A busy machine takes its share: a sweep in one go would be ten times that.
    assert(Number(p99) < 200, `${p99} ms`);
    await until('all are removed', () => ledgersOf(family).length === 0);
  });
});
