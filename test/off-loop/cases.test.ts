// The public bug reports (test/cases/inputs/ro-*), each program moved onto the runtime.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { folderOf, run, use } from './program.ts';

const status = use('off-loop/status.ts', 'statusFile');
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

describe('ro-02: a watch loop that asks git four times a round', () => {
  const program = `${use('off-loop/cadence.ts', 'everyCadence')}
    import { execFile } from 'node:child_process';
    import { promisify } from 'node:util';
    const gitValue = (args) => promisify(execFile)(process.env.CASE_GIT, args, { encoding: 'utf8', timeout: 2_000 }).then(({ stdout }) => stdout.trim() || null, () => null);
    const questions = [['rev-parse', '--git-dir'], ['symbolic-ref', '--short', 'HEAD'], ['rev-parse', 'HEAD'], ['status', '--short']];
    let beats = 0;
    setInterval(() => beats++, 20);
    let rounds = 0;
    const cadence = everyCadence(async () => {
      const before = beats;
      const answers = [];
      for (const question of questions) answers.push(await gitValue(question));
      console.log('ROUND ' + JSON.stringify({ answers, beats: beats - before }));
      if (++rounds === 2) void cadence.stop().then(() => process.exit());
    }, { everyMs: 50 });`;

  it('gives the answers of each round, and the loop beats meanwhile', async (t) => {
    const folder = folderOf(t);
    const git = join(folder, 'git');
    writeFileSync(git, '#!/bin/sh\nsleep 0.2\necho "$1"\n', { mode: 0o755 });
    const { lines, ended } = run(t, folder, program, { env: { CASE_GIT: git } });
    assert.deepEqual(await ended, { code: 0, signal: null });
    const rounds = lines.map(
      (line) => JSON.parse(line.slice('ROUND '.length)) as { answers: string[]; beats: number },
    );
    assert.equal(rounds.length, 2);
    for (const { answers, beats } of rounds) {
      assert.deepEqual(answers, ['rev-parse', 'symbolic-ref', 'rev-parse', 'status']);
      assert.ok(beats > 4, `only ${beats} beats in 0.8 s`);
    }
  });

  it('gives up a git that hangs', async (t) => {
    const folder = folderOf(t);
    const git = join(folder, 'git');
    writeFileSync(git, '#!/bin/sh\n[ "$1" = status ] && exec sleep 600\necho "$1"\n', { mode: 0o755 });
    const hanging = run(t, folder, program, { env: { CASE_GIT: git } });
    assert.match((await hanging.line(/ROUND .*/))[0], /"rev-parse",null\]/);
  });
});

describe('ro-04: a debounce that steady changes postpone for ever', () => {
  it('writes under steady changes, and kill -9 loses little', async (t) => {
    const folder = folderOf(t);
    const path = join(folder, 'state.json');
    const program = run(
      t,
      folder,
      `${status}
      const status = statusFile(${JSON.stringify(path)});
      const state = { panes: [] };
      let n = 0;
      setInterval(() => { state.panes.push(++n); status.publish(state); console.log('CHANGE ' + n); }, 100);`,
    );
    await program.line(/CHANGE 20$/);
    // The change before the last had ten intervals' time on an idle machine; on any, some of it is there.
    program.child.kill('SIGKILL');
    await program.ended;
    const { panes } = read(path) as { panes: number[] };
    assert.ok(panes.length >= 5 && panes.every((pane, i) => pane === i + 1), `${panes.length} of 20`);
  });

  it('does not write equal content again', async (t) => {
    const folder = folderOf(t);
    const path = join(folder, 'state.json');
    const program = run(
      t,
      folder,
      `${status}
      import { statSync } from 'node:fs';
      const status = statusFile(${JSON.stringify(path)}, { minIntervalMs: 0 });
      status.publish({ panes: [1] });
      await status.flush(30_000);
      const before = statSync(${JSON.stringify(path)}).ino;
      for (let i = 0; i < 100; i++) { status.publish({ panes: [1] }); await status.flush(30_000); }
      console.log(statSync(${JSON.stringify(path)}).ino === before ? 'SAME' : 'WRITTEN');`,
    );
    await program.line(/SAME/);
    assert.ok(statSync(path).size > 0);
  });
});

describe('ro-05: writes of one file that overlap', () => {
  it('leaves the last transcript, whole, 20 times', async (t) => {
    const folder = folderOf(t);
    const program = run(
      t,
      folder,
      `${status}
      import { readFileSync } from 'node:fs';
      for (let round = 0; round < 20; round++) {
        const file = ${JSON.stringify(folder)} + '/' + round + '.json';
        const status = statusFile(file, { atExit: false });
        const messages = [];
        for (let i = 0; i < 24; i++) {
          messages.push({ i, text: 'x'.repeat(i === 23 ? 10 : 200_000) });
          status.publish({ messages });
          if (i % 6 === 0) await new Promise((resolve) => setImmediate(resolve));
          if (i === 22) messages.length = 0;
        }
        await status.flush(30_000);
        const { messages: found } = JSON.parse(readFileSync(file, 'utf8'));
        if (found.length !== 1 || found[0].i !== 23) throw new Error('round ' + round);
      }
      console.log('ALL GOOD');`,
    );
    await program.line(/ALL GOOD/);
  });

  it('reports a write that failed', async (t) => {
    const folder = folderOf(t);
    const program = run(
      t,
      folder,
      `${status}
      const status = statusFile(${JSON.stringify(join(folder, 'none/a.json'))}, { onError: (error) => { console.log('REPORTED ' + error.code); process.exit(0); }, atExit: false });
      status.publish({ a: 1 });`,
    );
    await program.line(/REPORTED ENOENT/);
  });
});

describe('ro-07: an exit listener that awaits its write', () => {
  for (const [name, end, expected] of [
    ['exit', 'process.exit(0)', { code: 0, signal: null }],
    ['SIGTERM', `process.kill(process.pid, 'SIGTERM')`, { code: null, signal: 'SIGTERM' }],
    ['SIGINT', `process.kill(process.pid, 'SIGINT')`, { code: null, signal: 'SIGINT' }],
  ] as const) {
    it(`has both lines after ${name}`, async (t) => {
      const folder = folderOf(t);
      const path = join(folder, 'log.json');
      const program = run(
        t,
        folder,
        `${status}
        const status = statusFile(${JSON.stringify(path)}, { atExitMs: 30_000 });
        const log = [];
        const record = (line) => { log.push(line); status.publish({ log }); };
        record('started');
        setInterval(() => {}, 1000);
        setTimeout(() => { record('stopping'); ${end}; }, 50);`,
      );
      assert.deepEqual(await program.ended, expected);
      assert.deepEqual(read(path), { log: ['started', 'stopping'] });
    });
  }
});

describe('ro-08: every tool server started at boot', () => {
  it('starts none before it is asked for, one however many ask, four at a time, and tries a failed one again', async (t) => {
    const folder = folderOf(t);
    const program = run(
      t,
      folder,
      `${use('off-loop/lazy.ts', 'onFirst')}${use('index.ts', 'spawnOwned, killOwned')}
      import { once } from 'node:events';
      let [started, starting, most] = [0, 0, 0];
      const connect = onFirst(async ({ name, cmd }) => {
        most = Math.max(most, ++starting);
        try {
          const child = spawnOwned(cmd, ['-c', 'exec cat'], { stdio: ['pipe', 'ignore', 'ignore'] });
          await once(child, 'spawn');
          started++;
          return child;
        } finally { starting--; }
      }, { keyOf: ({ name }) => name });
      const configured = Array.from({ length: 12 }, (_, i) => ({ name: 'tool-' + i, cmd: '/bin/sh' }));
      console.log('BEFORE ' + started);
      const same = await Promise.all(Array.from({ length: 20 }, () => connect(configured[3])));
      console.log('SAME ' + started + ' ' + new Set(same).size);
      const all = await Promise.all(configured.map((entry) => connect(entry)));
      console.log('ALL ' + started + ' ' + (most <= 4));
      const failed = await connect({ name: 'later', cmd: '/no/such/command' }).catch((error) => error.code);
      const again = await connect({ name: 'later', cmd: '/bin/sh' });
      console.log('AGAIN ' + failed + ' ' + (again.pid > 0));
      await Promise.all([...all, again].map((child) => killOwned(child)));`,
    );
    await program.ended;
    assert.deepEqual(program.lines, ['BEFORE 0', 'SAME 1 1', 'ALL 12 true', 'AGAIN ENOENT true']);
  });
});
