import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { instead } from './advice.ts';

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [
    {
      name: 'shapes that are switched off',
      settings: { 'owned-spawn': { context: { shapes: false } } },
      code: `
import { readFileSync } from 'node:fs';
import { bus } from './bus.js';
bus.on('change', () => readFileSync('x'));
`,
    },
  ],
  invalid: [
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
  ],
});
