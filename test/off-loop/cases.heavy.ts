// The public bug reports that need a real driver (test/cases/inputs/ro-01, ro-10).
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { betterSqlite3 } from '../helpers/on-demand.ts';
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
