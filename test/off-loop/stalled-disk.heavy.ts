// A public bug report (test/cases/inputs/ro-07): a disk that stalls while the program ends.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf, run, use } from './program.ts';

/** A disk that can be frozen; undefined where we may not. */
function disk(t: TestContext): { folder: string; freeze: (on: boolean) => void } | undefined {
  const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-disk-'));
  const folder = join(scratch, 'disk');
  mkdirSync(folder);
  const script =
    'dd if=/dev/zero of="$1" bs=1M count=32 status=none; mkfs.ext4 -q "$1"; mount -o loop "$1" "$2"';
  if (
    spawnSync('sh', ['-ec', script, 'sh', join(scratch, 'image'), folder], { stdio: 'ignore' }).status !== 0
  ) {
    rmSync(scratch, { recursive: true });
    return undefined;
  }
  let isFrozen = false;
  const freeze = (on: boolean): void => {
    if (on !== isFrozen) execFileSync('fsfreeze', [on ? '-f' : '-u', folder]);
    isFrozen = on;
  };
  t.after(async () => {
    freeze(false);
    // The writer may be at its last write.
    while (spawnSync('umount', [folder], { stdio: 'ignore' }).status !== 0) await sleep(100);
    rmSync(scratch, { recursive: true });
  });
  return { folder, freeze };
}

describe('ro-07: a disk that stalls at the end', { timeout: 300_000 }, () => {
  for (const end of [
    'process.exit(3)',
    `process.kill(process.pid, 'SIGTERM')`,
    'void status.exitWithin(500, 3)',
  ]) {
    it(`does not hold up ${end} with the process host, and the last stamp lands later`, async (t) => {
      const place = disk(t);
      if (!place) {
        t.skip('needs root, mkfs.ext4 and fsfreeze');
        return;
      }
      const program = run(
        t,
        folderOf(t),
        `${use('off-loop/status.ts', 'statusFile')}
        const status = statusFile(${JSON.stringify(join(place.folder, 'a.json'))}, { host: 'process', atExitMs: 500 });
        status.publish({ a: 1 });
        if (!(await status.flush(30_000))) throw new Error('no disk');
        console.log('READY');
        setInterval(() => {}, 1000);
        process.on('SIGUSR2', () => { status.publish({ a: 2 }); ${end}; });`,
      );
      await program.line(/READY/);
      place.freeze(true);
      program.child.kill('SIGUSR2');
      // That it ends at all while the disk is frozen is the point: nothing thaws it.
      const ended = await program.ended;
      assert.deepEqual(
        ended,
        end.includes('kill') ? { code: null, signal: 'SIGTERM' } : { code: 3, signal: null },
      );
      place.freeze(false);
      while (readFileSync(join(place.folder, 'a.json'), 'utf8') !== '{\n  "a": 2\n}\n') await sleep(20);
    });
  }
});
