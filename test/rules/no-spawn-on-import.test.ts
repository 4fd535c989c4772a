import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { noSpawnOnImport } from '../../rules/no-spawn-on-import.ts';
import { isProgramFile } from '../../rules/read/program-file.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const IMPORT = `import { execSync, spawn } from 'node:child_process';`;

/** A report at a callee's name. */
const at = (
  messageId: 'forEach' | 'onImport',
  line: number,
  column: number,
  endColumn: number,
  data: Record<string, string>,
) => ({ messageId, data, line, column, endLine: line, endColumn });

const SPAWN = 'child_process.spawn';

ruleTester.run('no-spawn-on-import', noSpawnOnImport, {
  valid: [
    {
      name: 'in functions, methods, getters, instance fields and callbacks that run later',
      code: `
${IMPORT}
export function start() {
  return spawn('a');
}
export const stop = () => spawn('b');
export class Host {
  child = spawn('c');
  get other() {
    return spawn('d');
  }
}
process.on('SIGHUP', () => spawn('e'));
setTimeout(() => spawn('f'), 1000);
export const lazy = onFirst(() => spawn('g'));
`,
    },
    {
      name: 'a module without exports is a program',
      code: `
${IMPORT}
spawn('server');
export {};
export type { Server } from './server.js';
`,
    },
    {
      name: 'a program by its first line',
      code: `#!/usr/bin/env node
${IMPORT}
export const child = spawn('server');
`,
    },
    { name: 'a test', code: `${IMPORT} export const child = spawn('server');`, filename: 'server.test.ts' },
    { name: 'a config', code: `${IMPORT} export default execSync('git log');`, filename: 'vite.config.ts' },
    {
      name: 'what only the entry file of a program runs',
      code: `
${IMPORT}
export function main() {}
if (import.meta.main) spawn('a');
if (process.argv[1] === import.meta.filename) spawn('b');
require.main === module && spawn('c');
if (isMainThread) spawn('d');
(async () => {
  const [command] = process.argv.slice(2);
  if (command === 'start') spawn('e');
})();
`,
    },
    {
      name: 'a boot function of a program',
      code: `
${IMPORT}
export async function main() {
  spawn('server');
}
main();
`,
    },
    {
      name: 'loops over lists that are written down or counted',
      code: `
${IMPORT}
import os from 'node:os';
const tools = ['a', 'b'];
const children = [];
function boot() {
  for (const tool of tools) children.push(spawn(tool));
  for (const [name] of Object.entries({ a: 1 })) children.push(spawn(name));
  for (const _ of os.cpus()) children.push(spawn('worker'));
  for (let i = 0; i < config.workers; i++) children.push(spawn('worker'));
  Array.from({ length: config.workers }, () => children.push(spawn('worker')));
}
boot();
`,
    },
    {
      name: 'loops whose processes end by themselves',
      code: `
${IMPORT}
async function boot() {
  for (const file of config.files) {
    execSync(file);
    spawn(file);
    await new Promise((resolve) => spawn(file).on('close', resolve));
  }
}
boot();
`,
    },
    {
      name: 'loops in functions that others call too',
      code: `
${IMPORT}
const children = new Map();
function boot() {
  for (const { name, command } of config.servers) children.set(name, spawn(command));
}
boot();
export const restart = () => boot();
`,
    },
    {
      name: 'loops in functions that nobody here calls',
      code: `
${IMPORT}
const children = new Map();
export function boot() {
  for (const { name, command } of config.servers) children.set(name, spawn(command));
}
`,
    },
    {
      name: 'a child for each entry at its first use',
      code: `
import { spawnOwned } from 'owned-spawn';
import { onFirst } from 'owned-spawn/lazy';
const connect = onFirst((entry) => spawnOwned(entry.command));
for (const entry of config.servers) register(entry.name, () => connect(entry));
`,
    },
  ],
  invalid: [
    {
      name: 'top-level statements of a module that others import',
      code: `
${IMPORT}
export const revision = execSync('git rev-parse HEAD');
if (isWindows) spawn('chcp');
class Host {
  static child = spawn('a');
  static {
    spawn('b');
  }
}
`,
      errors: [
        at('onImport', 3, 25, 33, { api: 'child_process.execSync' }),
        at('onImport', 4, 16, 21, { api: SPAWN }),
        at('onImport', 6, 18, 23, { api: SPAWN }),
        at('onImport', 8, 5, 10, { api: SPAWN }),
      ],
    },
    {
      name: 'CommonJS, functions that are called at once, and callbacks that run at once',
      code: `
const { spawn } = require('child_process');
module.exports = {};
(function () {
  spawn('a');
})();
(async () => {
  await spawn('b');
})();
(() => spawn('c')).call(this);
['d'].forEach((name) => spawn(name));
new Promise((resolve) => spawn('e').on('close', resolve));
`,
      errors: [
        at('onImport', 5, 3, 8, { api: SPAWN }),
        at('onImport', 8, 9, 14, { api: SPAWN }),
        at('onImport', 10, 8, 13, { api: SPAWN }),
        at('onImport', 11, 25, 30, { api: SPAWN }),
        at('onImport', 12, 26, 31, { api: SPAWN }),
      ],
    },
    {
      name: 'a child for each configured entry, in a program too',
      code: `
${IMPORT}
import { config } from './config.js';
const children = new Map();
for (const { name, command } of config.servers) {
  children.set(name, spawn(command));
}
`,
      errors: [at('forEach', 6, 22, 27, { api: SPAWN, list: 'config.servers' })],
    },
    {
      name: 'through functions that the top level calls',
      code: `
${IMPORT}
const children = new Map();
function start(name, { command, args }) {
  const child = spawn(command, args);
  children.set(name, child);
}
async function main() {
  const { servers } = await loadConfig();
  for (const [name, entry] of Object.entries(servers)) start(name, entry);
}
main().catch(console.error);
`,
      errors: [at('forEach', 5, 17, 22, { api: SPAWN, list: 'Object.entries(servers)' })],
    },
    {
      name: 'through methods and functions that are handed over, owned or not',
      code: `
import { spawnOwned } from 'owned-spawn';
class Gateway {
  start() {
    this.config.servers.filter(isEnabled).map((entry) => this.run(entry));
  }
  run({ command }) {
    spawnOwned(command);
  }
}
const gateway = new Gateway();
gateway.start();
function run({ command }) {
  spawnOwned(command);
}
readPlugins().forEach(run);
`,
      errors: [
        at('forEach', 8, 5, 15, {
          api: 'owned-spawn.spawnOwned',
          list: 'this.config.servers.filter(isEnabled)',
        }),
        at('forEach', 14, 3, 13, { api: 'owned-spawn.spawnOwned', list: 'readPlugins()' }),
      ],
    },
  ],
});

describe('files that are programs', () => {
  let root: string;
  before(() => {
    root = join(mkdtempSync(join(tmpdir(), 'owned-spawn-scripts-')), 'test/app');
    const files = {
      'package.json': '{ "workspaces": ["packages/*"] }',
      'packages/a/package.json': '{ "bin": { "a": "./dist/cli.js" } }',
      'packages/b/package.json': '{ "bin": "main.js" }',
      'packages/c/package.json': '{ "bin": ',
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  });
  after(() => {
    rmSync(dirname(dirname(root)), { recursive: true });
  });

  const programs = [
    'packages/a/dist/cli.js',
    'packages/b/main.js',
    'packages/a/scripts/build.js',
    'scripts/x/build.js',
    'packages/a/bin/x.js',
    'packages/a/src/__tests__/x.ts',
    'packages/a/src/x.spec.ts',
    'webpack.config.base.js',
    'Gruntfile.js',
    '.github/upload.mjs',
  ];
  const modules = ['packages/a/dist/index.js', 'packages/a/src/x.ts', 'src/latest.ts', 'packages/c/main.js'];
  for (const name of [...programs, ...modules]) {
    it(`${programs.includes(name) ? 'are' : 'are not'} ${name}`, () => {
      assert.equal(isProgramFile(join(root, name), ''), programs.includes(name));
    });
  }
});
