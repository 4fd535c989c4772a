import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { patchStatus, statusFile, type StatusOptions } from '../../../runtime/off-loop/status.ts';
import { folderOf, run } from '../program.ts';
import { importing, LONG, read } from './read.ts';

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
  });
}
