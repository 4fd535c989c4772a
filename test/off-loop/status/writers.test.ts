import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs, { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockOwner } from '../../../runtime/files/lock.ts';
import { patchStatus, statusFile } from '../../../runtime/off-loop/status.ts';
import { until } from '../../helpers/processes.ts';
import { folderOf, run } from '../program.ts';
import { importing, LONG, read } from './read.ts';

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
});
