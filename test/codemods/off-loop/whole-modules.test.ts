import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved } from './plan.ts';

const MODULE = `import { readFileSync } from 'node:fs';
export function load() { return readFileSync('x', 'utf8'); }
export const size = () => 1;
`;
const COMMON = `const { readFileSync } = require('node:fs');
function load() { return readFileSync('x', 'utf8'); }
module.exports = { load, size: () => 1 };
`;

/** What becomes of `load` where a request handler calls it and a module has the whole of its module. */
async function said(name: string, user: string, other = ''): Promise<string[]> {
  const isCommon = name.endsWith('.cjs');
  const { said: its, texts } = await moved({
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
    [isCommon ? 'store.cjs' : 'store.js']: isCommon ? COMMON : MODULE,
    [name]: user,
    ...(other === '' ? {} : { 'other.js': other }),
  });
  return [...its, ...(texts[name] ?? '').split('\n').filter((line) => /await (?!import)/.test(line))];
}

const SERVE = `import { createServer } from 'node:http';
import * as store from './store.js';
createServer((req, res) => { void store.size(); });
`;
const SERVE_COMMON = `const { createServer } = require('node:http');
const store = require('./store.cjs');
`;

describe('a module that is used as a whole', () => {
  it('has its functions called by a key', async () => {
    assert.deepEqual(
      await said(
        'server.js',
        `${SERVE}export const run = (name) => { const made = store[name]() + 1; return made; };
createServer((req, res) => res.end(run(req.url) + store.load()));
`,
      ),
      [
        'store.js:2 migrate void-callback',
        'export const run = async (name) => { const made = await store[name]() + 1; return made; };',
        'createServer(async (req, res) => res.end(await run(req.url) + await store.load()));',
      ],
    );
    assert.deepEqual(
      await said(
        'server.cjs',
        `${SERVE_COMMON}createServer((req, res) => res.end(store[req.url]() + store.load()));
console.log(store[process.argv[2]]());
`,
      ),
      ['store.cjs:2 left top-level'],
    );
  });

  it('is kept where a key takes its functions and does not call them', async () => {
    for (const use of ['const fn = store[name];', 'Object.values(store).map((fn) => fn());'])
      assert.deepEqual(
        await said(
          'server.js',
          `${SERVE}const name = 'load';\n${use}\nsetInterval(() => store.load(), 9);\n`,
        ),
        ['store.js:2 left escapes'],
      );
  });

  it('is kept where something without types has a member of the name', async () => {
    const calls = `createServer((req, res) => res.end(store.load()));\n`;
    const untyped = `export const answer = (deps) => deps.store.load() + 1;\nexport const hello = (its) => its.load() + 1;\n`;
    for (const given of [
      `import { answer } from './other.js';\nanswer({ store });\n`,
      `import { hello } from './other.js';\nhello(store);\n`,
      `import { hello } from './other.js';\nhello(await import('./store.js'));\n`,
    ])
      assert.deepEqual(await said('server.js', `${SERVE}${calls}${given}`, untyped), [
        'store.js:2 left untyped-use',
      ]);
  });

  it('moves where all that names it has types, and where others have such members', async () => {
    const calls = `createServer((req, res) => res.end(store.load()));\n`;
    const awaited = 'createServer(async (req, res) => res.end(await store.load()));';
    const untyped = `export const hello = (its) => its.load() + 1;\n`;
    for (const use of ['', 'const { size } = store;\n', `console.log(typeof store, store['size']());\n`])
      assert.deepEqual(await said('server.js', `${SERVE}${calls}${use}`, untyped), [
        'store.js:2 migrate void-callback',
        awaited,
      ]);
  });
});
