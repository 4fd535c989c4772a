import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { builtRuntime, familyOf, isAlive, until, type Owner } from '../helpers/processes.ts';

const CHILD = `spawnOwned('sleep', ['300'], { stdio: 'ignore' })`;
const REGISTRY = `const registry = globalThis[Symbol.for('owned-spawn/1')];`;

async function numberOf(owner: Owner, pattern: RegExp): Promise<number> {
  return Number((await owner.line(pattern))[1]);
}

describe('the supervisor', () => {
  test('is started again when it is killed, and knows what it knew', async (t) => {
    const family = familyOf(t);
    const control = familyOf(t).owner(`console.log('CHILD ' + ${CHILD}.pid); setInterval(() => {}, 1000)`);
    const kept = await numberOf(control, /CHILD (\d+)/);
    const owner = family.owner(`
      const released = ${CHILD};
      ${CHILD};
      releaseProcessGroups(released);
      console.log('RELEASED ' + released.pid);
      let seen = 0;
      setInterval(() => {
        const { starts, pid, state } = supervisorStatus();
        if (starts === seen || state !== 'running') return;
        seen = starts;
        console.log('START ' + starts + ' PID ' + pid);
      }, 5);`);
    const released = await numberOf(owner, /RELEASED (\d+)/);
    for (const start of [1, 2, 3]) {
      process.kill(await numberOf(owner, new RegExp(`START ${start} PID (\\d+)`)), 'SIGKILL');
    }
    const last = await numberOf(owner, /START 4 PID (\d+)/);
    owner.child.kill('SIGKILL');
    await until('only the released child is left', () => family.members().length === 1);
    assert(isAlive(released) && isAlive(kept));
    await until('the supervisor ends too', () => !isAlive(last));
  });

  test('is started again after a release whose line it lost', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`
      const [first] = [${CHILD}, ${CHILD}];
      process.kill(supervisorStatus().pid, 'SIGKILL');
      releaseProcessGroups(first);
      first.kill('SIGKILL');
      setInterval(() => supervisorStatus().starts === 2 && console.log('AGAIN'), 10);`);
    await owner.line(/AGAIN/);
    owner.child.kill('SIGKILL');
    await until('nobody is left', () => family.members().length === 0);
  });

  test('ignores the signals by which people end things', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `${CHILD}; console.log('PID ' + supervisorStatus().pid); setInterval(() => {}, 1000)`,
    );
    const pid = await numberOf(owner, /PID (\d+)/);
    for (const signal of [
      'SIGHUP',
      'SIGINT',
      'SIGQUIT',
      'SIGTERM',
      'SIGPIPE',
      'SIGTSTP',
      'SIGTTIN',
      'SIGTTOU',
    ] as const) {
      process.kill(pid, signal);
    }
    owner.child.kill('SIGKILL');
    await until('nobody is left', () => family.members().length === 0);
    await until('the supervisor ends too', () => !isAlive(pid));
  });

  for (const shell of ['/bin/false', '/no/such/shell']) {
    test(`that cannot run (${shell}) is given up with one warning, and children run on`, async (t) => {
      const family = familyOf(t);
      const owner = family.owner(
        `process.on('warning', ({ code, message }) => console.log('WARNING ' + code + ' ' + message));
        const child = ${CHILD};
        ${CHILD};
        setTimeout(() => {
          ${CHILD};
          const { state, starts, reason } = supervisorStatus();
          console.log('STATUS ' + JSON.stringify({ state, starts, reason }));
          killOwned(child).then(() => console.log('KILLED ' + child.signalCode));
        }, 300);`,
        { env: { OWNED_SPAWN_SHELL: shell }, quiet: true },
      );
      const [, text] = await owner.line(/STATUS (.*)/);
      const { state, starts, reason } = JSON.parse(text ?? '') as Record<string, unknown>;
      assert.deepEqual({ state, starts }, { state: 'gave-up', starts: 1 });
      assert(String(reason).includes(shell));
      await owner.line(/KILLED SIGTERM/);
      const warnings = owner.lines.filter((line) => line.startsWith('WARNING'));
      assert.equal(warnings.length, 1);
      assert(warnings[0]?.startsWith('WARNING OWNED_SPAWN_SUPERVISOR'));
      assert.equal(family.members().filter(({ comm }) => comm === 'sleep').length, 2);
    });
  }

  test('ends once nothing has been owned for a while, and comes back', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`
      ${REGISTRY}
      registry.supervisor.idleMs = 50;
      const once = spawnOwned('true');
      console.log('FIRST ' + supervisorStatus().pid);
      const timer = setInterval(() => {
        if (supervisorStatus().state !== 'off') return;
        clearInterval(timer);
        ${CHILD};
        console.log('SECOND ' + supervisorStatus().pid);
      }, 10);`);
    const first = await numberOf(owner, /FIRST (\d+)/);
    await owner.line(/SECOND (\d+)/);
    await until('the first ends', () => !isAlive(first));
    owner.child.kill('SIGKILL');
    await until('nobody is left', () => family.members().length === 0);
  });

  test('stays when it was warmed up', async (t) => {
    const owner = familyOf(t).owner(`
      ${REGISTRY}
      registry.supervisor.idleMs = 1;
      warm();
      const { pid } = supervisorStatus();
      spawnOwned('true').on('exit', () => setTimeout(() => console.log('SAME ' + (supervisorStatus().pid === pid)), 100));`);
    await owner.line(/SAME true/);
    assert.deepEqual(await owner.exited, { code: 0, signal: null });
  });

  test('does not crash an owner that writes to one just killed, nor keep an idle one alive', async (t) => {
    const owner = familyOf(t).owner(`
      warm();
      const child = spawnOwned('sleep', ['0.2']);
      process.kill(supervisorStatus().pid, 'SIGKILL');
      const end = Date.now() + 100;
      while (Date.now() < end);
      for (let i = 0; i < 50; i++) releaseProcessGroups(spawnOwned('true'));
      child.on('exit', () => console.log('DONE'));`);
    await owner.line(/DONE/);
    assert.deepEqual(await owner.exited, { code: 0, signal: null });
  });

  test('that was stopped has in the end every line, and holds nobody up meanwhile', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`
      const [kept, free, again] = [${CHILD}, ${CHILD}, ${CHILD}];
      process.kill(supervisorStatus().pid, 'SIGSTOP');
      const end = Date.now() + 60_000;
      while (supervisorStatus().queuedBytes < 200_000 && Date.now() < end) {
        for (let turn = 0; turn < 100; turn++) {
          releaseProcessGroups(again);
          ownProcessGroups(again);
        }
        await new Promise(setImmediate);
      }
      releaseProcessGroups(free);
      console.log('PIDS ' + [kept, free, again].map(({ pid }) => pid).join(' ') + ' ' + supervisorStatus().queuedBytes);
      process.kill(supervisorStatus().pid, 'SIGCONT');
      setInterval(() => supervisorStatus().queuedBytes === 0 && console.log('EMPTY'), 20);`);
    const [, kept, free, again, queued] = (await owner.line(/PIDS (\d+) (\d+) (\d+) (\d+)/)).map(Number);
    assert((queued ?? 0) >= 200_000);
    await owner.line(/EMPTY/);
    owner.child.kill('SIGKILL');
    await until('what is owned ends', () => !isAlive(kept ?? 0) && !isAlive(again ?? 0));
    assert(isAlive(free ?? 0), 'a released child outlives its owner');
  });

  test('ends what is owned when its owner is replaced by process.execve(), and keeps what was released', async (t) => {
    if (!('execve' in process)) {
      t.skip('this Node has no process.execve()');
      return;
    }
    const family = familyOf(t);
    const owner = family.owner(`
      const [kept, free] = [${CHILD}, ${CHILD}];
      releaseProcessGroups(free);
      console.log('PIDS ' + kept.pid + ' ' + free.pid);
      setTimeout(() => process.execve('/bin/sleep', ['sleep', '300']), 100);`);
    const [, kept, free] = (await owner.line(/PIDS (\d+) (\d+)/)).map(Number);
    await until('what is owned ends', () => !isAlive(kept ?? 0));
    assert(isAlive(free ?? 0) && isAlive(owner.pid));
    assert.equal(family.members().find(({ pid }) => pid === owner.pid)?.comm, 'sleep');
  });

  test('is one, whether the runtime is imported, required, or there in a second copy', async (t) => {
    const family = familyOf(t);
    const copy = join(family.folder, 'copy');
    cpSync(new URL('.', builtRuntime()), copy, { recursive: true });
    const owner = family.owner(`
      const { createRequire } = await import('node:module');
      const require = createRequire(import.meta.url);
      const [required, twin] = [require(new URL('${builtRuntime()}').pathname), require('${copy}/index.js')];
      const [mine, its] = [${CHILD}, twin.spawnOwned('sleep', ['300'], { stdio: 'ignore' })];
      console.log('SHARED ' + JSON.stringify([
        required.spawnOwned === spawnOwned,
        twin.spawnOwned !== spawnOwned,
        twin.supervisorStatus().pid === supervisorStatus().pid,
        owned().length,
        twin.owned().length,
        supervisorStatus().starts,
      ]));
      twin.releaseProcessGroups(mine);
      releaseProcessGroups(its);
      console.log('LEFT ' + owned().length + ' LEDGERS ' + (await import('node:fs')).readdirSync(process.env.OWNED_SPAWN_STATE_DIR).length);`);
    assert.equal((await owner.line(/SHARED (.*)/))[1], '[true,true,true,2,2,1]');
    await owner.line(/LEFT 0 LEDGERS 1/);
  });

  test('ends what a worker thread owned when the worker is terminated', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`
      const { isMainThread, Worker, parentPort } = await import('node:worker_threads');
      if (isMainThread) {
        const mine = ${CHILD};
        const worker = new Worker(new URL(import.meta.url));
        worker.on('message', (pid) => { console.log('WORKER ' + pid + ' MAIN ' + mine.pid); worker.terminate(); });
      } else {
        parentPort.postMessage(${CHILD}.pid);
        setInterval(() => {}, 1000);
      }`);
    const [, its, mine] = await owner.line(/WORKER (\d+) MAIN (\d+)/);
    await until("the worker's child ends", () => !isAlive(Number(its)));
    assert(isAlive(Number(mine)));
  });
});
