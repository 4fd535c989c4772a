import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { folderOf, run, use } from './program.ts';
import { betterSqlite3, otherNodes } from '../helpers/on-demand.ts';

const suite = readdirSync(join(import.meta.dirname, 'sqlite'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(import.meta.dirname, 'sqlite', name));
const isLinux = process.platform === 'linux' && process.arch === 'x64';
const hasBuiltin = Number(process.versions.node.split('.')[0]) >= 22;

async function passes(node: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['--import', 'tsx', '--test', '--test-timeout=600000', ...suite];
  const { stdout } = await promisify(execFile)(node, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    maxBuffer: 1e8,
  }).catch((error: unknown) => assert.fail((error as { stdout: string }).stdout));
  assert.match(stdout, /(?:#|ℹ) fail 0/);
  assert.doesNotMatch(stdout, /(?:#|ℹ) tests 0/);
}

describe(
  'the facade against real drivers',
  { timeout: 1_200_000, skip: !isLinux && 'needs x64 Linux' },
  () => {
    it(`better-sqlite3 12 on Node ${process.versions.node}`, async () => {
      await passes(process.execPath, {
        OWNED_SPAWN_DRIVER: 'better-sqlite3',
        OWNED_SPAWN_RESOLVE_FROM: join(betterSqlite3(), 'x.js'),
      });
    });
    for (const [major, node] of Object.entries(otherNodes())) {
      it(`node:sqlite on Node ${major}`, async () => {
        await passes(node, { OWNED_SPAWN_DRIVER: 'node:sqlite' });
      });
    }
  },
);

describe('a second SQLite in the process', { timeout: 600_000, skip: !isLinux && 'needs x64 Linux' }, () => {
  it('is refused in a thread, and kept away from by a process', async (t) => {
    const folder = folderOf(t);
    cpSync(join(betterSqlite3(), 'node_modules'), join(folder, 'node_modules'), { recursive: true });
    const program = run(
      t,
      folder,
      `${use('off-loop/sqlite.ts', 'openDatabase')}
      import { createRequire } from 'node:module';
      const Other = createRequire(process.cwd() + '/x.js')('better-sqlite3');
      new Other('other.db').exec('create table t (a)');
      const options = { driver: 'better-sqlite3', resolveFrom: ${JSON.stringify(join(betterSqlite3(), 'x.js'))} };
      try { openDatabase('a.db', { ...options, host: 'thread' }); } catch (error) { console.log('REFUSED ' + error.code + ' ' + error.message); }
      const db = openDatabase('a.db', { ...options, log: (text) => console.log('LOG ' + text) });
      console.log('ANSWER ' + (await db.prepare('select 7 as n').get()).n);
      const same = openDatabase('b.db', { driver: 'better-sqlite3', resolveFrom: process.cwd() + '/x.js', host: 'thread' });
      console.log('SAME BUILD ' + (await same.prepare('select 8 as n').get()).n);`,
    );
    await program.line(/REFUSED ERR_OWNED_SPAWN_SECOND_SQLITE/);
    await program.line(/LOG .*Its host is therefore a process/);
    await program.line(/ANSWER 7/);
    await program.line(/SAME BUILD 8/);
  });
});

describe(
  '500 concurrent read-modify-writes',
  { timeout: 600_000, skip: !isLinux && 'needs x64 Linux' },
  () => {
    for (const host of ['thread', 'process'] as const) {
      it(`give 500, host ${host}`, async (t) => {
        const options = hasBuiltin
          ? { host }
          : { host, driver: 'better-sqlite3', resolveFrom: join(betterSqlite3(), 'x.js') };
        const program = run(
          t,
          folderOf(t),
          `${use('off-loop/sqlite.ts', 'openDatabase')}
        const db = openDatabase('a.db', ${JSON.stringify(options)});
        await db.pragma('journal_mode = WAL');
        await db.exec('create table c (n integer); insert into c values (0)');
        const get = db.prepare('select n from c').pluck();
        const set = db.prepare('update c set n = ?');
        const increment = db.transaction(async () => { await set.run(await get.get() + 1); });
        await Promise.all(Array.from({ length: 500 }, () => increment()));
        console.log('TOTAL ' + await get.get());`,
        );
        assert.equal((await program.line(/TOTAL (\d+)/))[1], '500');
      });
    }
  },
);
