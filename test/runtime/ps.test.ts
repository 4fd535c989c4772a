import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { command } from '../../runtime/commands/ps.ts';
import { forest } from '../../runtime/ps/forest.ts';
import { ageText, memoryText } from '../../runtime/ps/text.ts';
import { rowAbout, rowsOf, stateOf } from '../helpers/ledgers.ts';
import { familyOf, until, type Family } from '../helpers/processes.ts';
import { runCommand } from '../helpers/run-command.ts';

const STAY = 'setInterval(() => {}, 1000);';
const skip = process.platform === 'linux' ? false : 'looks into /proc';

interface Entry {
  role: string;
  pid: number;
  label: string | null;
  why: string | null;
  app: string | null;
  command: string;
  ageSeconds: number;
  memoryKb: number;
  ports: number[];
  children: Entry[];
}

/** What ps shows of a family: its roots, however many others the machine has. */
async function treesOf(family: Family, roots: readonly number[]): Promise<Entry[]> {
  const { code, out } = await runCommand(command, ['--json'], {
    env: { OWNED_SPAWN_STATE_DIR: stateOf(family) },
  });
  assert.equal(code, 0);
  return (JSON.parse(out) as Entry[]).filter(({ pid }) => roots.includes(pid));
}

const START = `
  const listen = "require('http').createServer().listen(0, '127.0.0.1', () => console.log('UP'))";
  spawnOwned('sh', ['-c', 'sleep 300 & sleep 301; exit'], { stdio: 'ignore', label: 'two sleepers' });
  spawnOwned(process.execPath, ['-e', listen], { stdio: ['ignore', 'inherit', 'ignore'], label: 'a server' });
  const free = spawnDetached('sleep', ['302'], { stdio: 'ignore', why: 'it serves the next run too' });
  const released = spawnOwned('sleep', ['303'], { stdio: 'ignore' });
  releaseProcessGroups(released);
  ${STAY}`;

describe('owned-spawn ps', { skip }, () => {
  test('shows who owns whom, with label, reason, ports, memory and age', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(START, { env: { OWNED_SPAWN_APP: 'app' } });
    await owner.line(/UP/);
    await until('all rows are there', () => rowsOf(family).length >= 7);
    const [root, ...others] = await treesOf(family, [owner.pid]);
    assert.deepEqual([root?.role, root?.app, others], ['owner', 'app', []]);
    const children = Object.fromEntries(
      (root?.children ?? []).map((each) => [each.label ?? each.role, each]),
    );
    assert.deepEqual(Object.keys(children).sort(), [
      'a server',
      'outlives',
      'released',
      'supervisor',
      'two sleepers',
    ]);
    assert.deepEqual(children['two sleepers']?.children.map((each) => [each.role, each.command]).sort(), [
      ['descendant', 'sleep 300'],
      ['descendant', 'sleep 301'],
    ]);
    assert.equal(children.outlives?.why, 'it serves the next run too');
    const server = children['a server'];
    assert.equal(server?.ports.length, 1);
    assert(server.memoryKb > 1000 && server.ageSeconds >= 0);

    const { out } = await runCommand(command, [], { env: { OWNED_SPAWN_STATE_DIR: stateOf(family) } });
    assert.match(out, /^ *pid +pgid +age +memory +ports +role +label +command$/m);
    assert.match(
      out,
      new RegExp(`^ *${server.pid} .* MB +${server.ports[0]} +owned +a server +.*node -e require`, 'm'),
    );
    assert.match(out, /outlives +- +.*─ sleep 302 \(it serves the next run too\)$/m);
    assert.match(out, /[├└]─ owned-spawn supervisor$/m);
  });

  test('shows what lives of an owner that has ended', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `spawnDetached('sleep', ['302'], { stdio: 'ignore', why: 'it serves the next run too' }).unref();`,
      { env: { OWNED_SPAWN_APP: 'app' } },
    );
    await owner.exited;
    const [root] = await treesOf(family, [owner.pid]);
    assert.deepEqual(
      [root?.role, root?.app, root?.children.map(({ command }) => command)],
      ['gone', 'app', ['sleep 302']],
    );
  });

  test('goes on until it is interrupted with --watch', async (t) => {
    const family = familyOf(t);
    const controller = new AbortController();
    const watch = runCommand(command, ['--watch', '--json'], {
      env: { OWNED_SPAWN_STATE_DIR: stateOf(family) },
      signal: controller.signal,
    });
    controller.abort();
    await watch.catch((error: unknown) => {
      assert.equal((error as Error).name, 'AbortError');
    });
  });

  test('takes no arguments', async () => {
    await assert.rejects(runCommand(command, ['x']), { name: 'UserError' });
  });
});

test('a forest hangs those whose parents have ended on the leader of their group, else on their owner', () => {
  const row = (
    pid: number,
    ppid: number,
    pgid: number,
  ): [number, Parameters<typeof forest>[0]['processes'] extends Map<number, infer R> ? R : never] => [
    pid,
    { pid, ppid, pgid, sid: pgid, state: 'S', start: String(pid), comm: `p${pid}` },
  ];
  const mark = (seq: number): { ownerPid: number; nonce: string; seq: number } => ({
    ownerPid: 100,
    nonce: '0123456789ab',
    seq,
  });
  const owner = rowAbout(100, { event: 'owner', start: '100', ownerPid: 100, ownerStart: '100' });
  const [tree, ...others] = forest({
    ledgers: [
      {
        path: '',
        owner,
        supervisor: undefined,
        children: [
          rowAbout(101, { start: '101', ownerPid: 100 }),
          rowAbout(107, { start: '7', ownerPid: 100 }),
        ],
        corrupt: [],
        lastSeq: 0,
        problem: undefined,
        ownerState: { is: 'alive' },
      },
    ],
    processes: new Map([
      row(1, 0, 1),
      row(50, 1, 50),
      row(100, 50, 100),
      row(101, 100, 101),
      // Its parent has ended; it is in the group of 101.
      row(102, 1, 101),
      // It has left by setsid and a double fork.
      row(103, 1, 103),
      // Somebody else's, with the number of a child that has ended.
      row(107, 1, 107),
      // A leader whose parent is in its group.
      row(104, 105, 104),
      row(105, 1, 104),
    ]),
    marks: new Map([
      [101, [mark(1)]],
      [102, [mark(1)]],
      [103, [mark(1)]],
      [104, [mark(2)]],
      [105, [mark(2)]],
    ]),
  });
  assert.deepEqual(others, []);
  const shape = ({ pid, children }: { pid: number; children: unknown[] }): unknown[] => [
    pid,
    ...(children as { pid: number; children: unknown[] }[]).map(shape),
  ];
  assert(tree);
  assert.deepEqual(shape(tree), [100, [101, [102]], [103], [105, [104]]]);
});

test('ages and sizes are words', () => {
  assert.deepEqual([0, 59, 60, 3600, 90_061, 86_400 * 3].map(ageText), [
    '0s',
    '59s',
    '1m 0s',
    '1h 0m',
    '1d 1h',
    '3d 0h',
  ]);
  assert.deepEqual([0, 1023, 1024, 50_000, 2 ** 21].map(memoryText), [
    '0 kB',
    '1023 kB',
    '1 MB',
    '49 MB',
    '2.0 GB',
  ]);
});
