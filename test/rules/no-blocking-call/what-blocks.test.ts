import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { instead, onTheWay } from './advice.ts';

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [
    {
      name: 'a child that is handed the terminal',
      code: `
import { spawnSync } from 'node:child_process';
export async function edit(file) {
  spawnSync('vim', [file], { stdio: 'inherit' });
  spawnSync('less', [file], { stdio: ['inherit', 'inherit', 'inherit'] });
}
`,
    },
    {
      name: 'probes outside loops',
      code: `
import { existsSync, mkdirSync, statSync } from 'node:fs';
export async function ensure(path) {
  if (!existsSync(path)) mkdirSync(path, { recursive: true });
  return statSync(path).size;
}
`,
    },
    {
      name: 'look-alikes',
      code: `
import { flushSync } from 'react-dom';
import { Effect } from 'effect';
import { fs } from './bridge.js';
export async function work(milvus, readFileSync) {
  flushSync(() => {});
  Effect.runSync(Effect.succeed(1));
  await milvus.flushSync();
  await fs.readFileSync('x');
  return readFileSync('x');
}
`,
    },
    {
      name: 'calls that their arguments keep from blocking',
      code: `
import shell from 'shelljs';
export async function work(cells) {
  shell.exec('git fetch', { async: true });
  shell.exec('git fetch', () => {});
  Atomics.wait(cells, 0, 0, 0);
}
`,
    },
  ],
  invalid: [
    {
      name: 'a child without a bound, and one with',
      code: `
import { execFileSync, execSync } from 'node:child_process';
export async function head(limits) {
  execSync('git fetch');
  execFileSync('git', ['status'], { timeout: 500 });
  execFileSync('git', ['log'], limits);
}
`,
      errors: [
        {
          messageId: 'direct',
          data: {
            name: 'execSync',
            inside: 'async `head`',
            bound: ' It has no `timeout`, so it may block for ever.',
            advice: 'Await `exec`, promisified, or move it off the loop.',
          },
          line: 4,
          column: 3,
          endLine: 4,
          endColumn: 11,
        },
        {
          messageId: 'direct',
          data: {
            name: 'execFileSync',
            inside: 'async `head`',
            bound: ' Its `timeout` lets it block for 500 ms.',
            advice: 'Await `execFile`, promisified, or move it off the loop.',
          },
          line: 5,
          column: 3,
          endLine: 5,
          endColumn: 15,
        },
        {
          messageId: 'direct',
          data: {
            name: 'execFileSync',
            inside: 'async `head`',
            bound: '',
            advice: 'Await `execFile`, promisified, or move it off the loop.',
          },
          line: 6,
          column: 3,
          endLine: 6,
          endColumn: 15,
        },
      ],
    },
    {
      name: 'probes in loops, and probes that a loop leads to',
      filename: '/application/a.ts',
      code: `
import { existsSync } from 'node:fs';
const isThere = (path: string) => existsSync(path);
export async function free(name: string) {
  while (existsSync(name)) name += '_';
  for (const path of ['a', 'b']) isThere(path);
  return isThere(name);
}
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'existsSync', inside: 'async `free`', bound: '', advice: instead('access') },
          line: 5,
          column: 10,
          endLine: 5,
          endColumn: 20,
        },
        {
          messageId: 'path',
          data: {
            name: 'isThere',
            inside: 'async `free`',
            path: 'free → isThere (a.ts:6) → existsSync (a.ts:3)',
            more: '',
            bound: '',
            advice: onTheWay('access'),
          },
          line: 6,
          column: 34,
          endLine: 6,
          endColumn: 41,
        },
      ],
    },
    {
      name: 'probes anywhere, if asked for',
      options: [{ probes: true }],
      code: `
import fs from 'node:fs';
export const has = async (path) => fs.existsSync(path);
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'existsSync', inside: 'async `has`', bound: '', advice: instead('access') },
          line: 3,
          column: 39,
          endLine: 3,
          endColumn: 49,
        },
      ],
    },
    {
      name: 'rows of the settings',
      settings: {
        'owned-spawn': {
          blocking: [
            { module: './lib/cache', path: 'loadAll', instead: '`loadLater`' },
            { module: 'slow-hash' },
          ],
          handlers: [{ module: './lib/bus', path: 'onJob', as: 'a job' }],
        },
      },
      code: `
import { loadAll } from '../lib/cache.js';
import { onJob } from '../lib/bus.js';
import slowHash from 'slow-hash';
onJob(() => loadAll());
export const hash = async (text) => slowHash(text);
`,
      errors: [
        {
          messageId: 'direct',
          data: {
            name: 'loadAll',
            inside: 'a job',
            bound: '',
            advice: 'Await `loadLater`, or move it off the loop.',
          },
          line: 5,
          column: 13,
          endLine: 5,
          endColumn: 20,
        },
        {
          messageId: 'direct',
          data: {
            name: 'slowHash',
            inside: 'async `hash`',
            bound: '',
            advice: 'Move it off the loop (`offload` of `owned-spawn/offload`).',
          },
          line: 6,
          column: 37,
          endLine: 6,
          endColumn: 45,
        },
      ],
    },
  ],
});
