import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Survivor } from '../../runtime/index.ts';
import { readStat } from '../../runtime/process/identity.ts';
import { rowAbout, writeLedger } from '../helpers/ledgers.ts';
import { familyOf, isAlive, until, type Family } from '../helpers/processes.ts';

const WHY = 'the export must be finished';
const env = { OWNED_SPAWN_APP: 'app' };

async function adopted(family: Family, after = ''): Promise<Survivor[]> {
  const owner = family.owner(
    `const survivors = await adoptSurvivors(); console.log('ADOPTED ' + JSON.stringify(survivors)); ${after}`,
    { env },
  );
  const [, text] = await owner.line(/^ADOPTED (.*)$/);
  await owner.exited;
  return JSON.parse(text ?? '') as Survivor[];
}

describe('adoptSurvivors', () => {
  test('finds a background job again after a restart, with its reason and where its output is', async (t) => {
    const family = familyOf(t);
    const [out, err] = [join(family.folder, 'out.txt'), join(family.folder, 'err.txt')];
    const owner = family.owner(
      `import { openSync, createWriteStream } from 'node:fs';
      const stdio = ['ignore', openSync('out.txt', 'a'), openSync('err.txt', 'a')];
      const job = spawnDetached('sh', ['-c', 'echo begun; sleep 300; exit'], { stdio, why: '${WHY}', label: 'export', cwd: '/tmp' });
      const other = spawnOwned('sleep', ['300', '--token=hunter2'.slice(0, 0)].filter(Boolean), { stdio: 'ignore', outlives: '${WHY} too' });
      job.unref();
      other.unref();
      console.log('PIDS ' + job.pid + ' ' + other.pid);
      process.exit();`,
      { env },
    );
    const [, job, other] = (await owner.line(/PIDS (\d+) (\d+)/)).map(Number);
    await owner.exited;
    const survivors = await adopted(family);
    assert.deepEqual(
      survivors.map(({ startedAt, ...rest }) => (assert(startedAt > 1e12), rest)),
      [
        {
          pid: job,
          start: readStat(job ?? 0)?.start,
          label: 'export',
          why: WHY,
          argv: ['sh', '-c', 'echo begun; sleep 300; exit'],
          cwd: '/tmp',
          stdout: out,
          stderr: err,
        },
        {
          pid: other,
          start: readStat(other ?? 0)?.start,
          why: `${WHY} too`,
          argv: ['sleep', '300'],
          cwd: family.folder,
        },
      ],
    );
    assert.equal(readFileSync(out, 'utf8'), 'begun\n');
    // It goes on from run to run, and the last one may end it.
    assert.deepEqual(
      (await adopted(family)).map(({ pid }) => pid),
      [job, other],
    );
    const [first] = await adopted(
      family,
      `const [{ pid }] = survivors; ownProcessGroups(pid); await killOwned(pid, { graceMs: 500 });`,
    );
    assert.equal(first?.pid, job);
    assert(!isAlive(job ?? 0) && isAlive(other ?? 0));
  });

  test('gives each survivor to one of two that ask at once', async (t) => {
    const family = familyOf(t);
    const sleeper = family.start('sleep', ['300'], { leadsGroup: true });
    await until('it runs', () => readStat(sleeper.pid));
    writeLedger(family, [rowAbout(sleeper.pid, { why: WHY })]);
    const [one, two] = await Promise.all(
      [1, 2].map(async () => {
        const owner = family.owner(
          `console.log('ADOPTED ' + (await adoptSurvivors()).length); setInterval(() => {}, 1000);`,
          { env },
        );
        return Number((await owner.line(/ADOPTED (\d)/))[1]);
      }),
    );
    assert.equal((one ?? 0) + (two ?? 0), 1);
  });

  test('takes nobody who is not proved to be the same, or whose owner lives', async (t) => {
    const family = familyOf(t);
    const sleeper = family.start('sleep', ['300'], { leadsGroup: true });
    await until('it runs', () => readStat(sleeper.pid));
    const row = rowAbout(sleeper.pid, { why: WHY });
    writeLedger(family, [{ ...row, start: '1' }]);
    writeLedger(family, [{ ...row, boot: 'another' }]);
    writeLedger(family, [{ ...row, pidNamespace: 'pid:[1]' }]);
    writeLedger(family, [{ ...row, ownerPid: process.pid, ownerStart: readStat('self')?.start ?? '' }]);
    writeLedger(family, [{ ...row, app: 'app', why: null }]);
    writeLedger(family, [row, { ...row, event: 'release', row: 3 }]);
    assert.deepEqual(await adopted(family), []);
  });
});
