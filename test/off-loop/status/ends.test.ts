import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf, run } from '../program.ts';
import { importing, LONG, read } from './read.ts';

for (const host of ['pool', 'process'] as const) {
  describe(`the end of a program with a statusFile, host ${host}`, () => {
    it('writes last what is pending at exit, after an uncaught exception, and at a signal, and changes neither code nor signal', async (t) => {
      const folder = folderOf(t);
      const ends: [
        name: string,
        code: string,
        expected: { code: number | null; signal: NodeJS.Signals | null },
      ][] = [
        ['exit', 'process.exit(3);', { code: 3, signal: null }],
        ['throw', `throw new Error('planned');`, { code: 1, signal: null }],
        [
          'sigterm',
          `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);`,
          { code: null, signal: 'SIGTERM' },
        ],
        ['natural', '', { code: 0, signal: null }],
      ];
      await Promise.all(
        ends.map(async ([name, code, expected]) => {
          const path = join(folder, `${name}.json`);
          const program = run(
            t,
            folder,
            `${importing}
          const status = statusFile(${JSON.stringify(path)}, { host: '${host}', atExitMs: ${LONG}, minIntervalMs: 60_000 });
          status.publish({ first: 1 });
          await status.flush(${LONG});
          status.publish({ last: 1 });
          setTimeout(() => { ${code} }, 50);`,
          );
          const ended = await program.ended;
          assert.deepEqual(ended, expected, `${name}: ${program.lines.join('\n')}`);
          assert.deepEqual(read(path), { first: 1, last: 1 }, name);
        }),
      );
    });
  });
}

describe('the end of a program with a statusFile', () => {
  it('leaves a signal to whoever else listens', async (t) => {
    const folder = folderOf(t);
    const program = run(
      t,
      folder,
      `${importing}
      const status = statusFile(${JSON.stringify(join(folder, 'a.json'))});
      status.publish({ a: 1 });
      process.on('SIGTERM', () => { console.log('MINE'); process.exit(7); });
      console.log('READY');
      setInterval(() => {}, 1000);`,
    );
    await program.line(/READY/);
    program.child.kill('SIGTERM');
    assert.deepEqual(await program.ended, { code: 7, signal: null });
    assert.deepEqual(read(join(folder, 'a.json')), { a: 1 });
  });

  for (const files of [1, 3]) {
    it(`dies by a signal with ${files} files, also beside signal-exit, which waits for others as it does`, async (t) => {
      const folder = folderOf(t);
      const program = run(
        t,
        folder,
        `${importing}
        import { onExit } from ${JSON.stringify(import.meta.resolve('signal-exit'))};
        onExit(() => { console.log('ON EXIT'); });
        for (let i = 0; i < ${files}; i++) statusFile(${JSON.stringify(folder)} + '/' + i + '.json').publish({ i });
        console.log('READY');
        setInterval(() => {}, 1000);`,
      );
      await program.line(/READY/);
      program.child.kill('SIGTERM');
      assert.deepEqual(await program.ended, { code: null, signal: 'SIGTERM' });
      assert.deepEqual(read(join(folder, `${files - 1}.json`)), { i: files - 1 });
      assert.ok(program.lines.includes('ON EXIT'));
    });
  }

  it('exits with the code once all is written', async (t) => {
    const folder = folderOf(t);
    const program = run(
      t,
      folder,
      `${importing}
      const status = statusFile(${JSON.stringify(join(folder, 'a.json'))});
      status.publish({ a: 1 });
      await status.exitWithin(${LONG}, 5);`,
    );
    assert.deepEqual(await program.ended, { code: 5, signal: null });
    assert.deepEqual(read(join(folder, 'a.json')), { a: 1 });
  });

  it('is whole, and no older than the last completed flush, after kill -9 at any moment', async (t) => {
    const folder = folderOf(t);
    for (let i = 0; i < 6; i++) {
      const host = i % 2 === 0 ? 'pool' : 'process';
      // A writer process may still be at its last write when the next program starts.
      const path = join(folder, host === 'pool' ? 'status.json' : `status-${i}.json`);
      const program = run(
        t,
        folder,
        `${importing}
        const status = statusFile(${JSON.stringify(path)}, { host: '${host}', minIntervalMs: 0 });
        for (let n = ${i} * 1e6; ; n++) { status.publish({ n, text: 'x'.repeat(n % 5000) }); if (await status.flush(${LONG})) console.log('FLUSHED ' + n); }`,
      );
      await program.line(/FLUSHED/);
      await sleep(Math.random() * 60);
      program.child.kill('SIGKILL');
      await program.ended;
      const flushed = program.lines.map((line) => Number(/FLUSHED (\d+)/.exec(line)?.[1] ?? 0));
      const { n, text } = read(path) as { n: number; text: string };
      assert.ok(n >= Math.max(...flushed), `${n} is older than ${Math.max(...flushed)}`);
      assert.equal(text.length, n % 5000);
    }
  });
});
