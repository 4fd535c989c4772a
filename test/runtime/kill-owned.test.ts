import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import {
  killOwned,
  owned,
  ownProcessGroups,
  releaseProcessGroupOnceEmpty,
  releaseProcessGroups,
  spawnOwned,
} from '../../runtime/index.ts';
import { groupOf } from '../../runtime/process/identity.ts';
import { builtRuntime, familyOf, isAlive, until } from '../helpers/processes.ts';

const VALUE = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };
const TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
const isOwned = (pid = 0): boolean => owned().some(({ pgid }) => pgid === pid);

/** An owned shell that has run as far as its echo. */
async function ownedShell(t: TestContext, script: string): Promise<ChildProcess> {
  const child = spawnOwned('sh', ['-c', script], { env: familyOf(t).env });
  await once(child.stdout, 'data');
  return child;
}

/** A process that leads a group and is not owned. */
function foreignLeader(t: TestContext): ChildProcess {
  // detached-spawn: ok — the family kills it by its tag when the test ends
  return spawn('sleep', ['300'], { env: familyOf(t).env, detached: true, stdio: 'ignore' });
}

describe('killOwned', () => {
  test('sends TERM before it returns, and resolves when the exit is known', async (t) => {
    const child = await ownedShell(t, `trap 'exit 7' TERM; echo READY; while :; do sleep 0.05; done`);
    await killOwned(child, { graceMs: 600_000 });
    assert.equal(child.exitCode, 7);
    assert(!isOwned(child.pid));
  });

  test('may be called by many at once, without a warning of too many listeners', async (t) => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    t.after(() => process.off('warning', note));
    const child = await ownedShell(t, `trap '' TERM; echo READY; while :; do sleep 0.05; done`);
    await Promise.all(Array.from({ length: 20 }, () => killOwned(child, { graceMs: 100 })));
    await new Promise(setImmediate);
    assert.deepEqual([child.signalCode, warnings], ['SIGKILL', []]);
  });

  test('ends a group that ignores TERM after the grace', async (t) => {
    const family = familyOf(t);
    const child = spawnOwned(
      'sh',
      ['-c', `trap '' TERM; echo READY; sleep 300 & while :; do sleep 1; done`],
      { env: family.env, graceMs: 200 },
    );
    await once(child.stdout, 'data');
    const startedAt = performance.now();
    await killOwned(child);
    assert(performance.now() - startedAt >= 190);
    assert.equal(child.signalCode, 'SIGKILL');
    assert.deepEqual(family.members(), []);
  });

  test('waits for a grandchild that outlives the child', async (t) => {
    const family = familyOf(t);
    const child = spawnOwned(
      'sh',
      ['-c', `sh -c 'trap "" TERM; echo READY; while :; do sleep 0.1; done' & wait`],
      { env: family.env },
    );
    await once(child.stdout, 'data');
    await killOwned(child, { graceMs: 300 });
    assert.equal(child.signalCode, 'SIGTERM');
    await until('nobody is left', () => family.members().length === 0);
  });

  test('lets a stopped child run its handler', async (t) => {
    const child = await ownedShell(t, `trap 'exit 9' TERM; echo READY; while :; do sleep 0.05; done`);
    process.kill(child.pid ?? 0, 'SIGSTOP');
    await killOwned(child, { graceMs: 600_000 });
    assert.equal(child.exitCode, 9);
  });

  test('may be called from an exit handler', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`
      const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      const signals = [];
      const { kill } = process;
      process.kill = (pid, signal) => { signals.push(pid === -child.pid && signal); return kill.call(process, pid, signal); };
      process.on('exit', () => { killOwned(child); console.log('SENT ' + signals.join()); });
      process.exit();`);
    await owner.line(/SENT SIGTERM,SIGCONT/);
    await until('nobody is left', () => family.members().length === 0);
  });

  test('sends nothing to a group that is gone, and leaves no timer', async (t) => {
    const owner = familyOf(t).owner(`
      const { once } = await import('node:events');
      const sent = [];
      const { kill } = process;
      process.kill = (pid, signal) => { if (signal) sent.push(signal); return kill.call(process, pid, signal); };
      const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      await killOwned(child, { graceMs: 60_000 });
      console.log('SENT ' + sent.join());
      await killOwned(child);
      await killOwned(child.pid);
      const quick = spawnOwned('true', { stdio: 'ignore' });
      await once(quick, 'exit');
      await killOwned(quick);
      console.log('SENT AFTER ' + sent.slice(2).join());`);
    await owner.line(/SENT SIGTERM,SIGCONT/);
    await owner.line(/SENT AFTER $/);
    // Well before the minute of grace.
    assert.deepEqual(await owner.exited, { code: 0, signal: null });
  });

  test('does nothing to a child that never started', async () => {
    const child = spawnOwned('/no/such/command');
    const failed = once(child, 'error');
    await killOwned(child);
    assert.equal(((await failed)[0] as NodeJS.ErrnoException).code, 'ENOENT');
  });

  test('refuses what would hit others', async (t) => {
    const bystander = foreignLeader(t);
    const inOurGroup = spawn('sleep', ['300'], { stdio: 'ignore' });
    const foreign = bystander.pid ?? 0;
    const refused = [
      0,
      -0,
      1,
      -1,
      NaN,
      Infinity,
      1.5,
      2 ** 32 + 1,
      process.pid,
      groupOf(process.pid) ?? 0,
      -foreign,
      foreign,
    ];
    for (const pgid of refused) await assert.rejects(killOwned(pgid), VALUE, String(pgid));
    await assert.rejects(killOwned(inOurGroup), VALUE);
    for (const wrong of [undefined, null, '5', {}, []]) {
      await assert.rejects(killOwned(wrong as never), TYPE);
    }
    assert(isAlive(foreign) && isAlive(inOurGroup.pid ?? 0));
    inOurGroup.kill('SIGKILL');
  });

  test('refuses a grace that is none, before it signals', async (t) => {
    const child = await ownedShell(t, 'echo READY; exec sleep 300');
    await assert.rejects(killOwned(child, { graceMs: 'x' as never }), { ...TYPE, message: /graceMs/ });
    await assert.rejects(killOwned(child, { graceMs: -1 }), { ...VALUE, message: /graceMs/ });
    assert(isAlive(child.pid ?? 0));
    await killOwned(child);
  });
});

describe('groups', () => {
  test('adopted by child or by number are owned until they are empty', async (t) => {
    const [child, other] = [foreignLeader(t), foreignLeader(t)];
    ownProcessGroups([child, other.pid ?? 0]);
    assert(isOwned(child.pid) && isOwned(other.pid));
    releaseProcessGroups(other);
    assert(!isOwned(other.pid));
    ownProcessGroups(other.pid ?? 0);
    await killOwned(other.pid ?? 0);
    assert(!isAlive(other.pid ?? 0) && !isOwned(other.pid));
    child.kill('SIGKILL');
    await until('the group is released', () => !isOwned(child.pid));
  });

  test('that are taken and released again and again have one listener', async (t) => {
    const [child, started] = [foreignLeader(t), spawnOwned('sleep', ['300'], { stdio: 'ignore' })];
    const counts = (): number[] => [child, started].map((each) => each.listenerCount('exit'));
    ownProcessGroups(child);
    const before = counts();
    for (let turn = 0; turn < 20; turn++) {
      releaseProcessGroups([child, started]);
      ownProcessGroups([child, started]);
    }
    assert.deepEqual(counts(), before);
    for (const each of [child, started]) {
      each.kill('SIGKILL');
      await until('the group is released', () => !isOwned(each.pid));
    }
  });

  test('are known by kill(2) alone where neither /proc nor ps(1) helps', async (t) => {
    if (process.getuid?.() !== 0 || spawnSync('unshare', ['-m', 'true']).status !== 0) {
      t.skip('needs root and unshare(1)');
      return;
    }
    const family = familyOf(t);
    const file = join(family.folder, 'owner.mjs');
    // detached-spawn: ok — its owner takes it at once, and the family ends what is left
    writeFileSync(
      file,
      `import { ownProcessGroups, owned, spawnOwned } from '${builtRuntime()}';
      import { spawn } from 'node:child_process';
      ownProcessGroups(spawn('sleep', ['300'], { detached: true, stdio: 'ignore' }));
      spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      const member = spawn('sleep', ['300'], { stdio: 'ignore' });
      try { ownProcessGroups(member); } catch ({ message }) { console.log(message); }
      member.kill();
      console.log('OWNED ' + owned().length);
      setInterval(() => {}, 1000);`,
    );
    const hidden = `mount -t tmpfs none /proc && exec ${process.execPath} ${file}`;
    const owner = family.start('unshare', ['-m', 'sh', '-c', hidden]);
    await owner.line(/leads no process group/);
    await owner.line(/OWNED 2/);
    owner.child.kill('SIGKILL');
    await until('nobody is left', () => family.members().length === 0);
  });

  test('that are none are refused, and then none is taken', (t) => {
    const child = foreignLeader(t);
    const member = spawn('sleep', ['300'], { stdio: 'ignore' });
    for (const wrong of [0, -0, 1, NaN, process.pid, member, member.pid ?? 0]) {
      assert.throws(() => {
        ownProcessGroups([child, wrong]);
      }, VALUE);
    }
    assert.throws(() => {
      ownProcessGroups('5' as never);
    }, TYPE);
    assert(!isOwned(child.pid));
    member.kill('SIGKILL');
  });

  test('that are gone already are passed over', async () => {
    // detached-spawn: ok — it ends at once by itself
    const child = spawn('true', { detached: true });
    await once(child, 'exit');
    ownProcessGroups([child, 9_999_999]);
    releaseProcessGroups([child, 9_999_999]);
    releaseProcessGroupOnceEmpty(child);
    assert(!isOwned(child.pid) && !isOwned(9_999_999));
  });

  test('stay owned while a grandchild lives, zombies not counted', async (t) => {
    const family = familyOf(t);
    const child = spawnOwned('sh', ['-c', 'sleep 300 & echo $!'], { env: family.env });
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    if (child.exitCode === null) await once(child, 'exit');
    assert(isOwned(child.pid));
    process.kill(Number(text.toString()), 'SIGKILL');
    releaseProcessGroupOnceEmpty(child.pid ?? 0);
    await until('the group is released', () => !isOwned(child.pid));
  });
});
