import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { inputs, moved, program, run } from '../helpers/case-program.ts';
import { isAlive, until, type Family, type Owner } from '../helpers/processes.ts';

const nobodyLeft = (family: Family): Promise<boolean> =>
  until('nobody is left', () => family.members().length === 0);

/** Long enough for the survivors of a fault to have gone if they would. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));

/** Whether somebody listens on the port. */
const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('connect', () => {
        resolve(true);
      })
      .once('error', () => {
        resolve(false);
      })
      .once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });

/** Whether the port can be listened on. A dying process loses its memory, by which we know it, before its sockets. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () =>
      server.close(() => {
        resolve(true);
      }),
    );
  });

const portOf = async (owner: Owner): Promise<number> => Number((await owner.line(/READY (\d+)/))[1]);

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`rs-01: ${signal} of a CLI that runs a command line under a shell`, async (t) => {
    const leaky = run(t, 'rs-01');
    const taken = await portOf(leaky.owner);
    leaky.owner.child.kill(signal);
    await leaky.owner.exited;
    await settle();
    assert(leaky.family.members().length > 0 && (await isTaken(taken)), 'the fault shows');

    const control = run(t, 'rs-01', [moved('spawnOwned as spawn')]);
    const { family, owner } = run(t, 'rs-01', [moved('spawnOwned as spawn')]);
    const [port] = await Promise.all([portOf(owner), portOf(control.owner)]);
    const kept = control.family.members();
    owner.child.kill(signal);
    await nobodyLeft(family);
    await until('the port is free', () => isFree(port));
    assert(kept.length >= 2 && kept.every(({ pid }) => isAlive(pid)));
  });
}

test('rs-03: a stdio server that ignores the end of its input', async (t) => {
  const leaky = run(t, 'rs-03');
  await leaky.owner.line(/READY 1/);
  leaky.owner.child.kill('SIGKILL');
  await leaky.owner.exited;
  await settle();
  assert.equal(leaky.family.members().length, 1, 'the fault shows');

  const control = run(t, 'rs-03', [moved('spawnOwned as spawn')]);
  const { family, owner } = run(t, 'rs-03', [moved('spawnOwned as spawn')]);
  await Promise.all([owner.line(/READY 1/), control.owner.line(/READY 1/)]);
  owner.child.kill('SIGKILL');
  await nobodyLeft(family);
  assert.equal(control.family.members().length, 2);
});

test('rs-07: an escalation that takes `killed` for dead', async (t) => {
  const escalation = `      child.kill('SIGTERM');
      setTimeout(() => {
        if (!child.killed) child.kill('SIGKILL'); // \`killed\` is already true
      }, graceMs);`;
  const leaky = run(t, 'rs-07');
  await leaky.owner.line(/not now/);
  // Twice the grace.
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert(!leaky.owner.lines.some((line) => line.startsWith('RESULT')), 'the fault shows');
  assert.equal(leaky.family.members().length, 2);

  const changes: [string, string][] = [
    moved('killOwned, spawnOwned as spawn'),
    [escalation, 'void killOwned(child, { graceMs });'],
  ];
  const { family, owner } = run(t, 'rs-07', changes);
  const obedient = run(t, 'rs-07', [
    ...changes,
    [`'node', [stubborn]`, `'sh', ['-c', 'echo READY; exec sleep 300']`],
  ]);
  await owner.line(/not now/);
  assert.equal((await owner.line(/RESULT (.*)/))[1], '{"code":null,"signal":"SIGKILL"}');
  assert.equal((await obedient.owner.line(/RESULT (.*)/))[1], '{"code":null,"signal":"SIGTERM"}');
  await nobodyLeft(family);
});

test('rs-12: the stop of a tool that never started', async (t) => {
  // Both lead a group with a bystander in it.
  const inGroup = ({ family, file }: { family: Family; file: string }): Owner =>
    family.start('sh', ['-c', `sleep 300 & exec ${process.execPath} ${file}`], { leadsGroup: true });
  const leaky = program(t, 'rs-12');
  const victim = inGroup(leaky);
  await victim.line(/READY undefined/);
  assert.equal((await victim.exited).signal, 'SIGTERM', 'the fault shows');
  await nobodyLeft(leaky.family);

  const changes: [string, string][] = [
    moved('killOwned, spawnOwned as spawn'),
    ['detached: true, ', ''],
    [
      `process.kill(-(child.pid ?? 0), 'SIGTERM');`,
      `return killOwned(child).then(() => console.log('STOPPED'));`,
    ],
  ];
  const mended = program(t, 'rs-12', changes);
  const owner = inGroup(mended);
  await owner.line(/could not start: ENOENT/);
  await owner.line(/STOPPED/);
  assert.deepEqual(await owner.exited, { code: 0, signal: null });
  assert.deepEqual(
    mended.family.members().map(({ comm }) => comm),
    ['sleep'],
  );

  const started = run(t, 'rs-12', [
    ...changes,
    [`'no-such-binary-for-this-case'`, `'sleep'`],
    [`['serve']`, `['300']`],
  ]);
  await started.owner.line(/READY \d+/);
  await started.owner.line(/STOPPED/);
  await nobodyLeft(started.family);
});

/** Gives the pid of the owner's child to a stranger once it is gone, and tells whether the stranger outlived the grace. PID 1 of a namespace. */
const REUSE = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const owner = spawn(process.execPath, [process.argv[2]], { stdio: ['ignore', 'pipe', 'inherit'] });
const lines = [];
createInterface({ input: owner.stdout }).on('line', (line) => lines.push(line));
const line = async (pattern) => {
  for (;;) {
    const match = lines.map((each) => pattern.exec(each)).find(Boolean);
    if (match) return match;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const pid = Number((await line(/READY (\\d+)/))[1]);
owner.kill('SIGUSR2');
await line(/GONE/);
let victim;
for (let turn = 0; turn < 400 && victim?.pid !== pid; turn++) {
  writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
  victim = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
}
await new Promise((resolve) => setTimeout(resolve, 2500));
console.log(victim.pid === pid ? 'VICTIM ' + (victim.signalCode ?? 'lives') : 'NO REUSE');
console.log(lines.filter((each) => each.startsWith('LATE')).join());
process.exit();
`;

test('rs-16: KILL to a group whose number was given away', async (t) => {
  const namespace = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  if (process.getuid?.() !== 0 || spawnSync('unshare', [...namespace, 'true']).status !== 0) {
    t.skip('needs root and unshare(1)');
    return;
  }
  const verdict = async ({ family, file }: { family: Family; file: string }): Promise<string | undefined> => {
    const reuse = join(family.folder, 'reuse.mjs');
    // detached-spawn: ok — the stranger that it starts ends with the pid namespace
    writeFileSync(reuse, REUSE);
    // A shell as PID 1 reaps; the command after the program keeps it from being replaced.
    const judge = family.start('unshare', [
      ...namespace,
      'sh',
      '-c',
      `${process.execPath} ${reuse} ${file}; true`,
    ]);
    return (await judge.line(/VICTIM (.*)/))[1];
  };
  const late = /  process\.kill\(-child\.pid, 'SIGTERM'\);[\s\S]*?\}, graceMs\);/.exec(
    readFileSync(join(inputs, 'rs-16/owner.mjs'), 'utf8'),
  )?.[0];
  assert(late);
  const changes: [string, string][] = [
    moved('killOwned, spawnOwned as spawn'),
    ['detached: true, ', ''],
    [late, `killOwned(child, { graceMs }).then(() => console.log('STOPPED'));`],
  ];
  assert.equal(await verdict(program(t, 'rs-16')), 'SIGKILL', 'the fault shows');
  assert.equal(await verdict(program(t, 'rs-16', changes)), 'lives');

  // Ends as soon as its work is done, not after the grace or the program's own eight seconds.
  const quick = run(t, 'rs-16', [
    ...changes,
    ['setTimeout(() => {}, 8_000);', ''],
    ['graceMs = 1_500', 'graceMs = 600_000'],
  ]);
  await quick.owner.line(/READY/);
  quick.owner.child.kill('SIGUSR2');
  assert.deepEqual(await quick.owner.exited, { code: 0, signal: null });

  const stubborn = run(t, 'rs-16', [
    ...changes,
    [`'sleep', ['300']`, `'sh', ['-c', 'trap "" TERM; while :; do sleep 1; done']`],
  ]);
  await stubborn.owner.line(/READY/);
  stubborn.owner.child.kill('SIGUSR2');
  await stubborn.owner.line(/STOPPED/);
  await until('the group is gone', () => stubborn.family.members().length <= 1);
});
