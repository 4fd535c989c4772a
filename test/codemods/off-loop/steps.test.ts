import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Project } from '../project.ts';
import { moved, PACKAGE } from './plan.ts';

describe('what was one step by accident', () => {
  it('is left where something would be lost', async () => {
    const text = `import { existsSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const FILE = 'n.json';
export async function increment() {
  const n = Number(readFileSync(FILE, 'utf8'));
  writeFileSync(FILE, String(n + 1));
}
function load() { return JSON.parse(readFileSync(FILE, 'utf8')); }
function save(data: unknown) { writeFileSync(FILE, JSON.stringify(data)); }
export async function bump() { const data = load(); data.n++; save(data); }
const read = (name: string) => readFileSync(join('x', name), 'utf8');
const write = (name: string, text: string) => { writeFileSync(join('x', name), text); };
export async function rename(name: string) { write(name, read(name) + 'x'); }
let count = 0;
export async function state() { const n = count; readFileSync('a'); count = n + 1; }
let total = 0;
export async function sum(file: string) { total += readFileSync(file).length; }
let isBusy = false;
export async function guarded() { if (isBusy) return; readFileSync('b'); isBusy = true; }
const seen = new Map<string, number>();
export async function counted(key: string) { const n = seen.get(key) ?? 0; readFileSync(key); seen.set(key, n + 1); }
export async function once(file: string) { if (!existsSync(file)) writeFileSync(file, 'x'); }
export async function gone(file: string) { if (existsSync(file)) unlinkSync(file); }
class Store {
  constructor(private file: string) {}
  get() { return readFileSync(this.file, 'utf8'); }
  set(text: string) { writeFileSync(this.file, text); }
  async add(text: string) { this.set(this.get() + text); }
}
setInterval(() => new Store('x').add('y'), 1000);
`;
    // What stands at the same offsets of another file has nothing to do with it.
    const other = `import { readFileSync } from 'node:fs';
${Array.from({ length: 20 }, (_, n) => `export async function f${String(n)}() { return readFileSync('${String(n)}'); }`).join('\n')}
`;
    const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.ts': text, 'b.ts': other });
    assert.equal(texts['a.ts'], text);
    const kinds = (file: string): string[] => [
      ...new Set(said.filter((line) => line.startsWith(file)).map((line) => line.replace(/^\S+ /, ''))),
    ];
    assert.deepEqual(kinds('a.ts'), ['left read-modify-write']);
    assert.deepEqual(kinds('b.ts'), ['migrate']);
  });

  it('moves, with a note, where nothing is lost', async () => {
    const { said, texts } = await moved({
      'package.json': PACKAGE,
      'a.ts': `import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Mutex } from 'async-mutex';
let cache: string | undefined;
export async function cached() { if (!cache) cache = readFileSync('a', 'utf8'); return cache; }
export async function probed(file: string) { if (existsSync(file)) return readFileSync(file); }
const lock = new Mutex();
export async function locked() {
  await lock.runExclusive(() => {
    const n = Number(readFileSync('c', 'utf8'));
    writeFileSync('c', String(n + 1));
  });
}
export async function parted(wait: () => Promise<void>) {
  const n = readFileSync('d', 'utf8');
  await wait();
  writeFileSync('d', n);
}
export async function others(from: string, to: string) { writeFileSync(to, readFileSync(from)); }
let runs = 0;
export async function counted() { runs++; readFileSync('e'); runs--; }
`,
    });
    assert.deepEqual(said, [
      'a.ts:4 migrate interleaving',
      'a.ts:5 migrate interleaving',
      'a.ts:9 migrate',
      'a.ts:10 migrate',
      'a.ts:14 migrate',
      'a.ts:16 migrate interleaving',
      'a.ts:18 migrate',
      'a.ts:18 migrate',
      'a.ts:20 migrate',
    ]);
    assert.match(texts['a.ts'] ?? '', /await writeFile\(to, await readFile\(from\)\)/);
  });

  it(
    'is found where many calls share many ways, without following each of them',
    { timeout: 120_000 },
    async () => {
      const depth = 24;
      const chain = Array.from(
        { length: depth },
        (_, n) => `function f${String(n)}() { return f${String(n + 1)}() + f${String(n + 1)}(); }`,
      );
      const reads = Array.from({ length: 12 }, (_, n) => `readFileSync('${String(n)}', 'utf8')`);
      const { said } = await moved({
        'package.json': PACKAGE,
        'a.ts': `import { readFileSync, writeFileSync } from 'node:fs';
${chain.join('\n')}
function f${String(depth)}() { return ${reads.join(' + ')}; }
export async function one() { const text = f0(); writeFileSync('0', text); }
`,
      });
      // Any of the reads that moved would have the function wait between the first of them and the write.
      assert.equal(said.filter((line) => line.endsWith('read-modify-write')).length, 13, said.join('\n'));
    },
  );

  it('keeps 500 increments that run at the same time', async () => {
    const file = `import { readFileSync, writeFileSync } from 'node:fs';
const FILE = new URL('n.txt', import.meta.url);
let seen = 0;
const load = () => Number(readFileSync(FILE, 'utf8'));
const save = (n) => { writeFileSync(FILE, String(n)); };
export async function increment() {
  save(load() + 1);
  const text = readFileSync(import.meta.filename, 'utf8');
  seen += text.length > 0 ? 1 : 0;
}
export const counts = () => [load(), seen];
`;
    const { texts } = await moved({ 'package.json': PACKAGE, 'a.js': file });
    assert.match(texts['a.js'] ?? '', /await readFile\(import\.meta\.filename, 'utf8'\)/);
    assert.match(texts['a.js'] ?? '', /const save = \(n\) => \{ writeFileSync/);
    using project = new Project({ 'package.json': PACKAGE, 'a.js': texts['a.js'] ?? '' });
    writeFileSync(join(project.folder, 'n.txt'), '0');
    const { increment, counts } = (await import(pathToFileURL(join(project.folder, 'a.js')).href)) as {
      increment: () => Promise<void>;
      counts: () => number[];
    };
    await Promise.all(Array.from({ length: 500 }, () => increment()));
    assert.deepEqual(counts(), [500, 500]);
  });
});

it('is left inside of a transaction that the program begins and ends by hand', async () => {
  const text = `import { readFileSync } from 'node:fs';
import { store } from './store.js';
export async function fill(file) {
  store.mutate('BEGIN TRANSACTION');
  try {
    store.mutate('insert into t values (?)', [readFileSync(file, 'utf8')]);
    store.mutate('COMMIT');
  } catch (error) {
    store.mutate('ROLLBACK');
    throw error;
  }
}
export async function ahead(file) {
  const text = readFileSync(file, 'utf8');
  store.mutate('BEGIN');
  store.mutate('insert into t values (?)', [text]);
  store.mutate('COMMIT');
}
export async function remote(client, file) {
  await client.query('BEGIN');
  client.query('insert into t values ($1)', [readFileSync(file, 'utf8')]);
  await client.query('COMMIT');
}
`;
  const { said } = await moved({
    'package.json': PACKAGE,
    'store.js': 'export const store = { mutate(sql, values = []) { console.log(sql, values); } };\n',
    'a.js': text,
  });
  assert.deepEqual(said, ['a.js:6 left read-modify-write', 'a.js:14 migrate', 'a.js:21 migrate']);
});
