import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OFF_LOOP_RULES } from '../../../codemods/recipes/off-loop/judged-sites.ts';
import { selection } from '../../../codemods/plan/selection.ts';
import { moved, PACKAGE } from './plan.ts';

const CALLER = `import express from 'express';
import { readFileSync } from 'node:fs';
import { load } from './lib.ts';
const app = express();
app.get('/', (req, res) => { res.send(load('x') + readFileSync('y')); });
`;
const LIB = `import { readFileSync } from 'node:fs';
export function load(file: string): string {
  return readFileSync(file, 'utf8');
}
`;
const OWN = `import { readFileSync } from 'node:fs';
export async function own(file: string) {
  return readFileSync(file);
}
`;
const FILES = { 'package.json': PACKAGE, 'caller.ts': CALLER, 'lib.ts': LIB, 'own.ts': OWN };
const select = (only: string[], skip: string[] = []) => ({ selected: selection(OFF_LOOP_RULES, only, skip) });

describe('--only and --skip', () => {
  it('leave a site that needs a file that was not asked for', async () => {
    for (const selected of [select(['lib.ts', 'own.ts']), select([], ['caller.ts'])]) {
      const { texts, said } = await moved(FILES, selected);
      assert.equal(texts['caller.ts'], CALLER);
      assert.equal(texts['lib.ts'], LIB);
      assert.match(texts['own.ts'] ?? '', /await readFile\(file\)/);
      assert.deepEqual(said, ['lib.ts:3 left outside-paths', 'own.ts:3 migrate']);
    }
  });

  it('part a set where one of its sites was not asked for', async () => {
    for (const selected of [
      select(['caller.ts', 'own.ts']),
      select([], ['lib.ts']),
      select([], ['lib.ts:3']),
      select(['caller.ts:5:51', 'own.ts:3']),
    ]) {
      const { texts, said } = await moved(FILES, selected);
      assert.match(texts['caller.ts'] ?? '', / res\.send\(load\('x'\) \+ await readFile\('y'\)\);/);
      assert.equal(texts['lib.ts'], LIB);
      assert.deepEqual(said, ['caller.ts:5 migrate', 'own.ts:3 migrate']);
    }
    const { texts, said } = await moved(FILES, select(['lib.ts:3']));
    assert.match(
      texts['caller.ts'] ?? '',
      /await load\('x'\) \+ readFileSync\('y'\)/,
      'its callers come along',
    );
    assert.deepEqual(said, ['lib.ts:3 migrate']);
  });

  it('keep the calls of a database together', async () => {
    const { texts, said } = await moved(
      {
        'package.json': PACKAGE,
        'db.ts': `import Database from 'better-sqlite3';
const db = new Database('a.db');
export async function one() { return db.prepare('select 1').get(); }
export async function two() { return db.prepare('select 2').all(); }
`,
      },
      select([], ['db.ts:4']),
    );
    assert.doesNotMatch(texts['db.ts'] ?? '', /await/);
    assert.deepEqual(said, ['db.ts:2 left declined', 'db.ts:3 left declined']);
  });

  it('neither list nor edit what was not asked for', async () => {
    const { texts, said } = await moved(FILES, select([], ['own.ts']));
    assert.equal(texts['own.ts'], OWN);
    assert.match(texts['lib.ts'] ?? '', /async function load/);
    assert.deepEqual(
      said.map((line) => line.split(':')[0]),
      ['caller.ts', 'lib.ts'],
    );
  });
});

describe('--insert-todos', () => {
  it('puts one comment above each statement that is left, and none again', async () => {
    const { texts } = await moved(
      {
        'package.json': PACKAGE,
        'a.ts': `import { spawnSync, execSync } from 'node:child_process';
export async function run(name: string) {
  const text = execSync(name).toString();
  if (text) return [spawnSync(name), spawnSync(text)];
  return spawnSync(name);
}
export async function one(name: string) { return spawnSync(name); }
`,
      },
      { todos: true },
    );
    assert.equal(
      texts['a.ts'],
      `import { spawnSync, exec } from 'node:child_process';
import { promisify } from 'node:util';
export async function run(name: string) {
  const text = (await promisify(exec)(name)).stdout.toString();
  if (text) /* owned-spawn-todo: no-twin: the API has no asynchronous form that is called alike */ return [spawnSync(name), spawnSync(text)];
  // owned-spawn-todo: no-twin: the API has no asynchronous form that is called alike
  return spawnSync(name);
}
export async function one(name: string) { /* owned-spawn-todo: no-twin: the API has no asynchronous form that is called alike */ return spawnSync(name); }
`,
    );
  });
});

describe('groups of the settings', () => {
  it('excuse blocking calls by file, package and name', async () => {
    const reason = 'nobody waits for these calls';
    const allow = [
      { from: 'file', path: 'own.ts', reason },
      { from: 'name', name: 'load', reason },
      { from: 'package', package: 'node:zlib', reason },
    ];
    const files = {
      ...FILES,
      'zip.ts': `import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
export async function zip(file: string) {
  return [gzipSync(file), readFileSync(file)];
}
`,
      'eslint.config.js': `export default [{ files: ['**/*.ts'], settings: { 'owned-spawn': { allow: ${JSON.stringify(allow)} } } }];\n`,
    };
    const { said } = await moved(files);
    assert.deepEqual(
      said.filter((line) => line.includes('allow')),
      ['lib.ts:3 suppressed allow', 'own.ts:3 suppressed allow', 'zip.ts:4 suppressed allow'],
    );
    assert.ok(said.includes('zip.ts:4 migrate'));
  });
});
