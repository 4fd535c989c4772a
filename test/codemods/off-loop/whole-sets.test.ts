import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

const app = (files: Record<string, string>): Record<string, string> => ({
  'package.json': PACKAGE,
  ...files,
});

describe('sets are left whole', () => {
  const reasons = async (files: Record<string, string>, options = {}): Promise<Record<string, string>> => {
    const { texts, sites } = await moved(files, options);
    for (const [name, text] of Object.entries(files)) assert.equal(texts[name], text, name);
    return Object.fromEntries(
      sites.map(({ symbol, reason = '', short = '' }) => [symbol, `${reason}: ${short}`]),
    );
  };

  it('where one caller cannot wait, or is not known', async () => {
    const said = await reasons(
      app({
        'a.ts': `import { readFileSync } from 'node:fs';
import { EventEmitter } from 'node:events';
function made(file: string) { return readFileSync(file); }
class Made { data = 1; constructor() { this.data = made('x').length; } }
function got(file: string) { return readFileSync(file); }
const box = { get got() { return got('x'); } };
function yielded(file: string) { return readFileSync(file); }
function* lines() { yield yielded('x'); }
function sorted(file: string) { return readFileSync(file).length; }
function stored(file: string) { return readFileSync(file); }
const keep: ((file: string) => Buffer)[] = [];
function handed(file: string) { return readFileSync(file); }
function typed(file: string) { return readFileSync(file); }
type Typed = typeof typed;
function constructed(this: { x: Buffer }) { this.x = readFileSync('x'); }
function last() { return readFileSync('x'); }
process.on('exit', () => { last(); });
function promised() { return readFileSync('x'); }
class Sub extends EventEmitter { override emit(name: string) { readFileSync(name); return true; } }
class Named { load(file: string) { return readFileSync(file); } }
export async function handler(files: string[], any: any, typedBy: Typed) {
  new Made(); box.got; [...lines()];
  made('y'); got('y'); yielded('y'); stored('y'); handed('y'); typed('y'); last(); promised();
  files.sort((a, b) => sorted(a) - sorted(b));
  keep.push(stored);
  any.register(handed);
  new (constructed as any)();
  new Promise((resolve) => { resolve(promised()); });
  new Sub().emit('x');
  new Named().load('x');
  any.load('y');
  return typedBy;
}
`,
      }),
    );
    const expected: Record<string, RegExp> = {
      made: /^constructor: .*\(a\.ts:4:/,
      got: /^accessor: .*\(a\.ts:6:/,
      yielded: /^generator: .*\(a\.ts:8:/,
      sorted: /^array-callback: .*\(a\.ts:24:/,
      stored: /^(escapes|unknown-callback): .*\(a\.ts:25:/,
      handed: /^unknown-callback: .*\(a\.ts:26:/,
      typed: /^type-use: .*\(a\.ts:14:/,
      constructed: /^constructor: .*\(a\.ts:27:/,
      last: /^exit-handler: .*\(a\.ts:17:/,
      promised: /^promise-executor: .*\(a\.ts:28:/,
      'Sub.emit': /^override-set/,
      'Named.load': /^untyped-use: .*\(a\.ts:31:/,
    };
    for (const [symbol, pattern] of Object.entries(expected))
      assert.match(said[symbol] ?? 'none', pattern, symbol);
  });

  it('where others may call it: of a published package, and without one', async () => {
    const lib = {
      'index.ts': `export { load as read } from './load.ts';
export * from './all.ts';
`,
      'all.ts': `import { readFileSync } from 'node:fs';
export function all() { return readFileSync('x'); }
`,
      'load.ts': `import { readFileSync } from 'node:fs';
export function load(file: string) { return readFileSync(file); }
export function inner(file: string) { return readFileSync(file); }
`,
      'server.ts': `import { all } from './all.ts';
import { inner, load } from './load.ts';
setInterval(() => { all(); load('x'); inner('y'); }, 1000);
`,
    };
    const published = {
      'package.json': JSON.stringify({ name: 'lib', main: 'dist/index.js', type: 'module' }),
      ...lib,
    };
    const { sites } = await moved(published);
    assert.deepEqual(
      sites.map(({ symbol, status, reason }) => [symbol, status, reason]),
      [
        ['all', 'left', 'public-api'],
        ['load', 'left', 'public-api'],
        ['inner', 'migrate', undefined],
      ],
    );
    const changedApi = await moved(published, { allowApiChange: true });
    assert.deepEqual([...new Set(changedApi.sites.map(({ status }) => status))], ['migrate']);
    const unknown = await moved(lib);
    assert.deepEqual([...new Set(unknown.sites.map(({ reason }) => reason))], ['public-api']);
  });

  it('where a file that would change was not given', async () => {
    const { sites } = await moved(
      app({
        'src/lib.ts': `import { readFileSync } from 'node:fs';
export function load() { return readFileSync('x'); }
`,
        'src/server.ts': `import { load } from './lib.ts';
setInterval(() => { load(); }, 1000);
`,
      }),
      { paths: ['src/lib.ts'] },
    );
    const [{ reason, short } = {}] = sites;
    assert.equal(reason, 'outside-paths');
    assert.match(short ?? '', /src\/server\.ts:2:/);
  });

  it('when a person or a gate refused one of them', async () => {
    const files = app({
      'a.ts': `import { readFileSync } from 'node:fs';
function load() { return readFileSync('x'); }
export async function one() { return load(); }
export async function two() { return readFileSync('y'); }
`,
    });
    const { sites } = await moved(files);
    const [first] = sites;
    const refused = new Map([[first?.set ?? '', { reason: 'gate' as const, text: 'TS2322' }]]);
    const again = await moved(files, { refused });
    assert.deepEqual(
      again.sites.map(({ status, reason, short }) => [status, reason, short]),
      [
        ['left', 'gate', 'TS2322'],
        ['migrate', undefined, undefined],
      ],
    );
    assert.match(again.texts['a.ts'] ?? '', /import \{ readFileSync \}.*\nimport \{ readFile \}/);
  });
});

it('leaves functions that are taken out of their object by a key', async () => {
  const text = (use: string): string => `import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
const table = { show(file) { return readFileSync(file); } };
const other = { a: 1 };
export const size = (key) => other[key] + Object.values(other).length;
createServer((req, res) => { ${use}; res.end(table.show('a')); });
`;
  for (const use of ['const f = table[req.url]; f()', 'for (const f of Object.values(table)) f()']) {
    const { said } = await moved({ 'package.json': PACKAGE, 'a.js': text(use) });
    assert.deepEqual(said, ['a.js:3 left escapes'], use);
  }
  for (const use of ['table[req.url] = size', 'if (table[req.url]) size()', 'other[req.url]()']) {
    const { said } = await moved({ 'package.json': PACKAGE, 'a.js': text(use) });
    assert.deepEqual(said, ['a.js:3 migrate void-callback'], use);
  }
});

it('of callbacks that would run at the same time none reads ahead of what another writes', async () => {
  const text = `import { readFileSync, rmSync } from 'node:fs';
function clear(folder) {
  const list = readFileSync(folder + '/list', 'utf8').split('\\n');
  for (const name of list) rmSync(folder + '/' + name, { force: true });
  return list.length;
}
const sizeOf = (file) => readFileSync(file).length;
setInterval(() => { console.log(['a', 'b'].map((folder) => clear(folder)), ['c'].map((file) => sizeOf(file))); }, 1000);
`;
  const { said } = await moved(app({ 'a.js': text }));
  assert.deepEqual(said, [
    'a.js:3 left array-callback',
    'a.js:4 left array-callback',
    'a.js:7 migrate concurrent void-callback',
  ]);
});
