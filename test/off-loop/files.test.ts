import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { acquireSteps, lockOwner, releaseSteps, withLock } from '../../runtime/files/lock.ts';
import { replaceFile, replaceSteps } from '../../runtime/files/replace.ts';
import { runSteps, runStepsSync } from '../../runtime/files/steps.ts';

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-files-'));
  t.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const ways: [name: string, replace: (path: string, data: string) => Promise<void> | void][] = [
  ['off the loop', (path, data) => replaceFile(path, data)],
  [
    'blocking, as in an exit handler',
    (path, data) => {
      runStepsSync(fs, replaceSteps(path, data, {}));
    },
  ],
];

for (const [name, replace] of ways) {
  describe(`replaceFile ${name}`, () => {
    it('writes a new file by the umask and leaves nothing beside it', async (t) => {
      const folder = folderOf(t);
      await replace(join(folder, 'a.json'), 'one');
      assert.equal(readFileSync(join(folder, 'a.json'), 'utf8'), 'one');
      writeFileSync(join(folder, 'plain'), '');
      assert.equal(statSync(join(folder, 'a.json')).mode, statSync(join(folder, 'plain')).mode);
      assert.deepEqual(readdirSync(folder).sort(), ['a.json', 'plain']);
    });

    it('keeps the mode, also one that forbids writing', async (t) => {
      const file = join(folderOf(t), 'a.json');
      writeFileSync(file, 'old');
      chmodSync(file, 0o440);
      await replace(file, 'new');
      assert.equal(statSync(file).mode & 0o777, 0o440);
      assert.equal(readFileSync(file, 'utf8'), 'new');
    });

    it('keeps a symbolic link, relative, chained or dangling', async (t) => {
      const folder = folderOf(t);
      symlinkSync('real.json', join(folder, 'near'));
      symlinkSync('near', join(folder, 'far'));
      await replace(join(folder, 'near'), 'dangling');
      assert.equal(readFileSync(join(folder, 'real.json'), 'utf8'), 'dangling');
      await replace(join(folder, 'far'), 'chained');
      assert.equal(readFileSync(join(folder, 'real.json'), 'utf8'), 'chained');
      assert.ok(
        lstatSync(join(folder, 'near')).isSymbolicLink() && lstatSync(join(folder, 'far')).isSymbolicLink(),
      );
    });

    it('leaves the old file and no litter where it fails', async (t) => {
      const folder = folderOf(t);
      writeFileSync(join(folder, 'in-the-way'), '');
      await assert.rejects(async () => replace(join(folder, 'in-the-way', 'a.json'), 'x'), {
        code: 'ENOTDIR',
      });
      await assert.rejects(async () => replace(join(folder, 'nowhere', 'a.json'), 'x'), { code: 'ENOENT' });
      assert.deepEqual(readdirSync(folder), ['in-the-way']);
    });
  });
}

describe('withLock', () => {
  it('lets one in at a time', async (t) => {
    const file = join(folderOf(t), 'counter');
    writeFileSync(file, '0');
    await Promise.all(
      Array.from({ length: 20 }, () =>
        withLock(
          file,
          async (held) => {
            assert.ok(held);
            const seen = Number(readFileSync(file, 'utf8'));
            await new Promise((resolve) => setImmediate(resolve));
            writeFileSync(file, String(seen + 1));
          },
          { waitMs: 60_000 },
        ),
      ),
    );
    assert.equal(readFileSync(file, 'utf8'), '20');
    assert.ok(!existsSync(`${file}.lock`));
  });

  it('waits no longer than it is told for a holder that lives, and leaves its lock', async (t) => {
    const file = join(folderOf(t), 'a');
    writeFileSync(`${file}.lock`, JSON.stringify(lockOwner()));
    assert.equal(await withLock(file, (held) => held, { waitMs: 50 }), false);
    assert.ok(existsSync(`${file}.lock`));
  });

  it('takes over from a dead holder, once, however many see it', async (t) => {
    const file = join(folderOf(t), 'a');
    const dead = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.once('exit', resolve));
    writeFileSync(`${file}.lock`, JSON.stringify({ ...lockOwner(), pid: dead.pid }));
    let inside = 0;
    await Promise.all(
      Array.from({ length: 10 }, () =>
        withLock(
          file,
          async (held) => {
            assert.ok(held);
            assert.equal(++inside, 1);
            await new Promise((resolve) => setImmediate(resolve));
            inside--;
          },
          { waitMs: 60_000 },
        ),
      ),
    );
  });

  it(
    'takes over from a process whose pid was given to another',
    { skip: process.platform !== 'linux' },
    async (t) => {
      const file = join(folderOf(t), 'a');
      writeFileSync(`${file}.lock`, JSON.stringify({ ...lockOwner(), start: '1' }));
      assert.equal(await withLock(file, (held) => held, { waitMs: 10_000 }), true);
    },
  );

  it('judges a holder on another machine by age alone', async (t) => {
    const file = join(folderOf(t), 'a');
    writeFileSync(`${file}.lock`, JSON.stringify({ ...lockOwner(), place: 'elsewhere', pid: 2 ** 22 }));
    assert.equal(await withLock(file, (held) => held, { waitMs: 50 }), false);
    utimesSync(`${file}.lock`, 0, 0);
    assert.equal(await withLock(file, (held) => held, { waitMs: 10_000 }), true);
  });

  it('takes over a lock whose writer died before it could sign', async (t) => {
    const file = join(folderOf(t), 'a');
    writeFileSync(`${file}.lock`, '');
    utimesSync(`${file}.lock`, 0, 0);
    assert.equal(await withLock(file, (held) => held, { waitMs: 10_000 }), true);
  });

  it('does not give back what somebody else has taken over', async (t) => {
    const file = join(folderOf(t), 'a');
    const [first, second] = [lockOwner(), lockOwner()];
    assert.ok(await runSteps(acquireSteps(file, first, {})));
    writeFileSync(`${file}.lock`, JSON.stringify(second));
    runStepsSync(fs, releaseSteps(file, first));
    assert.equal(readFileSync(`${file}.lock`, 'utf8'), JSON.stringify(second));
  });

  it('gives the lock back when the work fails', async (t) => {
    const file = join(folderOf(t), 'a');
    await assert.rejects(
      withLock(file, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.ok(!existsSync(`${file}.lock`));
  });
});
