import assert from 'node:assert/strict';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { forkOwned, killOwned, owned, spawnOwned } from '../../runtime/index.ts';
import { readStat } from '../../runtime/process/identity.ts';
import { which } from '../helpers/shells.ts';
import { familyOf, isAlive, until, type Owner } from '../helpers/processes.ts';

const STAY = 'setInterval(() => {}, 1000);';
const VALUE = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };
const TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };

const numbers = async (owner: Owner, pattern: RegExp): Promise<[number, number]> =>
  (await owner.line(pattern)).slice(1).map(Number) as [number, number];

async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
}

test('a wrong value of an option is named before anything starts', () => {
  for (const [options, expected] of [
    [{ strict: 1 }, TYPE],
    [{ group: 'no' }, TYPE],
    [{ session: 0 }, TYPE],
    [{ escapees: true }, VALUE],
    [{ escapees: 'slay' }, VALUE],
    [{ group: false, session: true }, VALUE],
    [{ outlives: true }, TYPE],
    [{ outlives: '' }, VALUE],
    [{ outlives: 'TODO say why it' }, VALUE],
    [{ strict: true, stdio: Array(10).fill('pipe') }, VALUE],
  ] as const) {
    const before = owned().length;
    assert.throws(() => spawnOwned('true', [], options as never), expected, JSON.stringify(options));
    assert.equal(owned().length, before);
  }
});

describe('group: false', () => {
  test('leaves the child in its owner’s group and session, and ends it with its owner all the same', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `const child = spawnOwned('sleep', ['300'], { stdio: 'ignore', group: false });
      console.log('PID ' + child.pid + ' ' + owned().length); ${STAY}`,
      { leadsGroup: true },
    );
    const [pid, count] = await numbers(owner, /PID (\d+) (\d+)/);
    assert.equal(count, 1);
    assert.equal(readStat(pid)?.pgid, owner.pid);
    const bystander = family.start('sh', ['-c', 'echo UP; exec sleep 300']);
    await bystander.line(/UP/);
    owner.child.kill('SIGKILL');
    await until('the child ends', () => !isAlive(pid));
    assert(isAlive(bystander.pid));
  });

  test('gives one that ignores TERM its grace', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `spawnOwned('sh', ['-c', 'trap "echo TERM" TERM; echo UP; while :; do read -r x </dev/zero & wait; done'.replace('read -r x </dev/zero', 'sleep 0.1')], { stdio: ['ignore', 'inherit', 'ignore'], group: false, graceMs: 500 }); ${STAY}`,
    );
    await owner.line(/UP/);
    owner.child.kill('SIGKILL');
    await owner.line(/TERM/);
    await until('nobody is left', () => family.members().length === 0);
  });

  test('is ended by killOwned, which refuses it once it is not owned', async () => {
    const child = spawnOwned('sleep', ['300'], { stdio: 'ignore', group: false });
    const pid = child.pid ?? 0;
    await killOwned(pid);
    await until('its exit is known', () => child.signalCode);
    assert.equal(child.signalCode, 'SIGTERM');
    assert(!owned().some(({ pgid }) => pgid === pid));
    const stubborn = spawnOwned('sh', ['-c', 'trap "" TERM; echo UP; while :; do sleep 0.1; done'], {
      group: false,
    });
    await once(stubborn.stdout, 'data');
    await killOwned(stubborn, { graceMs: 100 });
    assert.equal(stubborn.signalCode, 'SIGKILL');
  });

  test('leaks in no random kill', async (t) => {
    const family = familyOf(t);
    for (let run = 0; run < 5; run++) {
      const owner = family.owner(
        `const loop = () => { spawnOwned('sleep', ['300'], { stdio: 'ignore', group: false }); setImmediate(loop); };
        loop(); console.log('READY');`,
      );
      await owner.line(/READY/);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      owner.child.kill('SIGKILL');
      await owner.exited;
      await until(`run ${run} leaves nobody`, () => family.members().length === 0);
    }
  });
});

/** A shell whose jobs get groups of their own, one of them started late. */
const JOBS = `set -m; sleep 300 & (trap '' TERM; while :; do sleep 0.2; done) & echo UP; wait`;

describe('session: true', () => {
  for (const way of ['kill of the owner', 'killOwned']) {
    test(`ends every job of a shell with job control: ${way}`, async (t) => {
      const family = familyOf(t);
      const owner = family.owner(
        `const child = spawnOwned('bash', ['-c', \`${JOBS}\`], { stdio: ['ignore', 'inherit', 'ignore'], session: true, graceMs: 500 });
        process.once('SIGUSR2', () => killOwned(child).then(() => console.log('DONE ' + owned().length)));
        ${STAY}`,
      );
      await owner.line(/UP/);
      const groups = await until('three groups in a session', () => {
        const all = new Set(
          family
            .members()
            .filter(({ pid, sid }) => pid !== owner.pid && sid !== owner.pid)
            .map(({ pgid }) => pgid),
        );
        return all.size >= 3 && all;
      });
      assert(groups.size >= 3);
      if (way === 'killOwned') {
        owner.child.kill('SIGUSR2');
        await owner.line(/DONE 0/);
        await until('only the owner is left', () => family.members().length === 1);
      } else {
        owner.child.kill('SIGKILL');
        await until('nobody is left', () => family.members().length === 0);
      }
    });
  }

  test('stays owned after the end of the shell while a job lives', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `const child = spawnOwned('bash', ['-c', 'set -m; sleep 300 & echo JOB $!'], { stdio: ['ignore', 'inherit', 'ignore'], session: true });
      child.on('exit', () => setTimeout(() => console.log('OWNED ' + owned().length + ' ' + child.pid), 300)); ${STAY}`,
    );
    const [job] = await numbers(owner, /JOB (\d+)/);
    await owner.line(/OWNED 1/);
    owner.child.kill('SIGKILL');
    await until('the job ends', () => !isAlive(job));
  });
});

/** Starts one that stays in the group and two that leave it: by setsid, and by setsid and a double fork. */
const LEAVERS = `sleep 301 & setsid sleep 302 & sh -c 'setsid sleep 303 &' & echo UP; wait`;

describe('escapees', () => {
  for (const [escapees, left] of [
    ['ignore', 2],
    ['report', 2],
    ['kill', 0],
  ] as const) {
    test(`${escapees}: when the owner is killed`, async (t) => {
      const [family, control] = [familyOf(t), familyOf(t)];
      // detached-spawn: ok — the test itself ends what leaves
      const bystander = control.start('sh', ['-c', LEAVERS], { leadsGroup: true });
      await bystander.line(/UP/);
      const owner = family.owner(
        `spawnOwned('sh', ['-c', \`${LEAVERS}\`], { stdio: ['ignore', 'inherit', 'ignore'], escapees: '${escapees}', graceMs: 500 }); ${STAY}`,
      );
      await owner.line(/UP/);
      const sleepers = (): number => family.members().filter(({ comm }) => comm === 'sleep').length;
      await until('all run', () => sleepers() === 3 && control.members().length === 4);
      owner.child.kill('SIGKILL');
      await until('the group has ended', () => family.members().length === left);
      assert.equal(control.members().length, 4);
    });
  }

  test('kill: by killOwned too; report: names them', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `process.on('warning', ({ code, message }) => console.log('WARNING ' + code + ' ' + message));
      const [one, two] = ['report', 'kill'].map((escapees) =>
        spawnOwned('sh', ['-c', \`${LEAVERS}\`], { stdio: ['ignore', 'inherit', 'ignore'], escapees, label: escapees }));
      process.once('SIGUSR2', async () => { await killOwned(one); console.log('ONE'); await killOwned(two); console.log('TWO ' + owned().length); });
      ${STAY}`,
      { quiet: true },
    );
    await until('all run', () => family.members().filter(({ comm }) => comm === 'sleep').length === 6);
    const before = family.members();
    owner.child.kill('SIGUSR2');
    await owner.line(/TWO 0/);
    const left = family.members().filter(({ pid }) => pid !== owner.pid);
    assert.equal(left.length, 2);
    const [, text] = await owner.line(/WARNING OWNED_SPAWN_ESCAPEES (.*)/);
    assert.match(text ?? '', /\(report\)/);
    for (const { pid } of left) assert.match(text ?? '', new RegExp(`pid ${pid} `));
    assert(before.length === 9, String(before.length));
  });

  test('kill: keeps what left owned after the child has ended, but not what stays on purpose', async (t) => {
    const family = familyOf(t);
    const file = join(family.folder, 'nested.mjs');
    const runtime = JSON.stringify(import.meta.resolve('../../runtime/dist/index.js'));
    writeFileSync(
      file,
      `import { spawnDetached } from ${runtime};
      spawnDetached('sleep', ['304'], { stdio: 'ignore', why: 'it serves the next run too' }).unref();`,
    );
    const owner = family.owner(
      `const child = spawnOwned('sh', ['-c', 'setsid sleep 302 & ' + process.execPath + ' ${file}; exit'], { stdio: 'ignore', escapees: 'kill' });
      child.on('exit', () => setTimeout(() => console.log('OWNED ' + owned().length), 500)); ${STAY}`,
    );
    await owner.line(/OWNED 1/);
    assert.equal(family.members().length, 3);
    owner.child.kill('SIGKILL');
    const [last] = await until('one is left', () => family.members().length === 1 && family.members());
    assert(readFileSync(`/proc/${last?.pid}/cmdline`, 'utf8').includes('304'));
  });
});

describe('strict', () => {
  test('starts what it is given, as it is given', async (t) => {
    const family = familyOf(t);
    assert.equal(
      await outputOf(spawnOwned('sh', ['-c', 'echo "$0|$1|$#"', 'a b', 'c'], { strict: true })),
      'a b|c|2\n'.replace('2', '1'),
    );
    assert.equal(
      await outputOf(
        spawnOwned('echo $((1 + 2)) "$X"', { strict: true, shell: true, env: { ...process.env, X: 'y  z' } }),
      ),
      '3 y  z\n',
    );
    assert.equal(
      await outputOf(spawnOwned('echo', ['a;b'], { strict: true, stdio: ['ignore', 'pipe', 'inherit'] })),
      'a;b\n',
    );
    const [code] = (await once(
      spawnOwned('no-such-command-7', [], { strict: true, stdio: 'ignore' }),
      'exit',
    )) as [number];
    assert.equal(code, 127);
    const file = join(family.folder, 'echo.mjs');
    writeFileSync(
      file,
      `process.on('message', (message) => process.send([message, process.argv[2], process.execArgv.length]));`,
    );
    const child = forkOwned(file, ['argument'], { strict: true, execArgv: ['--no-warnings'] });
    child.send('hello');
    assert.deepEqual((await once(child, 'message'))[0], ['hello', 'argument', 1]);
    await killOwned(child);
    const fds = spawnOwned('sh', ['-c', 'ls /proc/self/fd | wc -l; cat <&4'], {
      strict: true,
      stdio: ['ignore', 'pipe', 'inherit', 'ignore', 'pipe'],
    });
    (fds.stdio[4] as NodeJS.WritableStream).end('through four\n');
    assert.match(await outputOf(fds), /^\d\nthrough four\n$/);
  });

  test('never starts a child that its owner could not register', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(
      `const { Writable } = await import('node:stream');
      // Dies in the moment between the start of the gate and the registration.
      const registry = globalThis[Symbol.for('owned-spawn/1')];
      warm();
      registry.supervisor.child.stdin.write = (text) => { if (text.startsWith('+')) process.kill(process.pid, 'SIGKILL'); return true; };
      spawnOwned('sh', ['-c', 'echo STARTED'], { stdio: ['ignore', 'inherit', 'inherit'], strict: true });`,
    );
    await owner.exited;
    await owner.closed;
    assert.deepEqual(owner.lines, []);
    await until('nobody is left', () => family.members().length === 0);
  });
});

describe('signal and timeout', () => {
  for (const [name, options, error] of [
    ['an AbortSignal', (controller: AbortController) => ({ signal: controller.signal }), 'AbortError'],
    ['a timeout', () => ({ timeout: 300 }), undefined],
  ] as const) {
    test(`${name} ends the whole group`, async (t) => {
      const family = familyOf(t);
      const controller = new AbortController();
      const errors: string[] = [];
      const child = spawnOwned('sh', ['-c', 'sleep 300 & sleep 301 & echo UP; wait'], {
        env: family.env,
        ...options(controller),
      });
      child.on('error', ({ name: each }) => errors.push(each));
      await once(child.stdout, 'data');
      controller.abort();
      if (child.signalCode === null) await once(child, 'exit');
      await until('nobody is left', () => family.members().length === 0);
      assert.equal(child.signalCode, 'SIGTERM');
      assert.deepEqual(errors, error ? [error] : []);
    });
  }

  test('killSignal is what the whole group gets first, and it has its grace', async (t) => {
    const family = familyOf(t);
    const controller = new AbortController();
    const code = `process.on('SIGINT', () => setTimeout(() => process.exit(7), 100)); setInterval(() => {}, 1e3); console.log('UP')`;
    const child = spawnOwned(
      'sh',
      ['-c', `trap '' INT; sleep 300 & exec "$0" -e "$1"`, process.execPath, code],
      {
        env: family.env,
        signal: controller.signal,
        killSignal: 'SIGINT',
        graceMs: 1500,
      },
    );
    child.on('error', () => undefined);
    await once(child.stdout, 'data');
    controller.abort();
    await once(child, 'exit');
    assert.deepEqual([child.exitCode, child.signalCode], [7, null]);
    await until('nobody is left', () => family.members().length === 0);
  });

  test('a signal that children share has one listener of ours', async () => {
    const { signal } = new AbortController();
    const added: string[] = [];
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>): void => {
      if (/endInTime|onAbort/.test(String(new Error().stack))) added.push(args[0]);
      add(...args);
    };
    const children = Array.from({ length: 5 }, () => spawnOwned('true', { stdio: 'ignore', signal }));
    assert.deepEqual(added, ['abort']);
    await Promise.all(children.map((child) => once(child, 'exit')));
  });

  test('one that is aborted already never runs on', async (t) => {
    const family = familyOf(t);
    const child = spawnOwned('sh', ['-c', 'sleep 300 & wait'], {
      env: family.env,
      stdio: 'ignore',
      signal: AbortSignal.abort(),
    });
    child.on('error', () => undefined);
    await until('nobody is left', () => family.members().length === 0);
  });
});

test('outlives: false is owned, a reason outlives', async (t) => {
  const family = familyOf(t);
  const owner = family.owner(
    `const start = (outlives) => spawnOwned('sleep', ['300'], { stdio: 'ignore', outlives }).pid;
    console.log('PIDS ' + start(false) + ' ' + start('it serves the next run too')); ${STAY}`,
  );
  const [dies, lives] = await numbers(owner, /PIDS (\d+) (\d+)/);
  owner.child.kill('SIGKILL');
  await until('the owned one ends', () => !isAlive(dies));
  assert(isAlive(lives));
});

test('an owner that is PID 1 says once that it reaps nobody', async (t) => {
  const namespace = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  if (!which('unshare') || spawnSync('unshare', [...namespace, 'true']).status !== 0) {
    t.skip('needs unshare(1)');
    return;
  }
  const family = familyOf(t);
  writeFileSync(
    join(family.folder, 'main.mjs'),
    `import { spawnOwned } from ${JSON.stringify(import.meta.resolve('../../runtime/dist/index.js'))};
    process.on('warning', ({ code }) => console.log('WARNING ' + code));
    spawnOwned('true'); spawnOwned('true'); setTimeout(() => console.log('END ' + process.pid), 300);`,
  );
  const owner = family.start('unshare', [...namespace, process.execPath, 'main.mjs'], { quiet: true });
  await owner.line(/END 1/);
  assert.deepEqual(owner.lines, ['WARNING OWNED_SPAWN_PID_1', 'END 1']);
});
