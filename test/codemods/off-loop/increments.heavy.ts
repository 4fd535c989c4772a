// The codemod's own work against the real driver: what was one step in a synchronous program stays one.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { betterSqlite3 } from '../../helpers/on-demand.ts';
import { Project, run } from '../project.ts';

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

describe(
  'a migrated server on better-sqlite3',
  { timeout: 600_000, skip: !isLinux && 'needs x64 Linux' },
  () => {
    it('counts 500 requests at the same time as 500', async () => {
      using project = new Project({
        'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
        'server.js': PROGRAM,
      });
      mkdirSync(join(project.folder, 'node_modules'));
      const modules = join(betterSqlite3(), 'node_modules');
      for (const [name, target] of [
        ['better-sqlite3', join(modules, 'better-sqlite3')],
        ['owned-spawn', resolve(import.meta.dirname, '../../../runtime')],
      ] as const)
        symlinkSync(target, join(project.folder, 'node_modules', name));
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
  },
);
