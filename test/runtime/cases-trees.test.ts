// Cases of public bug reports about whole trees: wrappers between owner and server, what stays in the background, what
// leaves. Each shows its fault first.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { moved, program, run } from '../helpers/case-program.ts';
import { builtRuntime, familyOf, isAlive, until, type Family } from '../helpers/processes.ts';

const OWNED = [moved('spawnOwned as spawn')];
const nobodyLeft = (family: Family): Promise<boolean> =>
  until('nobody is left', () => family.members().length === 0);

/** Long enough for the survivors of a fault to have gone if they would. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));

test('rs-04: an orphan that spins on a closed pipe, behind a wrapper', async (t) => {
  const leaky = run(t, 'rs-04');
  await leaky.owner.line(/READY/);
  leaky.owner.child.kill('SIGKILL');
  await leaky.owner.exited;
  await settle();
  assert.equal(leaky.family.members().length, 2, 'the fault shows');

  const [control, mended] = [run(t, 'rs-04', OWNED), run(t, 'rs-04', OWNED)];
  await Promise.all([control.owner.line(/READY/), mended.owner.line(/READY/)]);
  mended.owner.child.kill('SIGKILL');
  await nobodyLeft(mended.family);
  assert.equal(control.family.members().length, 3);
});

test('rs-05: a watchdog in the grandchild that never sees its parent change', async (t) => {
  const leaky = run(t, 'rs-05');
  const [, plugin] = await leaky.owner.line(/READY (\d+)/);
  leaky.owner.child.kill('SIGKILL');
  await leaky.owner.exited;
  // Twice the interval of the watchdog.
  await settle();
  assert(isAlive(Number(plugin)), 'the fault shows');

  const [control, mended] = [run(t, 'rs-05', OWNED), run(t, 'rs-05', OWNED)];
  await Promise.all([control.owner.line(/READY/), mended.owner.line(/READY/)]);
  mended.owner.child.kill('SIGKILL');
  await nobodyLeft(mended.family);
  assert.equal(control.family.members().length, 3);
});

test('rs-08: a command that returns and leaves a process with its pipe', async (t) => {
  const leaky = run(t, 'rs-08');
  await leaky.owner.line(/EXIT 0/);
  leaky.owner.child.kill('SIGKILL');
  await leaky.owner.exited;
  await settle();
  assert.equal(leaky.family.members().length, 1, 'the fault shows');

  // The result comes with the exit and what is in the pipe by then; the group stays owned.
  const drained: [string, string] = [
    `await new Promise((resolve) => child.once('close', resolve));`,
    `await new Promise((resolve) => {
    child.once('close', resolve);
    child.once('exit', () => setTimeout(resolve, 200));
  });
  child.stdout.destroy();`,
  ];
  const report: [string, string] = [
    `await runTool('sleep 20 & echo started');`,
    `console.log('RESULT ' + (await runTool(process.argv[2] ?? 'sleep 300 & echo started')).length); setInterval(() => {}, 1000);`,
  ];
  const mended = run(t, 'rs-08', [...OWNED, drained, report]);
  await mended.owner.line(/RESULT 8/);
  assert(
    mended.family.members().some(({ comm }) => comm === 'sleep'),
    'it runs on while its owner lives',
  );
  mended.owner.child.kill('SIGKILL');
  await nobodyLeft(mended.family);

  const large = program(t, 'rs-08', [...OWNED, drained, report]);
  const owner = large.family.start(process.execPath, [large.file, 'head -c 1048576 /dev/zero']);
  await owner.line(/RESULT 1048576/);
});

test('rs-10: rows of a file that is read, changed and written by several', async (t) => {
  const { family, file } = program(t, 'rs-10', [], 'register.mjs');
  const rows = async (turn: number): Promise<number> => {
    const ledger = join(family.folder, `ledger-${turn}.json`);
    const owners = [1, 2, 3].map((owner) =>
      family.start(process.execPath, [file, ledger, String(owner), '15']),
    );
    await Promise.all(owners.map(({ exited }) => exited));
    return (JSON.parse(readFileSync(ledger, 'utf8')) as unknown[]).length;
  };
  let fewest = 45;
  for (let turn = 0; turn < 30 && fewest === 45; turn++) fewest = Math.min(fewest, await rows(turn));
  assert(fewest < 45, 'the fault shows');
  // What owned-spawn writes instead: see ledger.test.ts.
});

test('rs-13: helpers of children that PID 1 kills one by one', async (t) => {
  const namespace = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  if (process.getuid?.() !== 0 || spawnSync('unshare', [...namespace, 'true']).status !== 0) {
    t.skip('needs root and unshare(1)');
    return;
  }
  const running = async (replacements: [string, string][]): Promise<{ left: number; warnings: number }> => {
    // Helpers that do not end by themselves.
    const { family, file } = program(
      t,
      'rs-13',
      [
        ...replacements,
        ['sleep 0.6', 'sleep 300'],
        ['await sleep(3000);', `process.on('SIGTERM', () => {}); await sleep(60_000);`],
        [`console.log(\`READY`, `console.log('W ' + warnings); console.log(\`READY`],
        [
          'for (let',
          `let warnings = 0; process.on('warning', ({ code }) => { if (code === 'OWNED_SPAWN_PID_1') warnings++; });\nfor (let`,
        ],
      ],
      'main.mjs',
    );
    const owner = family.start('unshare', [...namespace, process.execPath, file], { quiet: true });
    await owner.line(/READY 1/);
    const [, warnings] = await owner.line(/W (\d+)/);
    return {
      left: family.members().filter(({ comm }) => comm === 'sleep').length,
      warnings: Number(warnings),
    };
  };
  assert.deepEqual(await running([]), { left: 10, warnings: 0 }, 'the fault shows');
  const mended: [string, string][] = [
    moved('killOwned, spawnOwned as spawn'),
    [`child.kill('SIGKILL');`, 'await killOwned(child, { graceMs: 500 });'],
  ];
  assert.deepEqual(await running(mended), { left: 0, warnings: 1 });
});

test('an owner that is PID 1 lets a group go whose members are zombies that nobody reaps', async (t) => {
  const namespace = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  if (process.getuid?.() !== 0 || spawnSync('unshare', [...namespace, 'true']).status !== 0) {
    t.skip('needs root and unshare(1)');
    return;
  }
  const family = familyOf(t);
  const file = join(family.folder, 'init.mjs');
  writeFileSync(
    file,
    `import { spawnOwned, owned, releaseProcessGroupOnceEmpty } from '${builtRuntime()}';
    import { readdirSync, readFileSync } from 'node:fs';
    // Its helper outlives it, becomes a child of PID 1, and is never waited for.
    const child = spawnOwned('sh', ['-c', 'sleep 2 & exit 0'], { stdio: 'ignore' });
    const state = () => readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map((name) => {
      try { return readFileSync('/proc/' + name + '/stat', 'utf8'); } catch { return ''; }
    }).filter((text) => text.includes('(sleep)')).map((text) => text.split(') ')[1][0]).join();
    child.on('exit', () => {
      console.log('OWNED ' + process.pid + ' ' + owned().length + ' ' + state());
      releaseProcessGroupOnceEmpty(child);
    });
    setInterval(() => owned().length === 0 && console.log('RELEASED ' + state()), 50);`,
  );
  const owner = family.start('unshare', [...namespace, process.execPath, file], { quiet: true });
  await owner.line(/OWNED 1 1/);
  await owner.line(/RELEASED Z/);
});

test('rs-15: an agent that detaches its own server', async (t) => {
  const ready = async ({ owner, family }: ReturnType<typeof run>): Promise<void> => {
    await owner.line(/READY/);
    await until('all run', () => family.members().length === 5);
  };
  const leaky = run(t, 'rs-15');
  await ready(leaky);
  leaky.owner.child.kill('SIGUSR2');
  await until('the group is gone', () => leaky.family.members().length <= 2);
  await settle();
  assert.equal(leaky.family.members().length, 2, 'the fault shows');

  const changes = (escapees: string): [string, string][] => [
    moved('killOwned, spawnOwned as spawn'),
    ['detached: true,', `escapees: '${escapees}',`],
    [
      `  process.kill(-agent.pid, 'SIGTERM');
  setTimeout(() => { try { process.kill(-agent.pid, 'SIGKILL'); } catch {} }, 500);`,
      `  killOwned(agent, { graceMs: 500 }).then(() => console.log('STOPPED'));`,
    ],
    [
      `process.on('SIGUSR2'`,
      `process.on('warning', ({ message }) => console.log(message));\nprocess.on('SIGUSR2'`,
    ],
  ];
  const control = leaky.family.start(process.execPath, [
    '-e',
    'require("http").createServer().listen(0, "127.0.0.1")',
  ]);
  for (const [escapees, left] of [
    ['kill', 1],
    ['report', 2],
  ] as const) {
    const mended = run(t, 'rs-15', changes(escapees));
    await ready(mended);
    mended.owner.child.kill('SIGUSR2');
    await mended.owner.line(/STOPPED/);
    await until('the rest has gone', () => mended.family.members().length === left);
    if (escapees === 'report') {
      const server = mended.family.members().find(({ pid }) => pid !== mended.owner.pid);
      await mended.owner.line(new RegExp(`left the group .*pid ${server?.pid} `));
    }
    mended.owner.child.kill('SIGKILL');
  }
  const killed = run(t, 'rs-15', changes('kill'));
  await ready(killed);
  killed.owner.child.kill('SIGKILL');
  await nobodyLeft(killed.family);
  assert(isAlive(control.pid), 'one with the same command line that nobody of them started lives');
});
