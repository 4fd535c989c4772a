import { describePairs } from './pairs.ts';

describePairs('values', {
  'what is true': {
    leaves: `
import { spawn } from 'node:child_process';
spawn('a', { detached: 1 }); //!
spawn('a', { detached: !false }); //!
spawn('a', { detached: Boolean(1) }); //!
spawn('a', { detached: true && true }); //!
spawn('a', { detached: 'yes' }); //!
spawn('a', { ['det' + 'ached']: true }); //!
spawn('a', Object.freeze({ detached: true })); //!`,
    stays: `
import { spawn } from 'node:child_process';
spawn('a', { detached: 0 });
spawn('a', { detached: !true });
spawn('a', { detached: Boolean('') });
spawn('a', { detached: true && false });
spawn('a', { detached: '' });
spawn('a', { ['attach' + 'ed']: true });
spawn('a', Object.freeze({ detached: null }));`,
  },
  'what is true on some systems': {
    leaves: `
import { spawn } from 'node:child_process';
import os from 'node:os';
spawn('a', { detached: os.type() !== 'Windows_NT' }); //!
spawn('a', { detached: !/^win/.test(process.platform) }); //!
spawn('a', { detached: ['darwin', 'linux'].includes(process.platform) }); //!
spawn('a', { detached: process.platform.indexOf('win') !== 0 }); //!
spawn('a', { detached: !isWin32() }); //!`,
    stays: `
import { spawn } from 'node:child_process';
spawn('a', { windowsHide: process.platform === 'win32' });
spawn('a', { shell: isWin32(), detached: false });`,
  },
  'a variable that is set on some systems': {
    leaves: `
import { spawn } from 'node:child_process';
let detached = false;
if (process.platform !== 'win32') {
  detached = true;
}
spawn('a', { detached }); //!`,
    stays: `
import { spawn } from 'node:child_process';
let detached = true;
detached = false;
spawn('a', { detached });`,
  },
  'what a caller gives under another name': {
    leaves: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function capture(command, options) {
  return build(command, options);
}
capture('a', { background: true }); //!
export const run = (command) => build(command, { background: mode }); //!
export const either = (command, { background }) => build(command, { background: background || mode }); //!`,
    stays: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function capture(command, options) {
  return build(command, options);
}
export const named = (command, { background }) => build(command, { background });
export async function awaited(command, options) {
  return await build(command, { ...options, stdio: 'pipe' });
}
export const renamed = (command, options) => build(command, { background: options.quiet && options.later });
capture('a', { background: false });`,
  },
  'what a function sets of what it is given': {
    leaves: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function exec(command, options) {
  if (options) options.background = process.platform === 'win32' ? false : options.background;
  const child = build(command, options); //!
  if (options?.background) child.unref();
}`,
    stays: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options?.background });
}
export function exec(command, options) {
  if (options) options.stdio = 'ignore';
  const copy = {};
  copy.background = options.background;
  build(command, copy);
  return build(command, options);
}`,
  },
  'what a method is given under another name': {
    leaves: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options.background || process.env.BACKGROUND });
}
export class Runner {
  capture(command, options) {
    return build(command, options); //!
  }
}`,
    stays: `
import { execa } from 'execa';
function build(command, options) {
  return execa(command, [], { detached: options.background });
}
export class Runner {
  capture(command, options) {
    return build(command, options);
  }
}`,
  },
  'a field that is set by the system': {
    leaves: `
import { spawn } from 'node:child_process';
class Runner {
  isWindows = process.platform === 'win32';
  options() {
    return { cwd: '/', detached: !this.isWindows };
  }
  go() {
    spawn('a', this.options()); //!
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
class Runner {
  detached = false;
  go() {
    spawn('a', { detached: this.detached });
  }
}`,
  },
  'a renamed option with a default': {
    leaves: `
import { spawn } from 'node:child_process';
export function start({ background: detached = true, ...rest } = {}) {
  return spawn('a', { ...rest, detached }); //!
}`,
    stays: `
import { spawn } from 'node:child_process';
export function start({ background: detached = false, ...rest } = {}) {
  return spawn('a', { cwd: rest.cwd, detached: false });
}`,
  },
  'a parameter that is spread over': {
    leaves: `
import { spawn } from 'node:child_process';
export function start(options) {
  options = { ...options, detached: true };
  return spawn('a', options); //!
}`,
    stays: `
import { spawn } from 'node:child_process';
export function start(options) {
  options = { ...options, detached: false };
  return spawn('a', options);
}`,
  },
  'Object.assign onto this': {
    leaves: `
import { spawn } from 'node:child_process';
class Runner {
  constructor() {
    Object.assign(this, { options: { detached: true } });
  }
  go() {
    spawn('a', this.options); //!
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
class Runner {
  constructor() {
    Object.assign(this, { options: { cwd: '/' } });
  }
  go() {
    spawn('a', this.options);
  }
}`,
  },
  'a table that is looped over': {
    leaves: `
import { spawn } from 'node:child_process';
const services = [
  { cmd: 'a', options: { detached: true } },
  { cmd: 'b', options: {} },
];
for (const { cmd, options } of services) spawn(cmd, options); //!`,
    stays: `
import { spawn } from 'node:child_process';
const services = [
  { cmd: 'a', options: { cwd: '/' } },
  { cmd: 'b', options: {} },
];
for (const { cmd, options } of services) spawn(cmd, options);`,
  },
  'a table that is mapped': {
    leaves: `
import { spawn } from 'node:child_process';
[{ cmd: 'a', options: { detached: true } }].map((each) => spawn(each.cmd, each.options)); //!`,
    stays: `
import { spawn } from 'node:child_process';
[{ cmd: 'a', options: { detached: false } }].map((each) => spawn(each.cmd, each.options));`,
  },
  'a constant of a TypeScript namespace': {
    leaves: `
import { spawn } from 'node:child_process';
const enum Mode { Daemon }
export abstract class Defaults {
  protected static readonly options = { detached: true } as const;
}
class Runner extends Defaults {
  go() {
    return spawn('a', Runner.options); //!
  }
}`,
    stays: `
import { spawn } from 'node:child_process';
export abstract class Defaults {
  protected static readonly options = { cwd: '/' } as const;
}
class Runner extends Defaults {
  go() {
    return spawn('a', Runner.options);
  }
}`,
  },
});
