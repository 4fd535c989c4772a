import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { formatMark, MARK_VARIABLE, markPrefix } from '../../runtime/process/mark.ts';
import { readStat } from '../../runtime/process/identity.ts';
import { SUPERVISOR_SCRIPT } from '../../runtime/spawn/supervisor-script.ts';
import { familyOf, isAlive, until, type Family } from '../helpers/processes.ts';
import { argv0, shells, which, type Shell } from '../helpers/shells.ts';

const NONCE = '0123456789ab';
const STUBBORN = `process.on('SIGTERM', () => console.log('TERM', Date.now())); setInterval(() => {}, 1000); console.log('READY')`;

interface Leader {
  pid: number;
  start: string;
  child: ChildProcess;
}

/** A sleeping process that leads a group. */
function leader(family: Family, options: { env?: NodeJS.ProcessEnv; uid?: number } = {}): Leader {
  const { env = {}, ...rest } = options;
  // detached-spawn: ok — the family kills it by its tag when the test ends
  const child = spawn('sleep', ['300'], {
    detached: true,
    stdio: 'ignore',
    env: { ...family.env, ...env },
    ...rest,
  });
  const pid = child.pid ?? 0;
  return { pid, start: readStat(pid)?.start ?? '', child };
}

/** Runs the script, gives it the lines and the end of its stdin; resolves to its exit code. */
async function supervise(
  shell: Shell,
  text: string,
  options: { owner?: number; outer?: number; env?: NodeJS.ProcessEnv; uid?: number; before?: string[] } = {},
): Promise<number | null> {
  const { owner = process.pid, outer = process.pid, env, uid, before = [] } = options;
  const command = [...before, shell.file, ...shell.args, '-c', SUPERVISOR_SCRIPT, 'owned-spawn'];
  const args = [...command.slice(1), String(owner), String(outer), markPrefix(4242, NONCE)];
  // detached-spawn: ok — it ends by itself when it has read its input
  const child = spawn(command[0] ?? '', args, {
    ...(before.length === 0 && { argv0: argv0(shell.name) }),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: env ?? { PATH: process.env.PATH, LC_ALL: 'C' },
    ...(uid !== undefined && { uid }),
  });
  child.stdin.end(text);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

const isRoot = process.getuid?.() === 0;

for (const shell of shells) {
  describe(`the supervisor under ${shell.name}`, () => {
    test('ends what is registered and nothing else', async (t) => {
      const family = familyOf(t);
      const [owned, unknown, released, stranger, torn, owner, outer] = Array.from({ length: 7 }, () =>
        leader(family),
      );
      assert(owned && unknown && released && stranger && torn && owner && outer);
      const touched = join(family.folder, 'touched');
      const text = [
        ...['0', '1', '-1', '01', '+5', '4294967297', '99999999', '1e3', '', '*', '/*', '..'].map(
          (id) => `+ ${id} 0 30`,
        ),
        `+ $(touch ${touched}) 0 30`,
        `+ \`touch ${touched}\` 0 30`,
        `+ 5;touch\${IFS}${touched} 0 30`,
        `+ ${stranger.pid} $(touch\${IFS}${touched}) 30`,
        `+ ${stranger.pid} ${stranger.start} x;touch\${IFS}${touched}`,
        `+ ${stranger.pid} ${stranger.start}`,
        `+ ${stranger.pid}`,
        `- *`,
        `- $(touch ${touched})`,
        `? $(touch ${touched})`,
        `? *`,
        `! *`,
        `+ ${owner.pid} ${owner.start} 30`,
        `+ ${outer.pid} ${outer.start} 30`,
        `+ ${stranger.pid} ${Number(stranger.start) + 1} 30`,
        `+ ${released.pid} ${released.start} 30`,
        `+ ${owned.pid} ${owned.start} 30`,
        `+ ${owned.pid} ${owned.start} 30`,
        `+ ${unknown.pid} 0 30`,
        `- ${released.pid}`,
        `nonsense ${stranger.pid}`,
        '',
        '\u0000\u0001\u00ff',
        `+ ${torn.pid} ${torn.start} 30`,
      ].join('\n');
      assert.equal(await supervise(shell, text, { owner: owner.pid, outer: outer.pid }), 0);
      assert.deepEqual(
        [owned, unknown].map(({ pid }) => isAlive(pid)),
        [false, false],
      );
      assert.deepEqual(
        [released, stranger, torn, owner, outer].map(({ pid }) => isAlive(pid)),
        Array(5).fill(true),
      );
      assert.equal(existsSync(touched), false);
    });

    test('gives a group that ignores TERM its grace, then KILL', async (t) => {
      const family = familyOf(t);
      const stubborn = family.start(process.execPath, ['-e', STUBBORN], { leadsGroup: true });
      await stubborn.line(/READY/);
      const start = readStat(stubborn.pid)?.start;
      await supervise(shell, `+ ${stubborn.pid} ${start} 7\n`);
      const { signal } = await stubborn.exited;
      const endedAt = Date.now();
      const [, termAt] = await stubborn.line(/TERM (\d+)/);
      assert.equal(signal, 'SIGKILL');
      assert(endedAt - Number(termAt) >= 500, `${endedAt - Number(termAt)} ms of grace`);
    });

    test('gives the grace without sleep(1) and grep(1) too', async (t) => {
      const family = familyOf(t);
      const stubborn = family.start(process.execPath, ['-e', STUBBORN], { leadsGroup: true });
      await stubborn.line(/READY/);
      await supervise(shell, `+ ${stubborn.pid} 0 7\n`, { env: { PATH: '/nowhere' } });
      assert.equal((await stubborn.exited).signal, 'SIGKILL');
      await stubborn.line(/TERM/);
    });

    test('lets the TERM handler of a stopped group run', async (t) => {
      const family = familyOf(t);
      const program = `process.on('SIGTERM', () => { console.log('TERM'); process.exit(0); }); setInterval(() => {}, 1000); console.log('READY')`;
      const stopped = family.start(process.execPath, ['-e', program], { leadsGroup: true });
      await stopped.line(/READY/);
      process.kill(stopped.pid, 'SIGSTOP');
      await supervise(shell, `+ ${stopped.pid} 0 300\n`);
      assert.deepEqual(await stopped.exited, { code: 0, signal: null });
      await stopped.line(/TERM/);
    });

    test('hunts what was announced and not settled, by its mark', async (t) => {
      const family = familyOf(t);
      const marked = (seq: number): Leader =>
        leader(family, { env: { [MARK_VARIABLE]: formatMark({ ownerPid: 4242, nonce: NONCE, seq }) } });
      const [settled, open, other] = [marked(7), marked(8), marked(88)];
      await supervise(shell, `? 7\n! 7\n? 8\n`);
      assert.deepEqual(
        [settled, open, other].map(({ pid }) => isAlive(pid)),
        [true, false, true],
      );
    });

    test('does not wait for zombies', async (t) => {
      const family = familyOf(t);
      const parent = family.start(process.execPath, [
        '-e',
        `const { pid } = require('child_process').spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
        require('fs').writeSync(1, 'CHILD ' + pid + '\\n');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
      ]);
      const pid = Number((await parent.line(/CHILD (\d+)/))[1]);
      let isOver = false;
      void supervise(shell, `+ ${pid} 0 9000\n`).then(() => (isOver = true));
      await until('the supervisor ends', () => isOver);
      assert.equal(readStat(pid)?.state, 'Z');
      assert(isAlive(parent.pid));
    });

    test('finds each of many groups again', async (t) => {
      const family = familyOf(t);
      const [owned, released] = [leader(family), leader(family)];
      // Beyond the largest pid_max: nobody has them.
      const many = Array.from({ length: 500 }, (_, index) => 9_000_000 + index);
      const text = [
        ...many.slice(0, 250).map((id) => `+ ${id} 0 30`),
        ...[owned, released].map(({ pid, start }) => `+ ${pid} ${start} 30`),
        ...[2, 3, 10, 99].map((id) => `+ 900${id} 1 30`),
        ...many.slice(250).map((id) => `+ ${id} 0 30`),
        ...many.map((id) => `- ${id}`),
        `- ${released.pid}`,
        '',
      ].join('\n');
      assert.equal(await supervise(shell, text), 0);
      assert.deepEqual(
        [owned, released].map(({ pid }) => isAlive(pid)),
        [false, true],
      );
    });

    // bash and mksh try again for 15 and 31 s first, ksh93 for ever.
    if (shell.name === 'dash' || shell.name === 'busybox') {
      test('ends what ignores TERM when fork(2) fails', async (t) => {
        const prlimit = which('prlimit');
        if (!isRoot || !prlimit) {
          t.skip('needs root and prlimit(1)');
          return;
        }
        // A user without other processes, whose limit they already reach.
        const uid = 61_000 + (process.pid % 4000);
        const family = familyOf(t);
        // detached-spawn: ok — the family kills it by its tag when the test ends
        const child = spawn('sh', ['-c', `trap '' TERM; echo READY; while :; do sleep 1; done`], {
          detached: true,
          stdio: ['ignore', 'pipe', 'ignore'],
          env: family.env,
          uid,
        });
        await once(child.stdout, 'data');
        const options = {
          uid,
          before: [prlimit, '--nproc=1'],
          env: { PATH: process.env.PATH, HOME: '/' },
        };
        await supervise(shell, `+ ${child.pid} 0 5\n`, options);
        assert.equal(await until('the child ends', () => child.signalCode), 'SIGKILL');
      });
    }
  });
}
