// The public bug reports that need a real driver (test/cases/inputs/ro-01, ro-10), and a disk that stalls (ro-07).
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { betterSqlite3 } from './on-demand.ts';
import { folderOf, run, use } from './program.ts';

const input = (id: string): string => fileURLToPath(new URL(`../cases/inputs/${id}`, import.meta.url));
const driver = (): string =>
  JSON.stringify({ driver: 'better-sqlite3', resolveFrom: join(betterSqlite3(), 'x.js') }).slice(1, -1);

describe('ro-01: a synchronous query behind an async signature', { timeout: 300_000 }, () => {
  it('answers /health while a search runs', async (t) => {
    const folder = folderOf(t);
    const program = run(
      t,
      folder,
      `${use('off-loop/sqlite.ts', 'openDatabase')}
      import http from 'node:http';
      const db = openDatabase(':memory:', {${driver()}});
      const heavy = db.prepare('with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select count(*) as hits from n where i % 7 = 3');
      const server = http.createServer(async (req, res) => {
        if (req.url === '/health') return void res.end('ok');
        res.end(JSON.stringify(await heavy.get(8e6)));
      });
      server.listen(0, '127.0.0.1', () => console.log('READY ' + server.address().port));`,
    );
    const port = Number((await program.line(/READY (\d+)/))[1]);
    await (await fetch(`http://127.0.0.1:${port}/health`)).text();
    const state = { isSearching: true };
    const startedAt = performance.now();
    const search = fetch(`http://127.0.0.1:${port}/search`).then(async (answer) => {
      state.isSearching = false;
      return answer.json();
    });
    const health: number[] = [];
    while (state.isSearching) {
      const askedAt = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/health`)).text();
      health.push(performance.now() - askedAt);
    }
    const tookMs = performance.now() - startedAt;
    assert.deepEqual(await search, { hits: Math.floor((8e6 - 3) / 7) + 1 });
    assert.ok(health.length > 5, `${health.length} answers while the search took ${tookMs} ms`);
    assert.ok(Math.max(...health) < tookMs / 2, `${Math.max(...health)} of ${tookMs} ms`);
  });
});

describe(
  'ro-10: a lock whose holder nobody names',
  { timeout: 300_000, skip: process.platform !== 'linux' && 'reads /proc' },
  () => {
    it('names the orphaned writer in the log, waits off the loop, and leaves the message alone', async (t) => {
      const folder = folderOf(t);
      mkdirSync(join(folder, 'case'));
      cpSync(input('ro-10'), join(folder, 'case'), { recursive: true });
      symlinkSync(join(betterSqlite3(), 'node_modules'), join(folder, 'node_modules'));
      const path = join(folder, 'a.db');
      const owner = run(t, folder, `await import(${JSON.stringify(join(folder, 'case/owner.cjs'))});`, {
        env: { CASE_DB: path },
      });
      const writer = Number((await owner.line(/READY (\d+)/))[1]);
      t.after(() => {
        process.kill(writer, 'SIGKILL');
      });
      owner.child.kill('SIGKILL');
      const next = run(
        t,
        folder,
        `${use('off-loop/sqlite.ts', 'openDatabase')}
      let beats = 0;
      setInterval(() => beats++, 20).unref();
      const db = openDatabase(${JSON.stringify(path)}, {${driver()}, timeout: 1500, log: (text) => console.log('LOG ' + text) });
      await db.prepare('insert into t values (?)').run(2).catch((error) => console.log('ERROR ' + error.code + ' ' + error.message));
      console.log('BEATS ' + beats);`,
      );
      await next.ended;
      const log = next.lines.findIndex(
        (line) =>
          line.startsWith('LOG') && line.includes(`WAL write lock on a.db-shm held by pid ${writer} (node`),
      );
      const error = next.lines.indexOf('ERROR SQLITE_BUSY database is locked');
      assert.ok(log >= 0 && error > log, next.lines.join('\n'));
      assert.equal(next.lines.filter((line) => line.startsWith('LOG')).length, 1, 'readers are not named');
      assert.ok(Number(/BEATS (\d+)/.exec(next.lines.join('\n'))?.[1]) > 15, next.lines.join('\n'));
    });
  },
);

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
