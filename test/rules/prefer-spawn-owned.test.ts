import { preferSpawnOwned } from '../../rules/prefer-spawn-owned.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const IMPORT = `import { exec, execFile, fork, spawn } from 'node:child_process';`;

/** A report at the callee's name `spawn` in a line, for code whose rewriting is not in question here. */
const at = (line: number, column: number, sign: string) =>
  ({
    messageId: 'unowned',
    data: { api: 'cross-spawn', sign, to: 'spawnOwned' },
    line,
    column,
    endLine: line,
    endColumn: column + 5,
  }) as const;

const CROSS = `import spawn from 'cross-spawn';`;

ruleTester.run('prefer-spawn-owned', preferSpawnOwned, {
  valid: [
    {
      name: 'owned, or detached: nothing to say, or another rule says it',
      code: `
import { spawnOwned, forkOwned, spawnDetached } from 'owned-spawn';
import { spawn } from 'node:child_process';
class Host {
  start() {
    this.a = spawnOwned('a');
    this.b = forkOwned('b');
    this.c = spawnDetached('c', [], { why: 'shared by all sessions' });
    this.d = spawn('d', [], { detached: true });
    this.e = spawn('e', [], { detached: process.platform !== 'win32' });
  }
}
`,
    },
    {
      name: 'synchronous calls and calls that are no API',
      code: `
import { spawnSync, execSync } from 'node:child_process';
import { sync } from 'cross-spawn';
import { spawn } from './actors.js';
class Host {
  start() {
    this.a = spawnSync('a');
    this.b = execSync('b');
    this.c = sync('c');
    this.d = spawn('d');
  }
}
`,
    },
    {
      name: 'nobody keeps it',
      code: `
${IMPORT}
function notify() {
  spawn('notify-send', ['done']);
  const child = spawn('notify-send', ['done']);
  child.on('error', () => {});
  child.unref();
}
`,
    },
    {
      name: 'collected by a callback',
      code: `
${IMPORT}
class Git {
  log(callback) {
    this.a = execFile('git', ['log'], (error, stdout) => this.show(stdout));
    this.b = exec('git log', callback);
  }
}
`,
    },
    {
      name: 'awaited',
      code: `
import { execa } from 'execa';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { spawn } from 'node:child_process';
class Build {
  async run() {
    this.a = await execa('tsc');
    const b = (this.b = execa('tsc'));
    await b;
    const c = (this.c = spawn('tsc'));
    await once(c, 'exit');
    const d = (this.d = spawn('tsc'));
    await Promise.all([text(d.stdout), waitForExit(d)]);
    const e = (this.e = spawn('tsc'));
    for await (const line of e.stdout) console.log(line);
    this.f = execa('tsc').then(() => 'built');
  }
}
`,
    },
    {
      name: 'its end settles a promise',
      code: `
${IMPORT}
class Build {
  run() {
    return new Promise((resolve, reject) => {
      this.child = spawn('tsc');
      this.child.on('error', reject);
      this.child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(code))));
    });
  }
  runDirectly() {
    return new Promise((resolve) => {
      this.child = spawn('tsc').once('exit', resolve);
    });
  }
  runByOutput() {
    return new Promise((resolve) => {
      this.child = spawn('tsc');
      this.child.stdout.on('end', () => resolve());
    });
  }
  runBySettler() {
    let done;
    const finished = new Promise((resolve) => {
      done = resolve;
    });
    this.child = spawn('tsc');
    const finish = (code) => {
      if (code === 0) done(code);
    };
    this.child.on('close', (code) => finish(code));
    return finished;
  }
}
`,
    },
    {
      name: 'its end calls back',
      code: `
${IMPORT}
class Build {
  run(done, onComplete) {
    this.a = spawn('tsc');
    this.a.on('close', done);
    this.b = spawn('tsc');
    this.b.on('close', (code) => onComplete(code));
  }
}
`,
    },
    {
      name: 'its end is the end of the program',
      code: `
${IMPORT}
const state = {};
function main() {
  state.child = spawn('tool', process.argv.slice(2), { stdio: 'pipe' });
  state.child.on('exit', (code) => process.exit(code));
}
`,
    },
    {
      name: 'the terminal is handed over',
      code: `
${IMPORT}
const options = { stdio: ['inherit', 'pipe', 'pipe'] };
class Shell {
  open() {
    this.a = spawn('bash', [], { stdio: 'inherit' });
    this.b = spawn('bash', [], options);
    this.c = spawn('bash', [], { stdio: [0, 1, 2] });
    this.d = spawn('bash', [], { stdio: [process.stdin, 'pipe', 'pipe'] });
  }
}
`,
    },
    {
      name: 'a time limit',
      code: `
${IMPORT}
class Probe {
  run() {
    this.child = spawn('probe', [], { timeout: 5000 });
  }
}
function probe() {
  const child = spawn('probe');
  setTimeout(() => child.kill(), 5000);
  return { stop: () => child.kill() };
}
`,
    },
    {
      name: 'ended where it is started',
      code: `
${IMPORT}
async function test() {
  const server = spawn('server');
  process.on('exit', () => server.kill());
  await run();
  server.kill();
}
`,
    },
    {
      name: 'killed by a cancellation only',
      code: `
${IMPORT}
function search(token, signal) {
  const child = spawn('rg');
  token.onCancellationRequested(() => child.kill());
  signal.addEventListener('abort', () => child.kill());
  new Promise((resolve) => child.kill());
}
`,
    },
    {
      name: 'in a list of the function itself',
      code: `
${IMPORT}
function all(files) {
  const children = [];
  for (const file of files) children.push(spawn('lint', [file]));
  report(children.length);
}
`,
    },
    {
      name: 'returned, whatever becomes of it',
      code: `
${IMPORT}
export function run(command) {
  const child = spawn(command);
  child.on('error', report);
  return child;
}
`,
    },
    {
      name: 'returned, and counted while it runs',
      code: `
import { execa } from 'execa';
${IMPORT}
const running = new Set();
export function run(command) {
  const child = spawn(command);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
export class Runner {
  run(command) {
    return (this.last = execa(command));
  }
}
`,
    },
    {
      name: 'at the top level, kept in a variable',
      code: `
${IMPORT}
const child = spawn('git', ['log']);
child.stdout.on('data', (data) => console.log(data));
`,
    },
  ],
  invalid: [
    {
      name: 'a field',
      code: `
${IMPORT}
class Host {
  start() {
    this.server = spawn('server', [], { stdio: 'pipe' });
    this.server.on('exit', () => (this.server = undefined));
  }
}
`,
      errors: [
        {
          messageId: 'unowned',
          data: { api: 'child_process.spawn', sign: 'it is kept in `this.server`', to: 'spawnOwned' },
          line: 5,
          column: 19,
          endLine: 5,
          endColumn: 24,
          suggestions: [
            {
              messageId: 'own',
              data: { to: 'spawnOwned' },
              output: `
import { exec, execFile, fork } from 'node:child_process';
import { spawnOwned } from 'owned-spawn';
class Host {
  start() {
    this.server = spawnOwned('server', [], { stdio: 'pipe' });
    this.server.on('exit', () => (this.server = undefined));
  }
}
`,
            },
          ],
        },
      ],
    },
    {
      name: 'a worker that is expressly not detached',
      code: `
import { fork } from 'node:child_process';
let worker;
export function start() {
  worker = fork('./worker.js', [], { detached: false });
}
`,
      errors: [
        {
          messageId: 'unowned',
          data: { api: 'child_process.fork', sign: 'it is kept in `worker`', to: 'forkOwned' },
          line: 5,
          column: 12,
          endLine: 5,
          endColumn: 16,
          suggestions: [
            {
              messageId: 'own',
              output: `
import { forkOwned } from 'owned-spawn';
let worker;
export function start() {
  worker = forkOwned('./worker.js', []);
}
`,
            },
          ],
        },
      ],
    },
    {
      name: 'a command line, which has no owned form of its own',
      code: `
${IMPORT}
class Host {
  start() {
    this.server = exec('npm start');
  }
}
`,
      errors: [
        {
          messageId: 'unowned',
          data: { api: 'child_process.exec', sign: 'it is kept in `this.server`', to: 'spawnOwned' },
          line: 5,
          column: 19,
          endLine: 5,
          endColumn: 23,
          suggestions: null,
        },
      ],
    },
    {
      name: 'options that others give may detach it: no suggestion',
      code: `
${IMPORT}
class Host {
  start(options) {
    this.server = spawn('server', [], options);
  }
}
`,
      errors: [
        {
          messageId: 'unowned',
          data: { api: 'child_process.spawn', sign: 'it is kept in `this.server`', to: 'spawnOwned' },
          line: 5,
          column: 19,
          endLine: 5,
          endColumn: 24,
          suggestions: null,
        },
      ],
    },
    {
      name: 'an object of the module, a map, an alias of this, a private field, a variable around',
      code: `
${CROSS}
const state = {};
const children = new Map();
function start(id) {
  state.child = spawn('a');
  const child = spawn('b');
  children.set(id, { child, id });
}
function Host() {
  var self = this;
  self.child = spawn('c');
}
class Server {
  #child;
  start() {
    const child = spawn('d');
    this.#child = child;
  }
}
export function host() {
  let child;
  return { start: () => void (child = spawn('e')) };
}
`,
      errors: [
        at(6, 17, 'it is kept in `state.child`'),
        at(7, 17, 'it is kept in `children`'),
        at(12, 16, 'it is kept in `self.child`'),
        at(17, 19, 'it is kept in `this.#child`'),
        at(23, 39, 'it is kept in `child`'),
      ],
    },
    {
      name: 'a promise that waits for the start only',
      code: `
${CROSS}
class Host {
  start() {
    return new Promise((resolve, reject) => {
      this.child = spawn('server');
      this.child.stdout.on('data', (data) => /listening/.test(data) && resolve());
      this.child.on('exit', (code) => reject(new Error(code)));
    });
  }
  async startThen() {
    const child = (this.child = spawn('server'));
    await waitUntilReady(child);
  }
}
`,
      errors: [at(6, 20, 'it is kept in `this.child`'), at(12, 33, 'it is kept in `this.child`')],
    },
    {
      name: 'a function that others call ends it, or the end of the program does',
      code: `
${CROSS}
export function serve() {
  const child = spawn('server');
  return { stop: () => child.kill('SIGTERM') };
}
export function watch() {
  const child = spawn('watch');
  process.once('exit', () => child.kill());
}
const top = spawn('server');
function stop() {
  top.kill();
}
`,
      errors: [
        at(4, 17, "`child.kill('SIGTERM')` in line 5 ends it"),
        at(8, 17, '`child.kill()` in line 9 ends it'),
        at(11, 13, '`top.kill()` in line 13 ends it'),
      ],
    },
    {
      name: 'returned, with listeners',
      code: `
${CROSS}
export function serve(onExit) {
  const child = spawn('server');
  child.on('exit', (code) => onExit(code));
  return { child, port: 1 };
}
`,
      errors: [at(4, 17, 'it is returned, with listeners')],
    },
  ],
});
