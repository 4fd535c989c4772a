import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { command } from '../../runtime/commands/orphans.ts';
import { formatMark, MARK_VARIABLE } from '../../runtime/process/mark.ts';
import { ledgersOf, rowAbout, rowsOf, stateOf, writeLedger } from '../helpers/ledgers.ts';
import { familyOf, isAlive, killBoth, until, type Family, type Owner } from '../helpers/processes.ts';
import { runCommand } from '../helpers/run-command.ts';

const STAY = 'setInterval(() => {}, 1000);';
const skip = process.platform === 'linux' ? false : 'looks into /proc';

interface Entry {
  verdict: string;
  pid: number;
  evidence: string[];
  ended: boolean;
  ports: number[];
}

const run = (family: Family, ...flags: string[]): ReturnType<typeof runCommand> =>
  runCommand(command, flags, { env: { OWNED_SPAWN_STATE_DIR: stateOf(family) } });

async function entries(
  family: Family,
  ...flags: string[]
): Promise<{ code: number; found: Map<number, Entry> }> {
  const { code, out } = await run(family, '--json', ...flags);
  return { code, found: new Map((JSON.parse(out) as Entry[]).map((entry) => [entry.pid, entry])) };
}

const marked = (
  family: Family,
  mark: { nonce: string; seq: number; why?: string },
  command = 'exec sleep 300',
): Owner =>
  family.start('sh', ['-c', `echo UP; ${command}`], {
    leadsGroup: true,
    env: { [MARK_VARIABLE]: formatMark({ ownerPid: 9_000_000, ...mark }) },
  });

describe('owned-spawn orphans', { skip }, () => {
  test('tells what is proved from what is not, and ends the former only', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `const kids = [
        spawnOwned('sh', ['-c', 'sleep 300 & sleep 301; exit'], { stdio: 'ignore', label: 'two sleepers' }),
        spawnOwned('sh', ['-c', 'setsid sleep 302 & wait'], { stdio: 'ignore' }),
      ];
      const free = spawnDetached('sleep', ['303'], { stdio: 'ignore', why: 'it serves the next run too' });
      console.log('PIDS ' + kids.map(({ pid }) => pid).join(' ') + ' ' + free.pid);
      console.log('SUPERVISOR ' + supervisorStatus().pid); ${STAY}`,
      { env: { OWNED_SPAWN_APP: 'some-app' } },
    );
    const [, first, second, free] = (await owner.line(/PIDS (\d+) (\d+) (\d+)/)).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    await until('all run', () => family.members().length === 7 && rowsOf(family).length === 5);
    await killBoth(owner);
    const escapee =
      family.members().find(({ pid, sid }) => sid === pid && ![first, second, free].includes(pid))?.pid ?? 0;
    const lost = marked(family, { nonce: 'abcdef012345', seq: 1 });
    await lost.line(/UP/);

    const { code, found } = await entries(family);
    assert.equal(code, 1);
    assert.equal(found.get(first)?.verdict, 'orphan');
    assert.match(
      found.get(first)?.evidence.join() ?? '',
      /its owner \d+ \(some-app\) has ended,pid and start time/,
    );
    assert.equal(found.get(second)?.verdict, 'orphan');
    assert.equal([...found.values()].filter(({ verdict }) => verdict === 'orphan').length, 4);
    assert.equal(found.get(free)?.verdict, 'deliberate');
    assert.match(found.get(free)?.evidence.join() ?? '', /serves the next run/);
    assert.equal(found.get(escapee)?.verdict, 'unproved');
    assert.match(found.get(escapee)?.evidence.join() ?? '', /has left the group/);
    assert.equal(found.get(lost.pid)?.verdict, 'unproved');
    assert.match(found.get(lost.pid)?.evidence.join() ?? '', /missing: a ledger/);
    assert([first, second, free, escapee, lost.pid].every(isAlive), 'a dry run ends nobody');

    const { out } = await run(family);
    assert.match(out, /Left by an owner that has ended, proved:/);
    assert.match(out, new RegExp(`${first} +two sleepers: sh -c`));
    assert.match(out, /orphans --kill ends the proved ones/);

    const killed = await entries(family, '--kill');
    assert.equal(killed.code, 0);
    assert.equal(killed.found.get(first)?.ended, true);
    assert.equal(killed.found.get(free)?.ended, false);
    await until('the proved ones have ended', () => family.members().length === 3);
    assert([free, escapee, lost.pid].every(isAlive));
    assert.equal((await entries(family)).code, 0);
  });

  test('proves nothing by rows of another boot or namespace, and names them', async (t) => {
    const family = familyOf(t);
    const sleeper = marked(family, { nonce: '0123456789ab', seq: 1 });
    await sleeper.line(/UP/);
    for (const elsewhere of [{ boot: 'another' }, { pidNamespace: 'pid:[1]' }])
      writeLedger(family, [rowAbout(sleeper.pid, elsewhere)]);
    writeLedger(family, ['{"version":2}\n']);
    const { found } = await entries(family, '--kill');
    assert.equal(found.get(sleeper.pid)?.verdict, 'unproved');
    assert.match(found.get(sleeper.pid)?.evidence.join() ?? '', /another boot or pid namespace/);
    assert(isAlive(sleeper.pid));
    assert.match((await run(family)).err, /version 2/);
    assert.equal(ledgersOf(family).length, 3);
  });

  test('shows what others left behind, and leaves it', async (t) => {
    const family = familyOf(t);
    const folder = join(family.folder, 'gone');
    mkdirSync(folder);
    const left = family.start('sh', ['-c', `cd ${folder}; (sleep 300 & echo PID $!)`], { leadsGroup: true });
    const pid = Number((await left.line(/PID (\d+)/))[1]);
    await left.exited;
    rmdirSync(folder);
    const { found } = await entries(family, '--kill');
    // A subreaper above us takes it in: then nothing tells that its parent has ended.
    if (family.members()[0]?.ppid === 1) {
      assert.equal(found.get(pid)?.verdict, 'suspect');
      assert.match(found.get(pid)?.evidence.join() ?? '', /has been removed/);
    }
    assert(isAlive(pid));
  });

  test('takes --kill or --dry-run, and no arguments', async (t) => {
    const family = familyOf(t);
    await assert.rejects(run(family, '--kill', '--dry-run'), { name: 'UserError' });
    await assert.rejects(run(family, 'x'), { name: 'UserError' });
  });
});
