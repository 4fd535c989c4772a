// The codemod's own work against the real driver: what was one step in a synchronous program stays one.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { betterSqlite3 } from '../../helpers/on-demand.ts';
import { Project, run } from '../project.ts';
import { moved } from './plan.ts';

const isLinux = process.platform === 'linux' && process.arch === 'x64';

const PROGRAM = `import { createServer } from 'node:http';
import Database from 'better-sqlite3';

const db = new Database('n.db');
db.exec('create table c (n integer); insert into c values (0)');
const get = db.prepare('select n from c').pluck();
const set = db.prepare('update c set n = ?');
const increment = db.transaction(() => { set.run(get.get() + 1); });

const server = createServer(async (request, response) => {
  increment();
  response.end('done');
});
server.listen(0, async () => {
  const url = 'http://localhost:' + server.address().port;
  await Promise.all(Array.from({ length: 500 }, async () => (await fetch(url)).text()));
  console.log('TOTAL ' + get.get());
  db.close();
  server.close();
});
`;

/** Read, then written: one step by accident, and in a transaction once it is migrated. */
const COUNTER = {
  'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
  'counter.js': `import Database from 'better-sqlite3';
const db = new Database('counter.db');
db.pragma('synchronous = off');
db.exec('create table c (id integer primary key, n integer); insert into c values (1, 0)');
const get = db.prepare('select n from c where id = ?');
const set = db.prepare('update c set n = ? where id = ?');
export async function increment(id) {
  const row = get.get(id);
  if (!row) return undefined;
  set.run(row.n + 1, id);
  return row.n + 1;
}
export async function total(id) {
  return db.prepare('select n from c where id = ? order by n').get(id).n;
}
`,
  'main.js': `import { increment, total } from './counter.js';
await Promise.all(Array.from({ length: 500 }, () => increment(1)));
console.log('TOTAL ' + (await total(1)));
process.exit();
`,
};

function install(project: Project): void {
  mkdirSync(join(project.folder, 'node_modules'));
  for (const [name, target] of [
    ['better-sqlite3', join(betterSqlite3(), 'node_modules/better-sqlite3')],
    ['owned-spawn', resolve(import.meta.dirname, '../../../runtime')],
  ] as const)
    symlinkSync(target, join(project.folder, 'node_modules', name));
}

describe(
  'a migrated program on better-sqlite3',
  { timeout: 600_000, skip: !isLinux && 'needs x64 Linux' },
  () => {
    it('counts 500 requests of a server at the same time as 500', async () => {
      using project = new Project({
        'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
        'server.js': PROGRAM,
      });
      install(project);
      const before = await run(process.execPath, ['server.js'], project.folder);
      assert.match(before.stdout, /^TOTAL 500$/m, before.stderr);
      await project.git('init', '-q');
      const { code, stderr } = await project.migrate('--recipe', 'off-loop', '--write', '--allow-dirty');
      assert.equal(code, 0, stderr);
      const text = project.read('server.js');
      assert.match(text, /openDatabase\('n\.db', \{ driver: 'better-sqlite3' \}\)/);
      assert.match(text, /await increment\(\)/);
      // The first run left its table.
      const fresh = text.replaceAll('n.db', 'fresh.db');
      project.write('server.js', fresh);
      const after = await run(process.execPath, ['server.js'], project.folder);
      assert.match(after.stdout, /^TOTAL 500$/m, after.stderr);
    });

    it('counts 500 increments at the same time as 500, where it read and then wrote', async () => {
      const { texts, said } = await moved(COUNTER);
      assert.ok(
        said.some((line) => line.includes('wrapped')),
        said.join('\n'),
      );
      for (const files of [COUNTER, texts]) {
        using project = new Project(files);
        install(project);
        const { stdout, stderr } = await run(process.execPath, ['main.js'], project.folder);
        assert.match(stdout, /^TOTAL 500$/m, stderr);
      }
    });
  },
);
