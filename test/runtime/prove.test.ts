import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { terminal } from '../../runtime/cli/terminal.ts';
import { parseFlags } from '../../runtime/cli/flags.ts';
import { command } from '../../runtime/commands/prove.ts';
import { readStat } from '../../runtime/process/identity.ts';
import type { Outcome } from '../../runtime/prove/outcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUNTIME = new URL('../../runtime/index.ts', import.meta.url).href;
const BIN = join(ROOT, 'runtime/bin/owned-spawn.js');

const PRELUDE = `
  import { spawn } from 'node:child_process';
  import { spawnOwned, spawnDetached } from '${RUNTIME}';
  const stdio = 'ignore';
  setInterval(() => {}, 60_000);
  const up = () => console.log('up');
`;
const LISTEN = `
  import { createServer } from 'node:http';
  createServer().listen(0, '127.0.0.1', () => console.log('listening'));
`;

const PROGRAMS = {
  leaky: `
    spawn('sleep', ['7101'], { stdio });
    spawn('sh', ['-c', 'sh -c "setsid sleep 7102 & exit" & sleep 0.2'], { stdio });
    spawn('sh', ['-c', 'trap "" TERM; sleep 7103; exit'], { stdio, detached: true });
    spawn('env', ['-i', 'setsid', 'sleep', '7104'], { stdio });
    spawn(process.execPath, ['listen.mjs'], { detached: true }).stdout.once('data', up);
  `,
  owned: `
    spawnOwned('sleep', ['7201'], { stdio });
    spawnOwned('sh', ['-c', 'sleep 7202 & sleep 7203; exit'], { stdio });
    spawnOwned(process.execPath, ['listen.mjs']).stdout.once('data', up);
  `,
  deliberate: `
    spawnOwned('sleep', ['7301'], { stdio });
    spawnDetached('sh', ['-c', 'sleep 7302 & sleep 7303; exit'], { stdio, why: 'the export must be finished' });
    up();
  `,
  childless: '',
  graceful: `
    const child = spawn('sleep', ['7401'], { stdio });
    process.on('SIGTERM', () => { child.kill(); child.once('exit', () => process.exit(0)); });
    up();
  `,
  stubborn: `process.on('SIGTERM', () => {}); up();`,
  brief: `console.log('cannot go on'); process.exit(3);`,
  chatty: `setInterval(() => console.log('working'), 50);`,
};

let folder: string;
const bystander = spawn('sleep', ['86400'], { stdio: 'ignore' });
const bystanderStart = readStat(bystander.pid ?? 0)?.start;

/** The living processes whose environment holds a text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`];
      } catch {
        return [];
      }
    });
}

/** An environment that tells this test's processes; at its end none may be left, and the bystander must be there. */
function markedEnvironment(t: TestContext): NodeJS.ProcessEnv & { PROVE_TEST: string } {
  const env = { ...process.env, PROVE_TEST: randomUUID() };
  t.after(() => {
    assert.deepEqual(processesWith(env.PROVE_TEST), [], 'nothing that prove started is left');
    assert.equal(readStat(bystander.pid ?? 0)?.start, bystanderStart, 'the bystander is untouched');
  });
  return env;
}

const isRunning = (pid: number): boolean => !['Z', 'X', undefined].includes(readStat(pid)?.state);

async function until(what: string, condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !condition(); await sleep(20))
    assert.ok(Date.now() < deadline, `waited in vain until ${what}`);
}

const argv = (flags: string[], program: keyof typeof PROGRAMS): string[] => [
  ...flags,
  ...(flags.some((flag) => flag.startsWith('--ready')) ? [] : ['--ready-text', 'up']),
  '--',
  process.execPath,
  '--import',
  'tsx',
  join(folder, `${program}.mjs`),
];

async function prove(
  t: TestContext,
  line: string[],
  more: NodeJS.ProcessEnv = {},
): Promise<{ code: number; out: string; err: string; outcome: Outcome }> {
  const { values, positionals } = parseFlags(command.flags, line);
  const text = { out: '', err: '' };
  const sink = (to: keyof typeof text): ReturnType<typeof terminal> =>
    terminal({ write: (part: string) => (text[to] += part) }, {});
  const code = await command.run(values, positionals, {
    cwd: ROOT,
    env: { ...markedEnvironment(t), ...more },
    out: sink('out'),
    err: sink('err'),
    signal: new AbortController().signal,
  });
  const outcome = (line.includes('--json') ? JSON.parse(text.out) : {}) as Outcome;
  return { code, ...text, outcome };
}

describe(
  'owned-spawn prove',
  { skip: process.platform === 'linux' ? false : 'looks into /proc', concurrency: 4 },
  () => {
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'prove-test-'));
      writeFileSync(join(folder, 'listen.mjs'), LISTEN);
      for (const [name, text] of Object.entries(PROGRAMS)) {
        const code = `${PRELUDE}${text}`.replaceAll("'listen.mjs'", `'${join(folder, 'listen.mjs')}'`);
        writeFileSync(join(folder, `${name}.mjs`), code);
      }
    });
    after(() => {
      bystander.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });

    it('finds what outlives a leaky program, by whatever way it left', async (t) => {
      const { code, outcome } = await prove(t, argv(['--json', '--wait', '1'], 'leaky'));
      assert.equal(code, 1);
      assert.equal(outcome.verdict, 'survivors');
      const commands = outcome.survivors.map(({ command: each }) => each);
      for (const seconds of ['7101', '7102', '7103', '7104'])
        assert.ok(commands.includes(`sleep ${seconds}`), `${seconds} of ${commands.join(', ')}`);
      const [listener, ...others] = outcome.families.filter(({ ports }) => ports.length > 0);
      assert.deepEqual([listener?.family, others], ['node listen.mjs', []]);
      assert.deepEqual(outcome.control, { before: outcome.control.before, after: outcome.control.before });
      assert.ok(outcome.control.before >= 4);
      for (const { pid } of outcome.survivors) assert.ok(!isRunning(pid), `${pid} was ended`);
    });

    it('shows families, survivors and the verdict as text', async (t) => {
      const { code, out } = await prove(t, argv(['--wait', '1'], 'leaky'));
      assert.equal(code, 1);
      assert.match(out, /^Killed `.*leaky\.mjs` with SIGKILL\.$/m);
      assert.match(out, /^family +before +after +ports still taken +last death +outlives because$/m);
      assert.match(out, /^node listen\.mjs +1 +1 +\d+ /m);
      assert.match(out, /^\(control\) +(\d+) +\1 .*untouched$/m);
      assert.match(out, /^ {2}\d+ +sleep 7102$/m);
    });

    it('has nothing against a program that owns its children', async (t) => {
      const { code, outcome } = await prove(t, argv(['--json'], 'owned'));
      assert.deepEqual(outcome.survivors, []);
      assert.equal(code, 0);
      assert.equal(outcome.verdict, 'clean');
      for (const family of outcome.families.filter((each) => each.before > 0))
        assert.ok(family.lastDeathMs !== null, `${family.family} died`);
      assert.deepEqual(
        outcome.families.filter(({ before: count }) => count > 0).map(({ family }) => family),
        ['owned-spawn supervisor', 'sleep', 'sh sleep 7202 & sleep 7203; exit', 'node listen.mjs'],
      );
    });

    it('names the deliberate survivors with their reason', async (t) => {
      const { code, outcome } = await prove(t, argv(['--json'], 'deliberate'));
      assert.equal(code, 0);
      assert.deepEqual(
        outcome.survivors.map(({ family, reason }) => [family, reason]),
        Array.from({ length: 3 }, () => ['sh sleep 7302 & sleep 7303; exit', 'the export must be finished']),
      );
      assert.deepEqual(
        outcome.families
          .filter((each) => each.after > 0)
          .map((each) => [each.after, each.deliberate, each.reason]),
        [[3, 3, 'the export must be finished']],
      );
    });

    it('counts only reasons that were given below the program', async (t) => {
      const { code, outcome } = await prove(t, argv(['--json', '--wait', '0.5'], 'leaky'), {
        OWNED_SPAWN_MARK: '1.0123456789ab.1:somebody%20else;',
      });
      assert.equal(code, 1);
      assert.deepEqual([...new Set(outcome.survivors.map(({ reason }) => reason))], [null]);
    });

    it('leaves the survivors on request', async (t) => {
      const { outcome, err } = await prove(t, argv(['--json', '--wait', '0.5', '--leave'], 'leaky'));
      try {
        assert.deepEqual(
          outcome.left,
          outcome.survivors.map(({ pid }) => pid),
        );
        assert.ok(outcome.left.length >= 5);
        for (const pid of outcome.left) assert.ok(isRunning(pid), `${pid} runs on`);
      } finally {
        for (const pid of outcome.left) process.kill(pid, 'SIGKILL');
        rmSync(dirname(/goes to (.*)/.exec(err)?.[1] ?? ''), { recursive: true });
      }
      await until('they are gone', () => !outcome.left.some(isRunning));
    });

    it('says so when nothing was there to be left', async (t) => {
      const { code, out } = await prove(t, argv(['--ready-timeout', '60'], 'childless'));
      assert.equal(code, 0);
      assert.match(out, /had started no process/);
    });

    it('asks a program to end with --by exit', async (t) => {
      const { code, outcome } = await prove(t, argv(['--json', '--by', 'exit'], 'graceful'));
      assert.equal(code, 0);
      assert.deepEqual(
        outcome.families.map(({ family, before: n, after: m }) => [family, n, m]),
        [['sleep', 1, 0]],
      );
    });

    it('waits for text', async (t) => {
      const { code, err } = await prove(t, argv(['--ready-text', 'working', '--verbose'], 'chatty'));
      assert.equal(code, 0);
      assert.match(err, /working\nworking/);
    });

    it('waits for a port', async (t) => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      const { port } = probe.address() as AddressInfo;
      const line = ['--ready-port', String(port), '--', process.execPath, '-e'];
      await assert.rejects(prove(t, [...line, '0']), { name: 'UserError', message: /is taken already/ });
      probe.close();
      await once(probe, 'close');
      const late = `setTimeout(() => require('net').createServer().listen(${port}, '127.0.0.1'), 300)`;
      assert.equal((await prove(t, [...line, late])).code, 0);
    });

    const failures: [string, () => string[], RegExp][] = [
      ['no command', () => [], /which program/],
      [
        'a command that does not exist',
        () => ['--', 'no-such-command-7'],
        /could not start "no-such-command-7": there is no such command/,
      ],
      ['a file that may not be executed', () => ['--', join(folder, 'leaky.mjs')], /may not be executed/],
      [
        'a program that ends by itself',
        () => argv(['--ready-timeout', '60'], 'brief'),
        /ended with code 3 before it could be killed/,
      ],
      [
        'text that never comes',
        () => argv(['--ready-text', 'never', '--ready-timeout', '1'], 'leaky'),
        /not ready within 1 s \(waited for the text "never"\)/,
      ],
      [
        'a program that is never quiet',
        () => argv(['--ready-timeout', '3'], 'chatty'),
        /not ready within 3 s/,
      ],
      [
        'a program that does not end when asked',
        () => argv(['--by', 'exit', '--wait', '1'], 'stubborn'),
        /SIGTERM did not end the program within 1 s/,
      ],
    ];
    for (const [what, line, message] of failures) {
      it(`could not: ${what}`, async (t) => {
        await assert.rejects(prove(t, line()), { name: 'UserError', message });
      });
    }

    for (const times of [1, 2]) {
      it(`leaves nothing after ${times === 1 ? 'one Ctrl-C' : 'an impatient Ctrl-C'}`, async (t) => {
        const env = markedEnvironment(t);
        const child = spawn(process.execPath, [BIN, 'prove', ...argv(['--ready-text', 'never'], 'leaky')], {
          cwd: ROOT,
          env,
          stdio: 'ignore',
        });
        const exit = once(child, 'exit');
        const running = (): number => processesWith(env.PROVE_TEST).length;
        await until('the program has started everything', () =>
          processesWith(env.PROVE_TEST).some((each) => each.includes('listen.mjs')),
        );
        const most = running();
        child.kill('SIGINT');
        if (times === 2) {
          await until('the first was heard', () => running() < most);
          child.kill('SIGINT');
        }
        assert.deepEqual(await exit, [130, null]);
      });
    }

    it('leaves nothing after its own kill -9', async (t) => {
      const env = markedEnvironment(t);
      const child = spawn(process.execPath, [BIN, 'prove', ...argv(['--wait', '60'], 'leaky')], {
        cwd: ROOT,
        env,
        stdio: 'ignore',
      });
      const hasOwner = (): boolean =>
        processesWith(env.PROVE_TEST).some(
          (each) => each.endsWith('leaky.mjs ') && !each.includes(' prove '),
        );
      await until('the owner lives', hasOwner);
      await until('prove has killed it', () => !hasOwner());
      child.kill('SIGKILL');
      await until('nothing is left', () => processesWith(env.PROVE_TEST).length === 0);
    });
  },
);
