import { noBlockingCall } from '../../rules/no-blocking-call.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const instead = (name: string) => `Await \`fs.promises.${name}\`, or move it off the loop.`;
const onTheWay = (name: string) =>
  `Await \`fs.promises.${name}\` there and make the functions on the way async (\`owned-spawn migrate --recipe off-loop\`), or move it off the loop.`;

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [
    {
      name: 'the top level, and what only it reaches',
      code: `
import { readFileSync } from 'node:fs';
const config = readFileSync('config.json', 'utf8');
async function main() {
  const more = read('more.json');
  await listen(config, more);
}
function read(path) {
  return readFileSync(path, 'utf8');
}
void main().catch(console.error);
`,
    },
    {
      name: 'a boot function that a method of its class calls at the start',
      code: `
import { readFileSync } from 'node:fs';
export class Server {
  async start() {
    await this.#listen(readFileSync('key.pem'));
  }
}
`,
    },
    {
      name: 'what the top level starts, though it may be started again',
      code: `
import { readFileSync } from 'node:fs';
async function checkDist() {
  return readFileSync('hash', 'utf8');
}
async function start() {
  await checkDist();
}
async function restart() {
  await start();
}
process.on('message', restart);
void start();
`,
    },
    {
      name: 'functions that give a server its routes, that let it listen, or that serve by their name',
      code: `
import { readFileSync } from 'node:fs';
export async function addRoutes({ app }) {
  const page = readFileSync('page.html');
  app.get('/', (req, res) => res.end(page));
}
export async function openHttps(server) {
  server.setSecureContext({ key: readFileSync('key.pem') });
  await new Promise((resolve) => server.listen(443, resolve));
}
export async function serve(port) {
  await openOn(port, readFileSync('key.pem'));
}
`,
    },
    {
      name: 'what makes a server, and what a start waits for by promises',
      code: `
import { readFileSync } from 'node:fs';
import https from 'node:https';
function makeServer(app, config) {
  return https.createServer({ key: readFileSync(config.key) }, app);
}
export function startAll(config) {
  return makeApp(config).then((app) => app.use(readFileSync(config.banner)));
}
export async function run(app, config) {
  return makeServer(app, config);
}
window.addEventListener('load', () => draw(readFileSync('state.json')));
`,
    },
    {
      name: 'the activation of an extension, and what only it calls',
      code: `
import { readFileSync } from 'node:fs';
export async function activate(context) {
  await prepare(context);
}
async function prepare(context) {
  context.version = readFileSync('version', 'utf8');
}
`,
    },
    {
      name: 'a loop of a start that ends once there is nothing more to do',
      code: `
import { existsSync, readFileSync } from 'node:fs';
export class Store {
  async init() {
    await this.upgrade(1);
  }
  private async upgrade(version: number) {
    while (existsSync('upgrade-' + version)) await this.query(readFileSync('upgrade-' + version++, 'utf8'));
  }
}
`,
    },
    {
      name: 'a script of a build that writes elsewhere',
      filename: 'build/types.ts',
      code: `
import { writeFileSync } from 'node:fs';
export async function emit(types) {
  writeFileSync('types.json', await types);
}
`,
    },
    {
      name: 'callbacks that a start waits for',
      code: `
import fs from 'node:fs';
Router.prototype.init = function (app) {
  fs.readdir('routes', (error, names) => {
    for (const name of names) if (fs.statSync(name).isDirectory()) app.use(require(name));
  });
};
`,
    },
    {
      name: 'what runs once, for its result is kept',
      code: `
import { readFileSync } from 'node:fs';
let version, config, loaded = false, flags;
class Plugins {
  static loaded = false;
  static load() {
    if (this.loaded) return;
    for (const name of ['a', 'b']) run(readFileSync(name));
    this.loaded = true;
  }
}
const read = (path) => readFileSync(path, 'utf8');
export async function handler() {
  version ??= readFileSync('version');
  if (config === undefined) {
    config = JSON.parse(readFileSync('config.json'));
  }
  if (!flags) flags = read('flags');
  if (loaded) return;
  read('more');
  loaded = true;
}
`,
    },
    {
      name: 'a synchronous function that nobody on the loop calls',
      code: `
import { readFileSync } from 'node:fs';
export const load = (path) => readFileSync(path);
`,
    },
    {
      name: 'handlers of the end, by event, by reference and by package',
      code: `
import { rmSync, writeFileSync } from 'node:fs';
import exitHook from 'exit-hook';
const save = () => writeFileSync('state', 'x');
process.on('exit', save);
process.on('uncaughtException', (error) => writeFileSync('crash', String(error)));
process.on('SIGTERM', () => { rmSync('pid'); process.exit(143); });
process.on('SIGHUP', () => { rmSync('pid'); process.exit(129); });
exitHook(() => save());
`,
    },
    {
      name: 'code directly before the process ends',
      code: `
import { writeFileSync } from 'node:fs';
export async function fatal(error) {
  await flush();
  writeFileSync('crash.log', error.stack);
  process.exit(1);
}
`,
    },
    {
      name: 'a worker, and the branch of a file that only a worker runs',
      code: `
import { isMainThread, parentPort } from 'node:worker_threads';
import { readFileSync } from 'node:fs';
if (!isMainThread) {
  parentPort.on('message', async (path) => parentPort.postMessage(readFileSync(path)));
}
`,
    },
    {
      name: 'a file that is named a worker',
      filename: '/application/resize.worker.ts',
      code: `
import { readFileSync } from 'node:fs';
self.onmessage = ({ data }) => self.postMessage(readFileSync(data));
`,
    },
    {
      name: 'functions that are handed by name to what is out of sight, or kept for later',
      code: `
import { writeSync } from 'node:fs';
import { programOf } from './program.js';
const kept = [];
function main() {
  writeSync(1, 'x');
}
function keep(run) {
  kept.push(run);
}
function wrap(run = () => {}) {
  return () => run();
}
export async function hand() {
  register(main);
  keep(main);
  wrap(main);
  return programOf(main, {});
}
`,
    },
    {
      name: 'functions that are handed to a pool',
      code: `
import Piscina from 'piscina';
import { readFileSync } from 'node:fs';
const pool = new Piscina();
export const load = async (path) => pool.run(() => readFileSync(path));
`,
    },
    {
      name: 'a command with a shebang',
      code: `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
export async function build() {
  return readFileSync('package.json');
}
`,
    },
    {
      name: 'commands of a command line parser',
      code: `
import { readFileSync } from 'node:fs';
import { program } from './program.js';
program.command('show').action(async (path) => console.log(readFileSync(path, 'utf8')));
`,
    },
    ...['test/a.ts', 'src/a.test.ts', 'scripts/a.ts', 'vite.config.ts'].map((path) => ({
      name: `a file named ${path}`,
      filename: `/application/${path}`,
      code: `
import { readFileSync } from 'node:fs';
export const load = async (path: string) => readFileSync(path);
`,
    })),
    {
      name: 'a child that is handed the terminal',
      code: `
import { spawnSync } from 'node:child_process';
export async function edit(file) {
  spawnSync('vim', [file], { stdio: 'inherit' });
  spawnSync('less', [file], { stdio: ['inherit', 'inherit', 'inherit'] });
}
`,
    },
    {
      name: 'probes outside loops',
      code: `
import { existsSync, mkdirSync, statSync } from 'node:fs';
export async function ensure(path) {
  if (!existsSync(path)) mkdirSync(path, { recursive: true });
  return statSync(path).size;
}
`,
    },
    {
      name: 'look-alikes',
      code: `
import { flushSync } from 'react-dom';
import { Effect } from 'effect';
import { fs } from './bridge.js';
export async function work(milvus, readFileSync) {
  flushSync(() => {});
  Effect.runSync(Effect.succeed(1));
  await milvus.flushSync();
  await fs.readFileSync('x');
  return readFileSync('x');
}
`,
    },
    {
      name: 'calls that their arguments keep from blocking',
      code: `
import shell from 'shelljs';
export async function work(cells) {
  shell.exec('git fetch', { async: true });
  shell.exec('git fetch', () => {});
  Atomics.wait(cells, 0, 0, 0);
}
`,
    },
    {
      name: 'a marker at the call, at the function that blocks, and at the call that leads there',
      code: `
import { readFileSync } from 'node:fs';
export async function direct() {
  // blocking-call: ok — forty bytes, once per process
  return readFileSync('pid');
}
// blocking-call: ok — in memory on all our systems
function uptime() {
  return readFileSync('/proc/uptime', 'utf8');
}
export const first = async () => uptime();
export const second = async () => uptime();
const slow = () => readFileSync('big');
export const third = async () => slow(); // blocking-call: ok — only the nightly job comes here
`,
    },
    {
      name: 'guesses that are switched off or told otherwise',
      settings: { 'owned-spawn': { context: { shapes: false, offFiles: ['legacy/**'] } } },
      filename: '/application/legacy/a.ts',
      code: `
import { readFileSync } from 'node:fs';
export const load = async (path: string) => readFileSync(path);
`,
    },
    {
      name: 'shapes that are switched off',
      settings: { 'owned-spawn': { context: { shapes: false } } },
      code: `
import { readFileSync } from 'node:fs';
import { bus } from './bus.js';
bus.on('change', () => readFileSync('x'));
`,
    },
    {
      name: 'functions that an API of the settings takes off the loop',
      settings: { 'owned-spawn': { offLoop: [{ module: './lib/pool', path: 'inPool' }] } },
      code: `
import { readFileSync } from 'node:fs';
import { inPool } from '../lib/pool.js';
export const load = async (path) => inPool(() => readFileSync(path));
`,
    },
  ],
  invalid: [
    {
      name: 'a loop of a start that pauses, or that somebody must end',
      code: `
import { existsSync, readFileSync } from 'node:fs';
export async function start() {
  while (existsSync('job')) {
    run(readFileSync('job'));
    await sleep(1000);
  }
  while (!ended) await run(existsSync('job'));
}
`,
      errors: [
        { messageId: 'direct', line: 4 },
        {
          messageId: 'direct',
          line: 5,
          suggestions: [
            {
              messageId: 'awaitTwin',
              data: { twin: 'readFile' },
              output: `
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
export async function start() {
  while (existsSync('job')) {
    run(await readFile('job'));
    await sleep(1000);
  }
  while (!ended) await run(existsSync('job'));
}
`,
            },
          ],
        },
        { messageId: 'direct', line: 8 },
      ],
    },
    {
      name: 'async functions as compilers write them for older engines',
      code: `
const tslib_1 = require('tslib');
const fs_1 = require('fs');
const save = (file) => __awaiter(void 0, void 0, void 0, function* () {
  (0, fs_1.writeFileSync)(file, yield read());
});
class Store {
  load(file) {
    return (0, tslib_1.__awaiter)(this, void 0, void 0, function () {
      return (0, tslib_1.__generator)(this, function (_a) {
        return [2, (0, fs_1.readFileSync)(file)];
      });
    });
  }
  drop(file) {
    return __async(this, null, function* () {
      (0, fs_1.unlinkSync)(file);
    });
  }
}
function copy() { return _copy.apply(this, arguments); }
function _copy() {
  _copy = _asyncToGenerator(function* (from, to) {
    (0, fs_1.copyFileSync)(from, to);
  });
  return _copy.apply(this, arguments);
}
function move(from, to) {
  return _async_to_generator(function* () {
    (0, fs_1.renameSync)(from, to);
  })();
}
`,
      errors: [
        {
          messageId: 'direct',
          line: 5,
          data: {
            name: 'writeFileSync',
            inside: 'promise-returning `save`',
            bound: '',
            advice: instead('writeFile'),
          },
        },
        { messageId: 'direct', line: 11 },
        { messageId: 'direct', line: 17 },
        { messageId: 'direct', line: 24 },
        { messageId: 'direct', line: 30 },
      ],
    },
    {
      name: 'methods whose decorators a compiler has made calls',
      code: `
import { Get } from '@nestjs/common';
import { readFileSync } from 'node:fs';
let Pages = class Pages {
  list() {
    return readFileSync('pages.json', 'utf8');
  }
  other() {
    return readFileSync('other.json', 'utf8');
  }
};
__decorate([Get('/pages'), __metadata('design:type', Function)], Pages.prototype, 'list', null);
`,
      errors: [{ messageId: 'direct', line: 6 }],
    },
    {
      name: 'a handler of the main process that is given to its type, and the functions of the other entry of fs-extra',
      code: `
import type { IpcMain } from 'electron';
import { writeJsonSync } from 'fs-extra/esm';
const save = (event, state) => {
  writeJsonSync('state.json', state);
};
export function register(ipc: IpcMain) {
  ipc.handle('save', save);
}
`,
      errors: [{ messageId: 'direct', line: 5 }],
    },
    {
      name: 'what is kept for each key, or until it is emptied, or by each object',
      code: `
import { readFileSync } from 'node:fs';
const pages = {};
let config;
export const forget = () => { config = undefined; };
class Page {
  text() {
    this.body ??= readFileSync('page');
  }
}
setInterval((name) => {
  pages[name] ??= readFileSync(name);
  config ??= readFileSync('config');
  new Page().text();
}, 1000);
`,
      errors: [
        { messageId: 'direct', line: 12 },
        { messageId: 'direct', line: 13 },
        { messageId: 'path', line: 14 },
      ],
    },
    {
      name: 'a function that is given a request by its type',
      code: `
import { readFileSync } from 'node:fs';
import express, { type Request } from 'express';
export const getPage = (request: Request) => readFileSync(request.path);
export function send(to: express.Response) { to.end(readFileSync('page')); }
export const render = (request: URLRequest) => readFileSync(request.path);
`,
      errors: [
        {
          messageId: 'direct',
          line: 4,
          data: {
            name: 'readFileSync',
            inside: '`getPage`, code of a request',
            bound: '',
            advice: instead('readFile'),
          },
        },
        { messageId: 'direct', line: 5 },
      ],
    },
    {
      name: 'functions that a function of the file registers for its callers',
      code: `
import { readFileSync } from 'node:fs';
function route(path, handler) {
  app[path](path, (req, res) => res.send(handler(req)));
}
function list() { return readFileSync('list'); }
route('/list', list);
route('/more', (r) => readFileSync('more'));
`,
      errors: [
        { messageId: 'direct', line: 6 },
        { messageId: 'direct', line: 8 },
      ],
    },
    {
      name: 'in an async function, with the twin of the same import style',
      code: `
import { readFileSync } from 'node:fs';
export async function loadUser(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `loadUser`', bound: '', advice: instead('readFile') },
          line: 4,
          column: 21,
          endLine: 4,
          endColumn: 33,
          suggestions: [
            {
              messageId: 'awaitTwin',
              data: { twin: 'readFile' },
              output: `
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
export async function loadUser(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}
`,
            },
          ],
        },
      ],
    },
    {
      name: 'parentheses where the result is used on the spot',
      code: `
const fs = require('fs');
exports.lines = async (path) => fs.readFileSync(path, 'utf8').split('\\n');
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `lines`', bound: '', advice: instead('readFile') },
          line: 3,
          column: 36,
          endLine: 3,
          endColumn: 48,
          suggestions: [
            {
              messageId: 'awaitTwin',
              data: { twin: 'fs.promises.readFile' },
              output: `
const fs = require('fs');
exports.lines = async (path) => (await fs.promises.readFile(path, 'utf8')).split('\\n');
`,
            },
          ],
        },
      ],
    },
    {
      name: 'the twin that the module has already, under its own name',
      code: `
import { readFileSync } from 'fs';
import fsp from 'fs/promises';
export const load = async (path) => readFileSync(path);
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 4,
          column: 37,
          endLine: 4,
          endColumn: 49,
          suggestions: [
            {
              messageId: 'awaitTwin',
              data: { twin: 'fsp.readFile' },
              output: `
import { readFileSync } from 'fs';
import fsp from 'fs/promises';
export const load = async (path) => await fsp.readFile(path);
`,
            },
          ],
        },
      ],
    },
    {
      name: 'no suggestion where its name is taken, in a callback, and in a default',
      code: `
import { readFile, readFileSync } from 'node:fs';
import * as fs from 'node:fs';
export async function load(paths, first = fs.readFileSync('first')) {
  return [first, readFileSync('x'), ...paths.map((path) => fs.readFileSync(path))];
}
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 4,
          column: 46,
          endLine: 4,
          endColumn: 58,
          suggestions: [],
        },
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 5,
          column: 18,
          endLine: 5,
          endColumn: 30,
          suggestions: [],
        },
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 5,
          column: 63,
          endLine: 5,
          endColumn: 75,
          suggestions: [],
        },
      ],
    },
    {
      name: 'a child without a bound, and one with',
      code: `
import { execFileSync, execSync } from 'node:child_process';
export async function head(limits) {
  execSync('git fetch');
  execFileSync('git', ['status'], { timeout: 500 });
  execFileSync('git', ['log'], limits);
}
`,
      errors: [
        {
          messageId: 'direct',
          data: {
            name: 'execSync',
            inside: 'async `head`',
            bound: ' It has no `timeout`, so it may block for ever.',
            advice: 'Await `exec`, promisified, or move it off the loop.',
          },
          line: 4,
          column: 3,
          endLine: 4,
          endColumn: 11,
        },
        {
          messageId: 'direct',
          data: {
            name: 'execFileSync',
            inside: 'async `head`',
            bound: ' Its `timeout` lets it block for 500 ms.',
            advice: 'Await `execFile`, promisified, or move it off the loop.',
          },
          line: 5,
          column: 3,
          endLine: 5,
          endColumn: 15,
        },
        {
          messageId: 'direct',
          data: {
            name: 'execFileSync',
            inside: 'async `head`',
            bound: '',
            advice: 'Await `execFile`, promisified, or move it off the loop.',
          },
          line: 6,
          column: 3,
          endLine: 6,
          endColumn: 15,
        },
      ],
    },
    {
      name: 'through functions and methods of the file, the shortest way, with what else is on the way',
      filename: '/application/session.ts',
      code: `
import { readFileSync, writeFileSync } from 'node:fs';
class Store {
  path() { return resolveRoot('.'); }
  save(text: string) { writeFileSync(this.path(), text); }
}
function resolveRoot(path: string): string { return path === '' ? resolveRoot('.') : readFileSync(path, 'utf8'); }
const store = new Store();
export async function handler(text: string) {
  store.save(text);
}
export async function other() {
  return store.path();
}
`,
      errors: [
        {
          messageId: 'path',
          data: {
            name: 'save',
            inside: 'async `handler`',
            path: 'handler → save (session.ts:10) → writeFileSync (session.ts:5)',
            more: ', and 1 more path',
            bound: '',
            advice: onTheWay('writeFile'),
          },
          line: 10,
          column: 9,
          endLine: 10,
          endColumn: 13,
        },
        {
          messageId: 'path',
          data: {
            name: 'path',
            inside: 'async `other`',
            path: 'other → path (session.ts:13) → resolveRoot (session.ts:4) → readFileSync (session.ts:7)',
            more: '',
            bound: '',
            advice: onTheWay('readFile'),
          },
          line: 13,
          column: 16,
          endLine: 13,
          endColumn: 20,
        },
      ],
    },
    {
      name: 'a blocking call that is nobody’s nearest has a report of its own',
      filename: '/application/a.ts',
      code: `
import { readFileSync, writeFileSync } from 'node:fs';
function touch(path: string) { writeFileSync(path, readFileSync(path)); }
export const handler = async (path: string) => touch(path);
`,
      errors: [
        {
          messageId: 'path',
          data: {
            name: 'touch',
            inside: 'async `handler`',
            path: 'handler → touch (a.ts:4) → writeFileSync (a.ts:3)',
            more: '',
            bound: '',
            advice: onTheWay('writeFile'),
          },
          line: 4,
          column: 48,
          endLine: 4,
          endColumn: 53,
        },
        {
          messageId: 'path',
          data: {
            name: 'touch',
            inside: 'async `handler`',
            path: 'handler → touch (a.ts:4) → readFileSync (a.ts:3)',
            more: '',
            bound: '',
            advice: onTheWay('readFile'),
          },
          line: 4,
          column: 48,
          endLine: 4,
          endColumn: 53,
        },
      ],
    },
    {
      name: 'handlers by row, by shape, by reference, wrapped and typed',
      code: `
import { readFileSync } from 'node:fs';
import express from 'express';
import type { FastifyInstance } from 'fastify';
import { wrap } from './wrap.js';
const app = express();
app.get('/a', (req, res) => res.send(readFileSync('a')));
app.use(wrap(onRequest));
function onRequest(req, res) { res.send(readFileSync('b')); }
export function routes(server: FastifyInstance) {
  server.route({ method: 'GET', url: '/c', handler: () => readFileSync('c') });
}
export function upload(req, res) { res.send(readFileSync('d')); }
export class Gateway {
  constructor(socket) { socket.on('message', this.onMessage.bind(this)); }
  onMessage() { return readFileSync('e'); }
}
`,
      errors: [
        ['a request handler', 7, 38],
        ['`onRequest`, a request handler', 9, 41],
        ['`handler`, a request handler', 11, 59],
        ['request handler `upload`', 13, 45],
        ['`Gateway.onMessage`, an event handler', 16, 24],
      ].map(([inside, line, column]) => ({
        messageId: 'direct' as const,
        data: { name: 'readFileSync', inside: String(inside), bound: '', advice: instead('readFile') },
        line: Number(line),
        column: Number(column),
        endLine: Number(line),
        endColumn: Number(column) + 12,
      })),
    },
    {
      name: 'functions that give promises, callbacks of what is asynchronous, and polls of the start',
      code: `
import { readdir, readFileSync, statSync } from 'node:fs';
export function load(path) {
  return new Promise((resolve) => resolve(readFileSync(path)));
}
export function sizes(folder, done) {
  readdir(folder, (error, names) => done(names.map((name) => statSync(name).size)));
}
async function main() {
  while (running()) {
    readFileSync('port');
    await sleep(100);
  }
}
void main();
`,
      errors: [
        ['readFileSync', 'promise-returning `load`', 4, 43, 'readFile'],
        ['statSync', 'a callback', 7, 62, 'stat'],
        ['readFileSync', 'async `main`', 11, 5, 'readFile'],
      ].map(([name, inside, line, column, twin]) => ({
        messageId: 'direct' as const,
        data: { name: String(name), inside: String(inside), bound: '', advice: instead(String(twin)) },
        line: Number(line),
        column: Number(column),
        endLine: Number(line),
        endColumn: Number(column) + String(name).length,
        ...(line === 11
          ? {
              suggestions: [
                {
                  messageId: 'awaitTwin' as const,
                  output: `
import { readdir, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
export function load(path) {
  return new Promise((resolve) => resolve(readFileSync(path)));
}
export function sizes(folder, done) {
  readdir(folder, (error, names) => done(names.map((name) => statSync(name).size)));
}
async function main() {
  while (running()) {
    await readFile('port');
    await sleep(100);
  }
}
void main();
`,
                },
              ],
            }
          : {}),
      })),
    },
    {
      name: 'probes in loops, and probes that a loop leads to',
      filename: '/application/a.ts',
      code: `
import { existsSync } from 'node:fs';
const isThere = (path: string) => existsSync(path);
export async function free(name: string) {
  while (existsSync(name)) name += '_';
  for (const path of ['a', 'b']) isThere(path);
  return isThere(name);
}
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'existsSync', inside: 'async `free`', bound: '', advice: instead('access') },
          line: 5,
          column: 10,
          endLine: 5,
          endColumn: 20,
        },
        {
          messageId: 'path',
          data: {
            name: 'isThere',
            inside: 'async `free`',
            path: 'free → isThere (a.ts:6) → existsSync (a.ts:3)',
            more: '',
            bound: '',
            advice: onTheWay('access'),
          },
          line: 6,
          column: 34,
          endLine: 6,
          endColumn: 41,
        },
      ],
    },
    {
      name: 'probes anywhere, if asked for',
      options: [{ probes: true }],
      code: `
import fs from 'node:fs';
export const has = async (path) => fs.existsSync(path);
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'existsSync', inside: 'async `has`', bound: '', advice: instead('access') },
          line: 3,
          column: 39,
          endLine: 3,
          endColumn: 49,
        },
      ],
    },
    {
      name: 'rows of the settings',
      settings: {
        'owned-spawn': {
          blocking: [
            { module: './lib/cache', path: 'loadAll', instead: '`loadLater`' },
            { module: 'slow-hash' },
          ],
          handlers: [{ module: './lib/bus', path: 'onJob', as: 'a job' }],
        },
      },
      code: `
import { loadAll } from '../lib/cache.js';
import { onJob } from '../lib/bus.js';
import slowHash from 'slow-hash';
onJob(() => loadAll());
export const hash = async (text) => slowHash(text);
`,
      errors: [
        {
          messageId: 'direct',
          data: {
            name: 'loadAll',
            inside: 'a job',
            bound: '',
            advice: 'Await `loadLater`, or move it off the loop.',
          },
          line: 5,
          column: 13,
          endLine: 5,
          endColumn: 20,
        },
        {
          messageId: 'direct',
          data: {
            name: 'slowHash',
            inside: 'async `hash`',
            bound: '',
            advice: 'Move it off the loop (`offload` of `owned-spawn/offload`).',
          },
          line: 6,
          column: 37,
          endLine: 6,
          endColumn: 45,
        },
      ],
    },
    {
      name: 'functions that are handed by name to what calls them now',
      code: `
import { writeSync } from 'node:fs';
function main() {
  writeSync(1, 'x');
}
function twice(run) {
  for (const _ of [1, 2]) run();
}
function around(run = () => {}) {
  twice(run);
}
export async function hand(list) {
  list.forEach(main);
  await new Promise(main);
  twice(main);
  around(main);
}
`,
      errors: [13, 14, 15, 16].map((line) => ({ messageId: 'path' as const, line })),
    },
    {
      name: 'a marker with a fault excuses nothing',
      code: `
import { readFileSync } from 'node:fs';
export async function direct() {
  // blocking-call: ok
  return readFileSync('pid');
}
`,
      errors: [
        {
          messageId: 'direct',
          line: 5,
          column: 10,
          endLine: 5,
          endColumn: 22,
          suggestions: [
            {
              messageId: 'awaitTwin',
              output: `
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
export async function direct() {
  // blocking-call: ok
  return await readFile('pid');
}
`,
            },
          ],
        },
      ],
    },
  ],
});
