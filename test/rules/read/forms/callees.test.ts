import { describePairs } from './pairs.ts';

describePairs('callees that are handed in', {
  'a parameter of a factory with a default in an object': {
    leaves: `
import { spawn as nodeSpawn } from 'node:child_process';
export const makeLauncher = ({ spawn = nodeSpawn, log } = {}) => ({
  start: (cmd) => spawn(cmd, [], { detached: true }), //!
});`,
    stays: `
import { spawn as nodeSpawn } from 'node:child_process';
export const makeLauncher = ({ spawn = nodeSpawn, log } = {}) => ({
  start: (cmd) => spawn(cmd, [], { detached: false }),
});`,
  },
  'a function that is named spawnFn': {
    leaves: `
import { spawn } from 'child_process';
export function startDaemon(deps) {
  const spawnFn = deps.spawn || spawn;
  return spawnFn(process.execPath, [], { detached: true, stdio: 'ignore' }); //!
}`,
    stays: `
export function startDaemon(deps) {
  const spawnFn = deps.spawnEnemy || (() => {});
  return spawnFn('orc', { detached: true });
}`,
  },
  'a constructor that keeps its dependencies': {
    leaves: `
const cp = require('child_process');
class Runner {
  constructor(deps = { spawn: cp.spawn }) {
    this.deps = deps;
  }
  start() {
    return this.deps.spawn('a', [], { detached: true }); //!
  }
}`,
    stays: `
class Runner {
  constructor(deps = { spawn: createSprite }) {
    this.deps = deps;
  }
  start() {
    return this.deps.spawn('a', { detached: true });
  }
}`,
  },
  'a parameter property': {
    leaves: `
import { spawn } from 'node:child_process';
export class Runner {
  constructor(private readonly start: typeof spawn = spawn) {}
  go() {
    this.start('a', [], { detached: true }); //!
  }
}`,
    stays: `
export class Runner {
  constructor(private readonly start: (panel: object) => void) {}
  go() {
    this.start({ detached: true });
  }
}`,
  },
  'a private field': {
    leaves: `
import cp from 'node:child_process';
class Runner {
  #spawn = cp.spawn;
  go() {
    this.#spawn('a', { detached: true }); //!
  }
}`,
    stays: `
class Runner {
  #spawn = (name, options) => new Entity(name, options);
  go() {
    this.#spawn('a', { detached: true });
  }
}`,
  },
  'a static method that is kept': {
    leaves: `
import { spawn } from 'node:child_process';
class Runner {
  static spawn = spawn;
  static go() {
    Runner.spawn('a', { detached: true }); //!
  }
}`,
    stays: `
class Runner {
  static spawn(name, { detached }) {
    return { name, detached };
  }
  static go() {
    Runner.spawn('a', { detached: true });
  }
}`,
  },
  'a module object that tests replace': {
    leaves: `
import * as childProcess from 'node:child_process';
export const internals = { spawn: childProcess.spawn };
export const go = () => internals.spawn('a', { detached: true }); //!`,
    stays: `
import * as childProcess from 'node:child_process';
export const internals = { spawn: (name, options) => register(name, options) };
export const go = () => internals.spawn('a', { detached: true });`,
  },
  'a container of modules by name': {
    leaves: `
class Service {
  constructor($childProcess) {
    this.$childProcess = $childProcess;
  }
  run() {
    return this.$childProcess.spawn('emulator', ['-avd', 'x'], { stdio: 'ignore', detached: true }); //!
  }
}`,
    stays: `
class Service {
  run() {
    this.$log.trace('spawned emulator', { stdio: 'ignore', detached: true });
  }
}`,
  },
  'a choice of two': {
    leaves: `
import { spawn } from 'child_process';
import crossSpawn from 'cross-spawn';
const run = process.platform === 'win32' ? crossSpawn : spawn;
run('a', [], { detached: true }); //!`,
    stays: `
import { spawn } from 'child_process';
import crossSpawn from 'cross-spawn';
const run = process.platform === 'win32' ? crossSpawn : spawn;
run('a', [], { stdio: 'inherit' });`,
  },
  'a promisified function': {
    leaves: `
import { promisify } from 'node:util';
import { fork } from 'node:child_process';
const start = promisify(fork);
start('./a.js', [], { detached: true }); //!`,
    stays: `
import { promisify } from 'node:util';
import { sign } from './openpgp.js';
const signed = promisify(sign);
signed('text', [], { detached: true });`,
  },
  'Reflect.apply with a list': {
    leaves: `
const { spawn } = require('child_process');
const args = ['a', [], { detached: true }];
Reflect.apply(spawn, undefined, args); //!`,
    stays: `
const { spawn } = require('child_process');
const args = ['a', [], { detached: false }];
Reflect.apply(spawn, undefined, args);`,
  },
  'apply with a list': {
    leaves: `
const cp = require('child_process');
const args = ['a', [], { detached: true }];
cp.spawn.apply(cp, args); //!`,
    stays: `
const cp = require('child_process');
const args = ['a', [], {}];
cp.spawn.apply(cp, args);`,
  },
  'spread arguments from a constant': {
    leaves: `
const { spawn } = require('child_process');
const command = ['a', ['b'], { detached: true }];
spawn(...command); //!`,
    stays: `
const { spawn } = require('child_process');
const command = ['a', ['b'], { detached: false }];
spawn(...command);`,
  },
  'a bound function with options': {
    leaves: `
import { fork } from 'node:child_process';
const start = fork.bind(null, './worker.js', [], { detached: true });
start(); //!`,
    stays: `
import { fork } from 'node:child_process';
const start = fork.bind(null, './worker.js', []);
start();`,
  },
  'optional calls': {
    leaves: `
import * as cp from 'node:child_process';
cp?.spawn?.('a', [], { detached: true })?.unref(); //!`,
    stays: `
import * as cp from 'node:child_process';
cp?.spawn?.('a', [], { detached: void 0 })?.unref();`,
  },
  'a lazy getter': {
    leaves: `
const lazy = {
  get cp() {
    return require('child_process');
  },
};
lazy.cp.spawn('a', { detached: true }); //!`,
    stays: `
const lazy = {
  get cp() {
    return require('./control-panel');
  },
};
lazy.cp.spawn('a', { detached: true });`,
  },
  'an async import that is kept': {
    leaves: `
let cp;
export async function go() {
  cp ??= await import('node:child_process');
  cp.spawn('a', { detached: true }); //!
}`,
    stays: `
let cp;
export async function go() {
  cp ??= await import('./sprites.js');
  cp.spawn('a', { detached: true });
}`,
  },
  'a require that is guarded': {
    leaves: `
let cp;
try {
  cp = require('child_process');
} catch {
  cp = null;
}
if (cp) cp.spawn('a', { detached: true }); //!`,
    stays: `
let cp;
try {
  cp = require('./physics');
} catch {
  cp = null;
}
if (cp) cp.spawn('a', { detached: true });`,
  },
});

describePairs('requests of the module', {
  'the require of Electron': {
    leaves: `
const { spawn } = window.require('child_process');
spawn('a', [], { detached: true }); //!`,
    stays: `
const { spawn } = window.require('./sprites');
spawn('a', { detached: true });`,
  },
  'a require that bundlers leave alone': {
    leaves: `
const cp = __non_webpack_require__('child_process');
cp.spawn('a', { detached: true }); //!
process.mainModule.require('child_process').spawn('b', { detached: true }); //!
module.require('child_process').spawn('c', { detached: true }); //!`,
    stays: `
const cp = __non_webpack_require__('./sprites');
cp.spawn('a', { detached: true });`,
  },
  'the real module under a mock': {
    leaves: `
const { spawn } = jest.requireActual('child_process');
const cp = await vi.importActual('node:child_process');
spawn('a', { detached: true }); //!
cp.spawn('a', { detached: true }); //!`,
    stays: `
const { spawn } = jest.requireActual('../sprites');
spawn('a', { detached: true });`,
  },
  'several imports at once': {
    leaves: `
const [{ spawn }, fs] = await Promise.all([import('node:child_process'), import('node:fs')]);
spawn('a', [], { detached: true }); //!`,
    stays: `
const [fs, { spawn }] = await Promise.all([import('node:child_process'), import('./sprites.js')]);
spawn('a', { detached: true });`,
  },
  'an import with then': {
    leaves: `
import('child_process').then((cp) => cp.default.spawn('a', { detached: true })); //!`,
    stays: `
import('./sprites.js').then((cp) => cp.default.spawn('a', { detached: true }));`,
  },
  AMD: {
    leaves: `
define(['path', 'child_process'], function (path, cp) {
  cp.spawn('a', { detached: true }); //!
});`,
    stays: `
define(['child_process', 'sprites'], function (cp, sprites) {
  sprites.spawn('a', { detached: true });
});`,
    filename: 'a.js',
  },
});
