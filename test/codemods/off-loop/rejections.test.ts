import assert from 'node:assert/strict';
import { it } from 'node:test';
import { moved } from './plan.ts';

const manifest = (dependencies: Record<string, string>): string =>
  JSON.stringify({ name: 'app', private: true, type: 'module', dependencies });

const notesOf = (sites: readonly { notes?: readonly string[] | undefined }[]): string[] => [
  ...new Set(sites.flatMap(({ notes = [] }) => notes)),
];

const SERVER = `import express from 'express';
import { readFileSync } from 'node:fs';
const app = express();
app.get('/a', (req, res) => {
  res.send(readFileSync('a', 'utf8'));
});
app.get('/b', (req, res, done) => res.send(readFileSync('b', 'utf8')));
app.use((error, req, res, next) => { res.send(readFileSync('c', 'utf8')); });
function guard(req, res, next) {
  if (readFileSync('d', 'utf8') === req.token) return next();
  res.end();
}
app.use(guard);
`;

it('what fails in a request handler of Express 4 goes to its next', async () => {
  const { texts, sites } = await moved({ 'package.json': manifest({ express: '^4.21.0' }), 'a.js': SERVER });
  assert.equal(
    texts['a.js'],
    `import express from 'express';
import { readFile } from 'node:fs/promises';
const app = express();
app.get('/a', (req, res, next) => { (async () => {
  res.send(await readFile('a', 'utf8'));
})().catch(next); });
app.get('/b', (req, res, done) => void (async () => res.send(await readFile('b', 'utf8')))().catch(done));
app.use((error, req, res, next) => { (async () => { res.send(await readFile('c', 'utf8')); })().catch(next); });
function guard(req, res, next) { (async () => {
  if (await readFile('d', 'utf8') === req.token) return next();
  res.end();
})().catch(next); }
app.use(guard);
`,
  );
  assert.deepEqual(notesOf(sites), []);
});

it('a handler with types of its own gets a next with one, by its name', async () => {
  const { texts, sites } = await moved({
    'package.json': manifest({ express: '^4.21.0' }),
    'a.ts': `import express, { type Request, type RequestHandler, type Response } from 'express';
import { readFileSync } from 'node:fs';
const app = express();
function show(req: Request, res: Response): void {
  res.send(readFileSync('a', 'utf8'));
}
app.get('/a', show);
const guard: RequestHandler = (req, res) => {
  res.send(readFileSync('b', 'utf8'));
};
app.use(guard);
`,
  });
  assert.match(texts['a.ts'] ?? '', /guard: RequestHandler = \(req, res, next\) => \{ \(async/);
  assert.match(
    texts['a.ts'] ?? '',
    /show\(req: Request, res: Response, next: \(error: unknown\) => void\): void \{ \(async/,
  );
  assert.deepEqual(notesOf(sites), []);
});

it('where the handler has no place for next, that is noted', async () => {
  const { texts, sites } = await moved({
    'package.json': manifest({ express: '^4.21.0' }),
    'a.js': `import express from 'express';
import { readFileSync } from 'node:fs';
const app = express();
app.get('/a', ({ next }, res) => { res.send(readFileSync(next, 'utf8')); });
app.param('id', (req, res, next, id) => { req.text = readFileSync(id, 'utf8'); next(); });
`,
  });
  assert.match(texts['a.js'] ?? '', /async \(\{ next \}, res\) => \{ res/);
  assert.match(texts['a.js'] ?? '', /async \(req, res, next, id\) => \{ req/);
  assert.deepEqual(notesOf(sites), ['void-callback']);
});

const WAITING = {
  'Express 5': ['express', "import express from 'express';\nconst app = express();", { express: '^5.1.0' }],
  Fastify: ['fastify', "import fastify from 'fastify';\nconst app = fastify();", { fastify: '^5.0.0' }],
} as const;

for (const [name, [, open, dependencies]] of Object.entries(WAITING)) {
  it(`${name} waits for its handlers, and sees to what fails`, async () => {
    const { texts, sites } = await moved({
      'package.json': manifest(dependencies),
      'a.js': `import { readFileSync } from 'node:fs';\n${open}\napp.get('/a', (req, res) => { res.send(readFileSync('a', 'utf8')); });\n`,
    });
    assert.match(texts['a.js'] ?? '', /'\/a', async \(req, res\) => \{ res\.send\(await readFile/);
    assert.deepEqual(notesOf(sites), []);
  });
}

it('an event does not wait', async () => {
  const { sites } = await moved({
    'package.json': manifest({}),
    'a.js': `import { readFileSync } from 'node:fs';\nimport { ipcMain } from 'electron';
ipcMain.on('a', (event) => { event.reply(readFileSync('a', 'utf8')); });
ipcMain.handle('b', () => readFileSync('b', 'utf8'));
`,
  });
  assert.deepEqual(
    sites.map(({ notes = [] }) => notes.join()),
    ['void-callback', ''],
  );
});

it('a promise waits for what it is given by name', async () => {
  const { texts, sites } = await moved({
    'package.json': manifest({}),
    'a.js': `import { readFileSync } from 'node:fs';
const load = (path) => readFileSync(path, 'utf8');
export const read = (path) => fetch(path).then(load).catch(console.error);
`,
  });
  assert.match(texts['a.js'] ?? '', /load = async \(path\) => await readFile/);
  assert.deepEqual(notesOf(sites), []);
});
