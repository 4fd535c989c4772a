import { describePairs } from './pairs.ts';

describePairs('options that are put together', {
  '_.defaults of what the caller gives': {
    leaves: `
import _ from 'lodash';
import { spawn } from 'node:child_process';
export function start(options) {
  options = _.defaults(options, { detached: true, stdio: 'ignore' });
  return spawn('a', [], options); //!
}`,
    stays: `
import _ from 'lodash';
import { spawn } from 'node:child_process';
export function start(options) {
  options = _.defaults(options, { detached: false, stdio: 'ignore' });
  return spawn('a', [], options);
}`,
  },
  '_.defaults that comes second': {
    leaves: `
import { defaults } from 'lodash';
import { spawn } from 'node:child_process';
spawn('a', [], defaults({ detached: true }, { detached: false })); //!`,
    stays: `
import { defaults } from 'lodash';
import { spawn } from 'node:child_process';
spawn('a', [], defaults({ detached: false }, { detached: true }));`,
  },
  '_.merge of nested options': {
    leaves: `
const _ = require('lodash');
const { spawn } = require('child_process');
const settings = _.merge({}, { spawn: { detached: true } }, user);
spawn('a', [], settings.spawn); //!`,
    stays: `
const _ = require('lodash');
const { spawn } = require('child_process');
const settings = _.merge({}, { spawn: { detached: true } }, { spawn: { detached: false } });
spawn('a', [], settings.spawn);`,
  },
  'Object.assign in order': {
    leaves: `
import { spawn } from 'node:child_process';
spawn('a', [], Object.assign({}, { detached: false }, { detached: true })); //!`,
    stays: `
import { spawn } from 'node:child_process';
spawn('a', [], Object.assign({}, { detached: true }, { detached: false }));`,
  },
  'util.inherits and Object.assign onto a prototype': {
    leaves: `
const { spawn } = require('child_process');
function Monitor() {}
Object.assign(Monitor.prototype, {
  options() {
    return { detached: true };
  },
  start() {
    return spawn('a', [], this.options()); //!
  },
});`,
    stays: `
const { spawn } = require('child_process');
function Monitor() {}
Object.assign(Monitor.prototype, {
  options() {
    return {};
  },
  start() {
    return spawn('a', [], this.options());
  },
});`,
  },
  '??= on an option': {
    leaves: `
import { spawn } from 'node:child_process';
export function start(options = {}) {
  options.detached ??= true;
  return spawn('a', [], options); //!
}`,
    stays: `
import { spawn } from 'node:child_process';
export function start(options = {}) {
  options.detached ??= false;
  return spawn('a', [], options);
}`,
  },
  '||= on the whole': {
    leaves: `
import { spawn } from 'node:child_process';
export function start(options) {
  options ||= { detached: true };
  return spawn('a', [], options); //!
}`,
    stays: `
import { spawn } from 'node:child_process';
export function start(options) {
  options ||= { cwd: '/' };
  return spawn('a', [], options);
}`,
  },
  'ES5 defaults': {
    leaves: `
var spawn = require('child_process').spawn;
exports.start = function (options) {
  options = options || {};
  if (options.detached === undefined) options.detached = true;
  return spawn('a', [], options); //!
};`,
    stays: `
var spawn = require('child_process').spawn;
exports.start = function (options) {
  options = options || {};
  if (options.detached === undefined) options.detached = false;
  return spawn('a', [], options);
};`,
    filename: 'a.cjs',
  },
  'in operator as a guard': {
    leaves: `
import { spawn } from 'node:child_process';
export function start(options) {
  if (!('detached' in options)) options.detached = true;
  return spawn('a', [], options); //!
}`,
    stays: `
import { spawn } from 'node:child_process';
export function start(options) {
  if ('detached' in options) delete options.detached;
  return spawn('a', [], options);
}`,
  },
  'a conditional spread on some systems': {
    leaves: `
import { spawn } from 'node:child_process';
spawn('a', [], { stdio: 'pipe', ...(process.platform === 'win32' ? {} : { detached: true }) }); //!`,
    stays: `
import { spawn } from 'node:child_process';
spawn('a', [], { stdio: 'pipe', ...(process.platform === 'win32' ? {} : { uid: 0 }) });`,
  },
  'a switch over systems': {
    leaves: `
import { spawn } from 'node:child_process';
const options = { stdio: 'ignore' };
switch (process.platform) {
  case 'darwin':
  case 'linux':
    options.detached = true;
    break;
}
spawn('a', [], options); //!`,
    stays: `
import { spawn } from 'node:child_process';
const options = { stdio: 'ignore' };
switch (process.platform) {
  case 'win32':
    options.windowsHide = true;
    break;
}
spawn('a', [], options);`,
  },
  'a copy of options': {
    leaves: `
import { spawn } from 'node:child_process';
const options = { detached: true };
const copy = structuredClone(options);
spawn('a', [], copy); //!`,
    stays: `
import { spawn } from 'node:child_process';
const options = { detached: true };
const { detached, ...copy } = structuredClone(options);
spawn('a', [], copy);`,
  },
  'what a catch clause sets': {
    leaves: `
import { spawn } from 'node:child_process';
export function go() {
  let o;
  try {
    o = { detached: true };
  } catch {
    o = {};
  }
  return spawn('x', [], o); //!
}`,
    stays: `
import { spawn } from 'node:child_process';
export function go() {
  let o;
  try {
    o = { cwd: read() };
  } catch {
    o = {};
  }
  return spawn('x', [], o);
}`,
  },
});
