import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [
    {
      name: 'a script of a build that writes elsewhere',
      filename: 'build/types.ts',
      code: `
import { writeFileSync } from 'node:fs';
export async function emit(types) {
  writeFileSync('types.json', await types);
}
`,
    },
    {
      name: 'handlers of the end, by event, by reference and by package',
      code: `
import { rmSync, writeFileSync } from 'node:fs';
import exitHook from 'exit-hook';
const save = () => writeFileSync('state', 'x');
process.on('exit', save);
process.on('uncaughtException', (error) => writeFileSync('crash', String(error)));
process.on('SIGTERM', () => { rmSync('pid'); process.exit(143); });
process.on('SIGHUP', () => { rmSync('pid'); process.exit(129); });
exitHook(() => save());
`,
    },
    {
      name: 'code directly before the process ends',
      code: `
import { writeFileSync } from 'node:fs';
export async function fatal(error) {
  await flush();
  writeFileSync('crash.log', error.stack);
  process.exit(1);
}
`,
    },
    {
      name: 'a worker, and the branch of a file that only a worker runs',
      code: `
import { isMainThread, parentPort } from 'node:worker_threads';
import { readFileSync } from 'node:fs';
if (!isMainThread) {
  parentPort.on('message', async (path) => parentPort.postMessage(readFileSync(path)));
}
`,
    },
    {
      name: 'a file that is named a worker',
      filename: '/application/resize.worker.ts',
      code: `
import { readFileSync } from 'node:fs';
self.onmessage = ({ data }) => self.postMessage(readFileSync(data));
`,
    },
    {
      name: 'functions that are handed to a pool',
      code: `
import Piscina from 'piscina';
import { readFileSync } from 'node:fs';
const pool = new Piscina();
export const load = async (path) => pool.run(() => readFileSync(path));
`,
    },
    {
      name: 'a command with a shebang',
      code: `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
export async function build() {
  return readFileSync('package.json');
}
`,
    },
    {
      name: 'commands of a command line parser',
      code: `
import { readFileSync, writeFileSync } from 'node:fs';
import { program } from './program.js';
program.command('install').action((name) => {
  download(name).then((body) => writeFileSync(name, body));
});
program.command('show').action(async (path) => console.log(readFileSync(path, 'utf8')));
`,
    },
    ...['test/a.ts', 'src/a.test.ts', 'scripts/a.ts', 'vite.config.ts'].map((path) => ({
      name: `a file named ${path}`,
      filename: `/application/${path}`,
      code: `
import { readFileSync } from 'node:fs';
export const load = async (path: string) => readFileSync(path);
`,
    })),
    {
      name: 'guesses that are switched off or told otherwise',
      settings: { 'owned-spawn': { context: { shapes: false, offFiles: ['legacy/**'] } } },
      filename: '/application/legacy/a.ts',
      code: `
import { readFileSync } from 'node:fs';
export const load = async (path: string) => readFileSync(path);
`,
    },
    {
      name: 'functions that an API of the settings takes off the loop',
      settings: { 'owned-spawn': { offLoop: [{ module: './lib/pool', path: 'inPool' }] } },
      code: `
import { readFileSync } from 'node:fs';
import { inPool } from '../lib/pool.js';
export const load = async (path) => inPool(() => readFileSync(path));
`,
    },
  ],
  invalid: [],
});
