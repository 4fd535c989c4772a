import { preferSpawnOwned } from '../../../rules/prefer-spawn-owned.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

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
  valid: [],
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
