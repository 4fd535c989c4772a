import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockOwner } from '../../runtime/files/lock.ts';
import { patchStatus, statusFile, type StatusOptions } from '../../runtime/off-loop/status.ts';
import { until } from '../helpers/processes.ts';
import { folderOf, run, use } from './program.ts';

const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const importing = use('off-loop/status.ts', 'statusFile, patchStatus');
const LONG = 30_000;

for (const host of ['pool', 'process'] as const) {
  const options: StatusOptions = { host, atExit: false };
  describe(`statusFile, host ${host}`, () => {
    it('makes one write of many publishes, the newest', async (t) => {
      const path = join(folderOf(t), 'status.json');
      const status = statusFile<{ n: number; text: string }>(path, options);
      for (let n = 0; n < 100_000; n++) status.publish({ n });
      status.publish({ text: 'ä' });
      assert.ok(!existsSync(path));
      assert.ok(await status.flush(LONG));
      assert.deepEqual(read(path), { n: 99_999, text: 'ä' });
      assert.deepEqual(readdirSync(join(path, '..')), ['status.json']);
    });

    it('keeps the fields of others, and removes its own by undefined', async (t) => {
      const path = join(folderOf(t), 'status.json');
      writeFileSync(path, '{"theirs": 1, "both": "theirs"}');
      const status = statusFile(path, options);
      status.publish({ ours: 1, both: 'ours', gone: 1 });
      assert.ok(await status.flush(LONG));
      await patchStatus(path, { theirs: 2, both: 'again theirs' });
      status.publish({ ours: 2, gone: undefined });
      assert.ok(await status.flush(LONG));
      assert.deepEqual(read(path), { theirs: 2, both: 'again theirs', ours: 2 });
    });

    it('starts from all it knows where the file has gone or was cut off', async (t) => {
      const path = join(folderOf(t), 'status.json');
      const status = statusFile(path, options);
      status.publish({ a: 1, b: 1 });
      assert.ok(await status.flush(LONG));
      for (const damage of [
        () => {
          rmSync(path);
        },
        () => {
          writeFileSync(path, '{"a": 1, "b');
        },
        () => {
          writeFileSync(path, '[1]');
        },
      ]) {
        damage();
        status.publish({ b: 2 });
        assert.ok(await status.flush(LONG));
        assert.deepEqual(read(path), { a: 1, b: 2 });
      }
    });

    it('does not write what would not change the file', async (t) => {
      const path = join(folderOf(t), 'status.json');
      const status = statusFile(path, { ...options, minIntervalMs: 0 });
      status.publish({ a: { deep: [1] } });
      assert.ok(await status.flush(LONG));
      const before = statSync(path);
      for (let i = 0; i < 20; i++) {
        status.publish({ a: { deep: [1] } });
        assert.ok(await status.flush(LONG));
      }
      assert.equal(statSync(path).ino, before.ino);
      assert.equal(statSync(path).mtimeMs, before.mtimeMs);
    });

    it('tries a failed write again, with what is newest, and reports it once', async (t) => {
      const folder = join(folderOf(t), 'not-yet');
      const errors: Error[] = [];
      const status = statusFile(join(folder, 'status.json'), {
        ...options,
        minIntervalMs: 5,
        onError: (error) => errors.push(error),
      });
      status.publish({ a: 1 });
      assert.equal(await status.flush(1), false);
      while (errors.length === 0) await sleep(5);
      status.publish({ a: 2 });
      mkdirSync(folder);
      assert.ok(await status.flush(LONG));
      assert.deepEqual(read(join(folder, 'status.json')), { a: 2 });
      assert.deepEqual(
        errors.map((error) => (error as NodeJS.ErrnoException).code),
        ['ENOENT'],
      );
    });

    it('leaves out and names what JSON cannot tell, and writes the rest', async (t) => {
      const path = join(folderOf(t), 'status.json');
      const errors: string[] = [];
      const status = statusFile(path, { ...options, onError: ({ message }) => errors.push(message) });
      const ring: { self?: object } = {};
      ring.self = ring;
      status.publish({ a: 1, bytes: 1n, ring });
      assert.ok(await status.flush(LONG));
      status.publish({ b: 2 });
      assert.ok(await status.flush(Infinity));
      assert.deepEqual(read(path), { a: 1, b: 2 });
      assert.deepEqual(
        errors.map((text) => /^the field "(\w+)" is left out/.exec(text)?.[1]),
        ['bytes', 'ring'],
      );
    });

    it('means the path of its start, wherever the process goes', async (t) => {
      const folder = folderOf(t);
      const away = folderOf(t);
      const program = run(
        t,
        folder,
        `${importing}const status = statusFile('s.json', { host: '${host}' });
        process.chdir(${JSON.stringify(away)});
        status.publish({ a: 1 });
        await status.flush(${LONG});
        await status.close();`,
      );
      assert.deepEqual(await program.ended, { code: 0, signal: null });
      assert.deepEqual(read(join(folder, 's.json')), { a: 1 });
    });

    it('keeps a symbolic link and the mode', async (t) => {
      const folder = folderOf(t);
      writeFileSync(join(folder, 'real.json'), '{}');
      chmodSync(join(folder, 'real.json'), 0o600);
      symlinkSync('real.json', join(folder, 'link.json'));
      const status = statusFile(join(folder, 'link.json'), options);
      status.publish({ a: 1 });
      assert.ok(await status.flush(LONG));
      assert.ok(lstatSync(join(folder, 'link.json')).isSymbolicLink());
      assert.equal(statSync(join(folder, 'real.json')).mode & 0o777, 0o600);
      assert.deepEqual(read(join(folder, 'real.json')), { a: 1 });
    });

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

describe('statusFile', () => {
  it('writes a steady stream of changes at its interval, not at its end', async (t) => {
    const path = join(folderOf(t), 'status.json');
    const status = statusFile(path, { minIntervalMs: 30, atExit: false });
    const seen = new Set<unknown>();
    let n = 0;
    const timer = setInterval(() => {
      status.publish({ n: ++n });
    }, 1);
    while (seen.size < 4) {
      await sleep(5);
      if (existsSync(path)) seen.add(read(path).n);
    }
    clearInterval(timer);
    assert.ok(await status.flush(LONG));
    assert.equal(read(path).n, n);
  });

  it('flushes what was published before the call, though more comes all the time', async (t) => {
    const path = join(folderOf(t), 'status.json');
    const status = statusFile(path, { atExit: false });
    let n = 0;
    const timer = setInterval(() => {
      status.publish({ n: ++n });
    }, 1);
    while (n < 3) await sleep(1);
    const before = n;
    assert.ok(await status.flush(LONG));
    clearInterval(timer);
    assert.ok(Number(read(path).n) >= before);
    await status.close(LONG);
  });

  it('has one write in flight in the process, for all files', async (t) => {
    const folder = folderOf(t);
    let [open, most] = [0, 0];
    const original = fs.open;
    t.mock.method(fs, 'open', (...args: unknown[]) => {
      const done = args.pop() as (...answer: unknown[]) => void;
      most = Math.max(most, ++open);
      original(...(args as [string, string, number]), (...answer) => {
        setTimeout(() => {
          open--;
          done(...answer);
        }, 20);
      });
    });
    const files = Array.from({ length: 5 }, (_, i) =>
      statusFile(join(folder, `${i}.json`), { atExit: false }),
    );
    for (const file of files) file.publish({ a: 1 });
    assert.ok((await Promise.all(files.map((file) => file.flush(LONG)))).every(Boolean));
    assert.equal(most, 1);
  });

  it('leaves the lock to others for a while after each write, though the next one is due', async (t) => {
    const path = join(folderOf(t), 'status.json');
    const gaps: number[] = [];
    let freedAt = 0;
    const { unlink, writeFile } = fs;
    t.mock.method(fs, 'unlink', (...args: Parameters<typeof unlink>) => {
      freedAt = performance.now();
      unlink(...args);
    });
    t.mock.method(fs, 'writeFile', (...args: Parameters<typeof writeFile>) => {
      if (freedAt > 0 && String(args[0]).endsWith('.lock')) gaps.push(performance.now() - freedAt);
      writeFile(...args);
    });
    const status = statusFile(path, { atExit: false, minIntervalMs: 0 });
    let n = 0;
    const timer = setInterval(() => {
      status.publish({ n: ++n });
    }, 1);
    await until('five writes', () => gaps.length >= 5);
    clearInterval(timer);
    await status.close(LONG);
    // Who waits looks every 3 to 15 ms. The end waits for nobody.
    assert.ok(Math.min(...gaps.slice(0, 5)) > 15, gaps.join(' '));
  });

  it('waits for the lock of another writer no longer than it is told', async (t) => {
    const path = join(folderOf(t), 'status.json');
    writeFileSync(`${path}.lock`, JSON.stringify(lockOwner()));
    const errors: string[] = [];
    const status = statusFile(path, {
      atExit: false,
      lockMs: 50,
      onError: ({ message }) => errors.push(message),
    });
    status.publish({ a: 1 });
    assert.ok(await status.flush(LONG));
    assert.deepEqual(read(path), { a: 1 });
    assert.match(errors[0] ?? '', /lock was held for 50 ms/);
  });

  it('removes what killed writers of the file have left, and nothing else', async (t) => {
    const folder = folderOf(t);
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.once('exit', resolve));
    const litter = `status.json.${dead.pid ?? 0}.abc.tmp`;
    const others = [
      `status.json.${process.pid}.abc.tmp`,
      `other.json.${dead.pid ?? 0}.abc.tmp`,
      `status.json.${dead.pid ?? 0}.new.tmp`,
    ];
    for (const name of [litter, ...others]) {
      writeFileSync(join(folder, name), '');
      if (!name.includes('.new.')) utimesSync(join(folder, name), 0, 0);
    }
    const status = statusFile(join(folder, 'status.json'), { atExit: false });
    status.publish({ a: 1 });
    assert.ok(await status.flush(LONG));
    assert.deepEqual(readdirSync(folder).sort(), [...others, 'status.json'].sort());
  });

  it('loses no field to 40 patches of other processes', async (t) => {
    const folder = folderOf(t);
    const path = join(folder, 'status.json');
    const program = run(
      t,
      folder,
      `${importing}
      const status = statusFile(${JSON.stringify(path)}, { minIntervalMs: 0, lockMs: ${LONG} });
      let n = 0;
      setInterval(() => { status.publish({ n: ++n }); }, 1);
      console.log('READY');`,
    );
    await program.line(/READY/);
    for (let i = 0; i < 40; i++) await patchStatus(path, { [`stamp${i}`]: i }, { lockMs: LONG });
    const stamps = Object.keys(read(path)).filter((name) => name.startsWith('stamp'));
    assert.equal(stamps.length, 40);
  });

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
