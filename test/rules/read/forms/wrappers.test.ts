import { describePairs } from './pairs.ts';

describePairs('wrappers', {
  'a promise around spawn': {
    leaves: `
import { spawn } from 'node:child_process';
const run = (cmd, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(cmd, args, options);
    child.on('exit', resolve);
    child.on('error', reject);
  });
await run('a', [], { detached: true }); //!
await run('b', [], { cwd: '/' });`,
    stays: `
import { spawn } from 'node:child_process';
const run = (cmd, args, { detached, ...options }) =>
  new Promise((resolve) => {
    spawn(cmd, args, options).on('exit', resolve);
  });
await run('a', [], { detached: true });`,
  },
  'one that decides for all': {
    leaves: `
import { spawn } from 'node:child_process';
export const launch = (cmd, options) => spawn(cmd, { ...options, detached: true }); //!
launch('a');
launch('b', { detached: false });`,
    stays: `
import { spawn } from 'node:child_process';
export const launch = (cmd, options) => spawn(cmd, { ...options, detached: false });
launch('a');
launch('b', { detached: true });`,
  },
  'a flag among the parameters': {
    leaves: `
import { spawn } from 'node:child_process';
function run(cmd, background) {
  return spawn(cmd, { detached: background });
}
run('a', true); //!
run('b', false);`,
    stays: `
import { spawn } from 'node:child_process';
function run(cmd, background) {
  return spawn(cmd, { detached: background });
}
run('a', false);
run('b');`,
  },
  'two steps': {
    leaves: `
import { spawn } from 'node:child_process';
const low = (cmd, options) => spawn(cmd, [], options);
const middle = (cmd, options = {}) => low(cmd, { stdio: 'ignore', ...options });
middle('a', { detached: true }); //!
middle('b');`,
    stays: `
import { spawn } from 'node:child_process';
const low = (cmd, options) => spawn(cmd, [], options);
const middle = (cmd, options = {}) => low(cmd, { ...options, detached: false });
middle('a', { detached: true });`,
  },
  'a method that hands its options on': {
    leaves: `
import { spawn } from 'node:child_process';
class Runner {
  run(cmd, options) {
    return spawn(cmd, [], { stdio: 'ignore', ...options });
  }
  serve() {
    return this.run('a', { detached: true }); //!
  }
  build() {
    return this.run('b', { cwd: '/' });
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
class Runner {
  run(cmd, options) {
    return spawn(cmd, [], { stdio: 'ignore', cwd: options.cwd });
  }
  serve() {
    return this.run('a', { detached: true });
  }
}`,
  },
  'a class that keeps its options': {
    leaves: `
import { spawn } from 'node:child_process';
class Child {
  constructor(cmd, options) {
    this.options = options;
    this.process = spawn(cmd, [], { detached: this.options.background });
  }
}
new Child('a', { background: true }); //!
new Child('b', { background: false });`,
    stays: `
import { spawn } from 'node:child_process';
class Child {
  constructor(cmd, options) {
    this.detached = options.detached;
    this.process = spawn(cmd, []);
  }
}
new Child('a', { detached: true });`,
  },
  'a curried one': {
    leaves: `
import { spawn } from 'node:child_process';
const withOptions = (options) => (cmd) => spawn(cmd, [], options);
const launch = withOptions({ detached: true }); //!
launch('a');`,
    stays: `
import { spawn } from 'node:child_process';
const withOptions = (options) => (cmd) => spawn(cmd, [], options);
const launch = withOptions({ cwd: '/' });
launch('a');`,
  },
  'exec of a line that is built in a helper': {
    leaves: `
import { exec } from 'node:child_process';
const inBackground = (line) => \`nohup \${line} > /dev/null 2>&1 &\`;
exec(inBackground('server')); //!`,
    stays: `
import { exec } from 'node:child_process';
const quietly = (line) => \`\${line} > /dev/null 2>&1\`;
exec(quietly('server'));`,
  },
  'a helper out of sight with options of a process': {
    leaves: `
import { spawnAsync } from './util/spawn.js';
await spawnAsync('adb', ['start-server'], { detached: true, stdio: 'ignore' }); //!`,
    stays: `
import { signMessage } from './util/sign.js';
await signMessage('text', ['key'], { detached: true });`,
  },
});

describePairs('arguments that are handed on', {
  'all of them': {
    leaves: `
import { spawn } from 'node:child_process';
function run(...args) {
  return new Promise((resolve) => spawn(...args).on('exit', resolve));
}
run('a', [], { detached: true }); //!
run('b', [], {});`,
    stays: `
import { spawn } from 'node:child_process';
function run(...args) {
  return new Promise((resolve) => spawn(...args).on('exit', resolve));
}
run('a', ['b'], { cwd: '/' });`,
  },
  'by the arguments object': {
    leaves: `
var cp = require('child_process');
function run() {
  return cp.spawn.apply(cp, arguments);
}
run('a', [], { detached: true }); //!`,
    stays: `
var cp = require('child_process');
function run() {
  return cp.spawn.apply(cp, arguments);
}
run('a', [], {});`,
    filename: 'a.cjs',
  },
  'the rest of them': {
    leaves: `
import { spawn } from 'node:child_process';
const node = (...rest) => spawn(process.execPath, ...rest);
node(['a.js'], { detached: true }); //!`,
    stays: `
import { spawn } from 'node:child_process';
const node = (...rest) => spawn(process.execPath, ...rest);
node(['a.js'], { detached: false });`,
  },
  'in an object': {
    leaves: `
import { spawn } from 'node:child_process';
const run = ({ cmd, args = [], options = {} }) => spawn(cmd, args, options);
run({ cmd: 'a', options: { detached: true } }); //!`,
    stays: `
import { spawn } from 'node:child_process';
const run = ({ cmd, args = [], options = {} }) => spawn(cmd, args, options);
run({ cmd: 'a', options: { cwd: '/' }, detached: true });`,
  },
  'a module of wrappers': {
    leaves: `
const cp = require('child_process');
module.exports = {
  run: (cmd, args, options) => cp.spawn(cmd, args, options),
  daemon(cmd, args) {
    return cp.spawn(cmd, args, { detached: true }); //!
  },
};`,
    stays: `
const cp = require('child_process');
module.exports = {
  run: (cmd, args, options) => cp.spawn(cmd, args, options),
  daemon: (cmd, args) => cp.spawn(cmd, args, { stdio: 'ignore' }),
};`,
    filename: 'a.cjs',
  },
});
