import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

describe('what was one step by accident, on one file', () => {
  it('is seen through a method of the same object in another module, and not between two branches', async () => {
    const { said } = await moved(
      {
        'package.json': PACKAGE,
        'base.ts': `import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
export class Base {
  constructor(readonly dir: string) {}
  load(id: string) { return JSON.parse(readFileSync(join(this.dir, id, 'data.json'), 'utf8')); }
  store(id: string, data: unknown) { writeFileSync(join(this.dir, id, 'data.json'), JSON.stringify(data)); }
}
`,
        'server.ts': `import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Base } from './base.ts';
export class Server extends Base {
  async set(id: string, key: string) {
    const data = this.load(id);
    data[key] = true;
    writeFileSync(join(this.dir, id, 'data.json'), JSON.stringify(data));
  }
}
const server = new Server('x');
setInterval(() => void server.set('a', 'b'), 1000);
`,
        'other.ts': `import { writeFileSync } from 'node:fs';
import { Base } from './base.ts';
export class Copy {
  constructor(readonly dir: string) {}
  async copy(from: Base, id: string, isNew: boolean) {
    if (isNew) from.store(id, {});
    else writeFileSync(this.dir + '/copy.json', from.load(id));
  }
}
setInterval(() => void new Copy('y').copy(new Base('z'), 'a', true), 1000);
`,
      },
      { allowApiChange: true },
    );
    assert.deepEqual(said, [
      'base.ts:5 left read-modify-write',
      'base.ts:6 migrate',
      'other.ts:7 migrate interleaving',
      'server.ts:8 left read-modify-write',
    ]);
  });

  it('is left where a part of it stays, and another module has both', async () => {
    const store = `import { readFileSync, writeFileSync } from 'node:fs';
export const store = {
  load: () => JSON.parse(readFileSync('data.json', 'utf8')),
  save(data) { writeFileSync('data.json', JSON.stringify(data)); },
};
`;
    const app = `import { createServer } from 'node:http';
import { store } from './store.js';
const boot = [1].filter(() => store.load().isOn);
createServer((req, res) => {
  const data = store.load();
  data.hits++;
  store.save(data);
  res.end(String(boot));
}).listen(0);
`;
    const files = { 'package.json': PACKAGE, 'store.js': store, 'app.js': app };
    const { texts, said } = await moved(files);
    assert.deepEqual(texts, files);
    assert.deepEqual(said, ['store.js:3 left array-callback', 'store.js:4 left read-modify-write']);
  });

  it('is left where both are async already, and another module has both', async () => {
    const files = {
      'package.json': PACKAGE,
      'store.js': `import { readFileSync, writeFileSync } from 'node:fs';
export async function load() { return JSON.parse(readFileSync('data.json', 'utf8')); }
export const save = async (data) => { writeFileSync('data.json', JSON.stringify(data)); };
`,
      'count.js': `import * as store from './store.js';
export const read = async () => (await store.load()).counts;
export async function write(counts) { await store.save({ counts }); }
`,
      'app.js': `import { createServer } from 'node:http';
import { read, write } from './count.js';
createServer(async (req, res) => {
  const counts = await read();
  counts.hits++;
  await write(counts);
  res.end();
}).listen(0);
`,
    };
    const { texts, said } = await moved(files);
    assert.deepEqual(texts, files);
    assert.deepEqual(said, ['store.js:2 left read-modify-write', 'store.js:3 left read-modify-write']);
  });

  it('is left where a file is written and then put in the place of another, unless it is nobody else’s', async () => {
    const text = `import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
export async function save(text) {
  writeFileSync('data.tmp', text);
  renameSync('data.tmp', 'data');
}
export async function own(text) {
  const temporary = \`data.\${crypto.randomUUID()}\`;
  writeFileSync(temporary, text);
  renameSync(temporary, 'data');
}
export async function publish(file, text) {
  writeFileSync(file + '~', text);
  copyFileSync(file + '~', file);
}
`;
    const { said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.deepEqual(said, [
      'a.js:3 left read-modify-write',
      'a.js:4 left read-modify-write',
      'a.js:8 migrate',
      'a.js:9 migrate',
      'a.js:12 left read-modify-write',
      'a.js:13 left read-modify-write',
    ]);
  });

  it('moves, with a note, where a file is written only if it holds something else', async () => {
    const text = `import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
export async function put(file, text) {
  const previous = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (previous === text) return false;
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return true;
}
export async function grow(file) {
  const previous = readFileSync(file, 'utf8');
  const text = previous + '.';
  if (previous !== text) writeFileSync(file, text);
}
export async function change(file, text) {
  const previous = readFileSync(file, 'utf8');
  text = text.replace('x', previous);
  if (previous !== text) writeFileSync(file, text);
}
export async function inline(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(file, text);
}
export async function other(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === '') return;
  writeFileSync(file, text);
}
`;
    const { said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.deepEqual(said, [
      'a.js:3 migrate interleaving',
      'a.js:5 migrate interleaving',
      'a.js:6 migrate interleaving',
      'a.js:10 left read-modify-write',
      'a.js:12 left read-modify-write',
      'a.js:15 left read-modify-write',
      'a.js:17 left read-modify-write',
      'a.js:20 migrate interleaving',
      'a.js:21 migrate interleaving',
      'a.js:24 left read-modify-write',
      'a.js:25 left read-modify-write',
    ]);
  });

  it('moves where what is done again looks again, and where a test does one thing after the other', async () => {
    const files = {
      'package.json': PACKAGE,
      'store.js': `import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
export function put(text) {
  const previous = readFileSync('data', 'utf8');
  if (previous !== text) writeFileSync('data', text);
}
export const load = () => readFileSync('other', 'utf8');
export const save = (text) => writeFileSync('other', text);
export function backUp(text) {
  copyFileSync('third', 'third.old');
  writeFileSync('third', text);
}
`,
      'a.js': `import { backUp, put } from './store.js';
setInterval(() => { put('a'); put('b'); backUp('c'); }, 1000);
`,
      'store.test.js': `import { load, save } from './store.js';
it('keeps', () => { const before = load(); save('x'); expect(before).not.toBe('x'); });
`,
      'b.js': `import { load, save } from './store.js';
setInterval(() => load(), 1000);
setTimeout(() => save('x'), 1000);
`,
    };
    const { said } = await moved(files);
    assert.deepEqual(
      said.map((line) => line.replace(/ void-callback$/, '')),
      [
        'store.js:3 migrate interleaving',
        'store.js:4 migrate interleaving',
        'store.js:6 migrate',
        'store.js:7 migrate interleaving',
        'store.js:9 migrate interleaving',
        'store.js:10 migrate interleaving',
      ],
    );
    const { said: lost } = await moved({
      ...files,
      'c.js': "import { load, save } from './store.js';\nsetInterval(() => save(load() + 1), 1000);\n",
    });
    assert.deepEqual(
      lost.filter((line) => line.includes('left')),
      ['store.js:6 left read-modify-write', 'store.js:7 left read-modify-write'],
    );
  });

  it('moves where a change that another was faster with does no harm', async () => {
    const text = `import { chmodSync, copyFileSync, existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
export async function secure(file) { if (existsSync(file)) chmodSync(file, 0o600); }
export async function drop(file) {
  if (!existsSync(file)) return;
  try { unlinkSync(file); } catch (error) { console.warn(error); }
}
export async function insist(file) {
  if (!existsSync(file)) return;
  try { unlinkSync(file); } catch (error) { throw new Error('no', { cause: error }); }
}
export async function take(file) {
  const text = readFileSync(file, 'utf8');
  try { unlinkSync(file); } catch {}
  return text;
}
export async function create(file) {
  if (existsSync(file)) return;
  try { writeFileSync(file, crypto.randomUUID()); } catch {}
}
export async function copy(from, to) {
  try { return copyFileSync(from, to, 4); } catch {}
  copyFileSync(from, to);
}
`;
    const { said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.deepEqual(said, [
      'a.js:2 migrate interleaving',
      'a.js:5 migrate interleaving',
      'a.js:9 left read-modify-write',
      'a.js:12 left read-modify-write',
      'a.js:13 left read-modify-write',
      'a.js:18 left read-modify-write',
      'a.js:21 migrate',
      'a.js:22 migrate',
    ]);
  });

  it('moves, with a note, where it overwrites what all have, or fills what is looked at by a key', async () => {
    const text = `import { readFileSync, writeFileSync } from 'node:fs';
const open = {};
export async function session(id) {
  if (open[id]) return open[id];
  const it = { text: readFileSync(id, 'utf8') };
  open[id] = it;
  return it;
}
export async function put(text) { writeFileSync('all.json', text); }
export async function upload(name, text) { writeFileSync(name, text); }
let cache;
export async function cached() { return (cache ??= readFileSync('cache')); }
`;
    const { said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.deepEqual(said, [
      'a.js:5 migrate interleaving',
      'a.js:9 migrate interleaving',
      'a.js:10 migrate',
      'a.js:12 migrate interleaving',
    ]);
  });
});
