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

  const ACTS: Record<string, [code: string, expected: 'left' | 'migrate']> = {
    'a file that this call made alone': [
      "const file = join('x', `${v4()}.wav`); const text = readFileSync(file); unlinkSync(file); return text;",
      'migrate',
    ],
    'a file that all calls share, though its name is random': [
      "const text = readFileSync(SHARED, 'utf8'); writeFileSync(SHARED, text + 'x');",
      'left',
    ],
    'a name that counts up': [
      "const file = `x.${count++}.tmp`; writeFileSync(file, 'x'); renameSync(file, 'x');",
      'migrate',
    ],
    'a name that each call counts up for itself': [
      "let n = 0; const file = `x.${n++}`; const text = readFileSync(file, 'utf8'); writeFileSync(file, text + 'x');",
      'left',
    ],
    'what is read before the file goes, which takes what was added with it': [
      "const text = readFileSync('queue'); rmSync('queue', { force: true }); return text;",
      'left',
    ],
    'a folder that goes only if it is empty': [
      "for (const each of readdirSync('a')) console.log(each); rmdirSync('a');",
      'migrate',
    ],
    'a call that waits after its read': ['await loaded(); await saved();', 'migrate'],
    'a call that waits for something else between both': ['const n = seen(); save(n + 1);', 'left'],
  };
  for (const [name, [code, expected]] of Object.entries(ACTS))
    it(`${expected === 'left' ? 'is left' : 'moves'}: ${name}`, async () => {
      const { said } = await moved({
        'package.json': PACKAGE,
        'a.ts': `import { existsSync, readFileSync, readdirSync, renameSync, rmSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { v4 } from 'uuid';
const SHARED = join('x', randomUUID());
let count = 0;
async function loaded() { const text = readFileSync('n', 'utf8'); await setTimeout(1); return text; }
async function saved() { await setTimeout(1); writeFileSync('n', 'x'); }
function seen() { return readFileSync('m', 'utf8').length + readFileSync('other', 'utf8').length; }
function save(n: number) { writeFileSync('m', String(n)); }
export async function run() { ${code} }
setInterval(() => void run(), 1000);
`,
      });
      const lines = code.includes('loaded') ? /:[89] / : code.includes('seen') ? /:1[01] / : /:12 /;
      const own = said.filter((line) => lines.test(line));
      assert.ok(own.length > 0);
      assert.deepEqual(new Set(own.map((line) => line.split(' ')[1])), new Set([expected]), own.join('\n'));
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

  it('is left where others would see, or change, what it sets for a while', async () => {
    const text = `import { execSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
let loaded = false, data, current, depth = 0, id = 0, ready = false;
export async function ensure() { if (loaded) return; loaded = true; data = JSON.parse(readFileSync('a', 'utf8')); }
export async function made() { if (!ready) { ready = true; mkdirSync('b'); } }
export async function as(user) { current = user; const t = readFileSync('c', 'utf8'); current = null; return t; }
export async function named(user) { current = user; return readFileSync('d', 'utf8') + current; }
export async function nested() { depth++; try { return readFileSync('e', 'utf8') + depth; } finally { depth--; } }
export async function numbered() { id++; const t = readFileSync('f'); return { id, t }; }
export async function inside(dir) { const old = process.cwd(); process.chdir(dir); execSync('make'); process.chdir(old); }
export async function withEnv(v) { process.env.V = v; execSync('env'); delete process.env.V; }
export async function quiet() { const { log } = console; console.log = () => {}; try { readFileSync('g'); } finally { console.log = log; } }
export class Job { async run(file) { this.file = file; readFileSync(file); return this.file; } }
`;
    const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.equal(texts['a.js'], text);
    assert.deepEqual([...new Set(said.map((line) => line.replace(/^\S+ /, '')))], ['left read-modify-write']);
  });

  it('moves where what is set is a sign, for one key, or is not looked at again', async () => {
    const { said } = await moved({
      'package.json': PACKAGE,
      'a.js': `import { readFileSync } from 'node:fs';
let saving = false, last, count = 0;
const open = {}, seen = new Set();
export async function sign() { saving = true; readFileSync('a'); saving = false; }
export async function keyed(id) { open[id] = true; readFileSync(id); return open[id]; }
export async function first(id) { if (seen.has(id)) return; seen.add(id); return readFileSync(id); }
export async function noted() { last = Date.now(); count++; return readFileSync('b'); }
export async function parted(wait) { last = 'x'; await wait(); readFileSync('c'); return last; }
export async function branches(kind) {
  if (kind === 'a') { last = kind; return last; }
  if (kind === 'b') { count = 1; } else { return readFileSync('d'); }
  return count;
}
export async function fresh(f) { last = f; const t = readFileSync('e'); last = t; return last; }
`,
    });
    assert.deepEqual(said, [
      'a.js:4 migrate interleaving',
      'a.js:5 migrate',
      'a.js:6 migrate',
      'a.js:7 migrate',
      'a.js:8 migrate',
      'a.js:11 migrate',
      'a.js:14 left read-modify-write',
    ]);
  });

  it('leaves the branches alone that have nothing to do with it', async () => {
    const { said } = await moved({
      'package.json': PACKAGE,
      'a.js': `import { readFileSync } from 'node:fs';
let count = 0;
export async function handle(kind) {
  if (kind === 'a') return readFileSync('a');
  if (kind === 'b') { const n = count; const t = readFileSync('b'); count = n + 1; return t; }
  if (kind === 'c') { count++; const t = readFileSync('c'); return t + count; }
  return readFileSync('d');
}
`,
    });
    assert.deepEqual(said, [
      'a.js:4 migrate',
      'a.js:5 left read-modify-write',
      'a.js:6 left read-modify-write',
      'a.js:7 migrate',
    ]);
  });

  it('is left where an event counts on its listener being through', async () => {
    const text = `import { EventEmitter } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const bus = new EventEmitter();
bus.on('load', (context) => { context.text = readFileSync(context.file, 'utf8'); });
export function load(file) { const context = { file }; bus.emit('load', context); return context.text; }
export function collect(done) {
  const all = [];
  createReadStream('a').on('data', (chunk) => { all.push(chunk + readFileSync('b')); }).on('end', () => { done(all); });
  const lines = createInterface({ input: createReadStream('c') });
  let length = 0;
  lines.on('line', (line) => { length += readFileSync(line).length; });
  lines.once('close', () => { done(length); });
}
`;
    const { texts, said } = await moved({ 'package.json': PACKAGE, 'a.js': text });
    assert.equal(texts['a.js'], text);
    assert.deepEqual(said, [
      'a.js:5 left event-in-step',
      'a.js:9 left event-in-step',
      'a.js:12 left event-in-step',
    ]);
    const free = await moved({
      'package.json': PACKAGE,
      'b.js': `import { readFileSync } from 'node:fs';
import { server } from './server.js';
server.on('connection', (socket) => {
  socket.on('data', (name) => { socket.write(readFileSync(String(name))); });
  socket.on('message', (call) => { call.text = readFileSync('x'); });
});
`,
    });
    assert.deepEqual(free.said, ['b.js:4 migrate void-callback', 'b.js:5 migrate void-callback']);
  });

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
