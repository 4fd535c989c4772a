import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../runtime/cli/command.ts';
import { command } from '../../runtime/commands/run-if-changed.ts';
import { runIfChanged, type ChangedOptions } from '../../runtime/off-loop/changed.ts';
import { isAlive, until } from '../helpers/processes.ts';
import { contextIn } from './context.ts';
import { folderOf } from './program.ts';

function project(cwd: string): ChangedOptions {
  writeFileSync(join(cwd, 'a.json'), '1');
  mkdirSync(join(cwd, 'src/deep'), { recursive: true });
  writeFileSync(join(cwd, 'src/deep/b.ts'), '1');
  return { inputs: ['a.json', 'src', 'later'], present: ['out'], stamp: 'out/stamp.json', cwd };
}

describe('runIfChanged', () => {
  it('runs for content, existence and key, not for time, and says why', async (t) => {
    const cwd = folderOf(t);
    const options = project(cwd);
    const make = (): void => void mkdirSync(join(cwd, 'out'), { recursive: true });
    const reasonAfter = async (change: () => void, more: Partial<ChangedOptions> = {}): Promise<string> => {
      change();
      const { ran, reason } = await runIfChanged({ ...options, ...more }, make);
      assert.equal(ran, reason !== 'unchanged');
      return reason;
    };
    const nothing = (): void => undefined;
    assert.equal(await reasonAfter(nothing), 'missing: out');
    assert.equal(await reasonAfter(nothing), 'unchanged');
    assert.equal(
      await reasonAfter(() => {
        utimesSync(join(cwd, 'a.json'), 0, 0);
      }),
      'unchanged',
    );
    assert.equal(
      await reasonAfter(() => {
        writeFileSync(join(cwd, 'a.json'), '2');
      }),
      'changed: a.json',
    );
    assert.equal(
      await reasonAfter(() => {
        writeFileSync(join(cwd, 'src/deep/c.ts'), '');
      }),
      'changed: src/deep/, src/deep/c.ts',
    );
    assert.equal(
      await reasonAfter(() => {
        rmSync(join(cwd, 'src/deep/c.ts'));
      }),
      'changed: src/deep/, src/deep/c.ts',
    );
    assert.equal(
      await reasonAfter(() => {
        writeFileSync(join(cwd, 'later'), '');
      }),
      'changed: later',
    );
    assert.equal(
      await reasonAfter(() => {
        rmSync(join(cwd, 'out'), { recursive: true });
      }),
      'missing: out',
    );
    assert.equal(await reasonAfter(nothing, { key: 'node 22' }), 'changed: the command');
    assert.equal(
      await reasonAfter(() => {
        writeFileSync(join(cwd, 'out/stamp.json'), '{"version": 0}');
      }),
      'first run',
    );
    assert.equal(await reasonAfter(nothing), 'unchanged');
  });

  it('runs again after a failure, and after an input changed under the run', async (t) => {
    const cwd = folderOf(t);
    const options = { ...project(cwd), present: [] };
    await assert.rejects(
      runIfChanged(options, () => Promise.reject(new Error('planned'))),
      /planned/,
    );
    assert.equal(
      (
        await runIfChanged(options, () => {
          appendFileSync(join(cwd, 'a.json'), ' ');
          return 7;
        })
      ).value,
      7,
    );
    assert.deepEqual(await runIfChanged(options, () => 8), {
      ran: true,
      reason: 'changed: a.json',
      value: 8,
    });
    writeFileSync(join(cwd, 'a.json'), '3');
    await assert.rejects(runIfChanged(options, () => Promise.reject(new Error('planned'))));
    writeFileSync(join(cwd, 'a.json'), '1 ');
    assert.equal(
      (await runIfChanged(options, () => 9)).ran,
      true,
      'a failed run leaves things as nobody knows',
    );
  });

  it(
    'reads each folder once however links lead to it, and waits for no FIFO',
    { skip: process.platform === 'win32' },
    async (t) => {
      const cwd = folderOf(t);
      const options = project(cwd);
      for (const link of ['src/up', 'src/deep/up', 'src/deep/self'])
        symlinkSync(link.endsWith('self') ? '.' : '..', join(cwd, link));
      execFileSync('mkfifo', [join(cwd, 'src/fifo')]);
      const made = { ...options, present: [] };
      assert.equal((await runIfChanged(made, () => 1)).reason, 'first run');
      assert.equal((await runIfChanged(made, () => 1)).reason, 'unchanged');
      writeFileSync(join(cwd, 'src/deep/b.ts'), '2');
      assert.match((await runIfChanged(made, () => 1)).reason, /^changed: src\/deep\/b\.ts/);
    },
  );

  it('does not take its stamp and its lock for inputs', async (t) => {
    for (const stamp of ['.stamp.json', '.cache/deep/stamp.json']) {
      const cwd = folderOf(t);
      writeFileSync(join(cwd, 'a'), '1');
      for (const inputs of [['.'], [cwd]]) {
        const reasonNow = async (): Promise<string> =>
          (await runIfChanged({ inputs, stamp, cwd }, () => 1)).reason;
        assert.notEqual(await reasonNow(), 'unchanged');
        assert.equal(await reasonNow(), 'unchanged');
      }
    }
  });

  it('makes one run of several at once', async (t) => {
    const cwd = folderOf(t);
    const options = { ...project(cwd), present: [] };
    let runs = 0;
    const all = await Promise.all(
      Array.from({ length: 5 }, () =>
        runIfChanged(options, async () => {
          runs++;
          await turn();
        }),
      ),
    );
    assert.equal(runs, 1);
    assert.equal(all.filter(({ ran }) => ran).length, 1);
  });

  it('makes one run of two where the second comes when the folder of the stamp is there', async (t) => {
    const cwd = folderOf(t);
    const options = { ...project(cwd), present: [] };
    let runs = 0;
    let second: Promise<unknown> | undefined;
    const work = async (): Promise<void> => {
      runs++;
      mkdirSync(join(cwd, 'out'));
      second ??= runIfChanged(options, work);
      await Promise.race([second, sleep(300)]);
    };
    await runIfChanged(options, work);
    await second;
    assert.equal(runs, 1);
  });
});

const run = (values: object, ...rest: [string[], Context]): Promise<number> => command.run(values, ...rest);

describe('owned-spawn run-if-changed', () => {
  const node = [process.execPath, '-e'] as const;

  it('runs, skips, runs with --force, and passes the code on', async (t) => {
    const cwd = folderOf(t);
    writeFileSync(join(cwd, 'in'), '1');
    const log = join(cwd, 'log');
    const values = { input: ['in'], stamp: 'stamp' };
    const runWith = (more: object, code: string): Promise<number> =>
      run({ ...values, ...more }, [...node, code], contextIn(cwd).context);
    const note = `require('fs').appendFileSync(${JSON.stringify(log)}, 'x')`;
    assert.equal(await runWith({}, note), 0);
    assert.equal(await runWith({}, note), 0);
    assert.equal(readFileSync(log, 'utf8'), 'x');
    assert.equal(await runWith({ force: true }, note), 0);
    assert.equal(await runWith({}, note), 0);
    assert.equal(readFileSync(log, 'utf8'), 'xx');
    assert.equal(await runWith({}, 'process.exit(9)'), 9);
    assert.equal(await runWith({}, 'process.exit(9)'), 9);
    assert.equal(await runWith({}, `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`), 143);
  });

  it('takes its command along when it is killed: the next run must not meet it', async (t) => {
    const cwd = folderOf(t);
    writeFileSync(join(cwd, 'in'), '1');
    const bin = fileURLToPath(new URL('../../runtime/bin/owned-spawn.js', import.meta.url));
    const flags = ['run-if-changed', '--input', 'in', '--stamp', 's', '--'];
    const code = 'console.log(process.pid); setInterval(() => {}, 1e3)';
    const child = spawn(process.execPath, [bin, ...flags, ...node, code], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(line);
    child.kill('SIGKILL');
    await until('the command is gone', () => !isAlive(pid));
  });

  it('knows what an install reads and makes', async (t) => {
    const cwd = folderOf(t);
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\nmkdir -p node_modules; echo x >> log\n`, { mode: 0o755 });
    writeFileSync(join(cwd, 'package.json'), '{}');
    const { context } = contextIn(cwd);
    const install = (...args: string[]): Promise<number> =>
      run({}, ['npm', ...args], {
        ...context,
        env: { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}` },
      });
    const runs = (): number => readFileSync(join(cwd, 'log'), 'utf8').length / 2;
    assert.equal(await install('ci'), 0);
    assert.equal(await install('ci'), 0);
    assert.equal(runs(), 1);
    writeFileSync(join(cwd, 'package-lock.json'), '{}');
    assert.equal(await install('ci'), 0);
    assert.equal(runs(), 2);
    rmSync(join(cwd, 'node_modules'), { recursive: true });
    assert.equal(await install('ci'), 0);
    assert.equal(runs(), 3);
    assert.ok(existsSync(join(cwd, 'node_modules')));
    await assert.rejects(install('run', 'build'), { name: 'UserError' });
  });

  it('tells what is missing', async (t) => {
    const { context } = contextIn(folderOf(t));
    await assert.rejects(run({}, [], context), { name: 'UserError', message: /which command/ });
    await assert.rejects(run({ input: ['a'] }, ['make'], context), {
      name: 'UserError',
      message: /stamp/,
    });
    await assert.rejects(run({ input: ['a'], stamp: 's' }, ['no-such-command-here'], context), {
      name: 'UserError',
      message: /there is no command/,
    });
  });
});
