import { describePairs } from './pairs.ts';

describePairs('libraries', {
  '@expo/spawn-async': {
    leaves: `
import spawnAsync from '@expo/spawn-async';
await spawnAsync('a', [], { detached: true }); //!`,
    stays: `
import spawnAsync from '@expo/spawn-async';
await spawnAsync('a', [], { ignoreStdio: true });`,
  },
  'promisify-child-process': {
    leaves: `
const { spawn } = require('promisify-child-process');
spawn('a', [], { detached: true, encoding: 'utf8' }); //!`,
    stays: `
const { spawn } = require('promisify-child-process');
spawn('a', [], { encoding: 'utf8' });`,
  },
  'npm-execspawn': {
    leaves: `
const execspawn = require('npm-execspawn');
execspawn('a $PORT', { detached: true }); //!`,
    stays: `
const execspawn = require('npm-execspawn');
execspawn('a $PORT', { env: {} });`,
  },
  teen_process: {
    leaves: `
import { SubProcess } from 'teen_process';
this.proc = new SubProcess('a', [], { detached: true }); //!`,
    stays: `
import { SubProcess } from 'teen_process';
this.proc = new SubProcess('a', [], { cwd: '/' });`,
  },
  'execa, curried': {
    leaves: `
import { execa } from 'execa';
const background = execa({ detached: true, stdio: 'ignore' }); //!
await background('a', []);`,
    stays: `
import { execa } from 'execa';
const quiet = execa({ stdio: 'ignore' });
await quiet('a', []);`,
  },
  'execa, a tag with options': {
    leaves: `
import { execa } from 'execa';
await execa({ detached: true })\`npm run serve\`; //!`,
    stays: `
import { execa } from 'execa';
await execa({ preferLocal: true })\`npm run serve\`;`,
  },
  'zx, options first': {
    leaves: `
import { $ } from 'zx';
await $({ detached: true })\`serve\`; //!`,
    stays: `
import { $ } from 'zx';
await $({ quiet: true })\`serve\`;`,
  },
  'zx, for the whole script': {
    leaves: `
import { $ } from 'zx';
$.detached = true;
await $\`serve\`; //!
await $\`another\`;`,
    stays: `
import { $ } from 'zx';
$.verbose = true;
await $\`serve\`;`,
  },
  'zx, by its globals': {
    leaves: `
import 'zx/globals';
await $({ detached: true })\`serve\`; //!`,
    stays: `
import $ from 'jquery';
$({ detached: true });`,
    filename: 'a.mjs',
  },
  'Bun with a command in an object': {
    leaves: `
Bun.spawn({ cmd: ['sh', '-c', 'serve &'] }); //!`,
    stays: `
Bun.spawn({ cmd: ['sh', '-c', 'serve'] }).unref();`,
  },
  'Deno with a constant': {
    leaves: `
const options = { args: ['a'], detached: true };
const command = new Deno.Command('b', options); //!
command.spawn();`,
    stays: `
const options = { args: ['a'], detached: false };
const command = new Deno.Command('b', options);
command.spawn();`,
  },
});
