import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

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
      name: 'a start that is private by its name, and that others hand on',
      code: `
import { openSync } from 'node:fs';
export class Server {
  async start() {
    await this.injector.invoke(this._start, this);
  }
  async _start(config) {
    this.log = openSync(config.log, 'w');
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
let version, config, loaded = false, flags, commit;
function readCommit() {
  if (commit !== undefined) return commit;
  try {
    return (commit = readFileSync('commit', 'utf8'));
  } catch {
    return (commit = null);
  }
}
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
  readCommit();
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
      name: 'a start that serves a request, or that a request or a timer calls',
      code: `
import { openSync } from 'node:fs';
import type { Request } from 'express';
export async function start(req, res) {
  res.end(openSync('page'));
}
export async function launch(request: Request) {
  return openSync(request.path);
}
export async function serve(port) {
  return openSync('key.pem');
}
app.post('/serve', async (req, res) => res.send(await serve(1)));
async function boot() {
  return openSync('state');
}
setInterval(() => void boot(), 1000);
export async function main() {
  return openSync('jobs');
}
setInterval(main, 1000);
`,
      errors: [5, 8, 11, 15, 19].map((line) => ({ messageId: 'direct', line })),
    },
    {
      name: 'what is kept for each key, or until it is emptied, or by each object',
      code: `
import { readFileSync } from 'node:fs';
const pages = {};
let config, commit;
export const forget = () => { config = undefined; commit = undefined; };
function readCommit() {
  if (commit !== undefined) return commit;
  return (commit = readFileSync('commit'));
}
class Page {
  text() {
    this.body ??= readFileSync('page');
  }
}
setInterval((name) => {
  pages[name] ??= readFileSync(name);
  config ??= readFileSync('config');
  new Page().text();
  readCommit();
}, 1000);
`,
      errors: [
        { messageId: 'direct', line: 16 },
        { messageId: 'direct', line: 17 },
        { messageId: 'path', line: 18 },
        { messageId: 'path', line: 19 },
      ],
    },
  ],
});
