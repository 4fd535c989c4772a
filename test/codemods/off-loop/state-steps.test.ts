import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved, PACKAGE } from './plan.ts';

describe('what was one step by accident, with the state of a module or of the process', () => {
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
});
