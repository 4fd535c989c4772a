import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { onTheWay } from './advice.ts';

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [
    {
      name: 'a synchronous function that nobody on the loop calls',
      code: `
import { readFileSync } from 'node:fs';
export const load = (path) => readFileSync(path);
`,
    },
    {
      name: 'functions that are handed by name to what is out of sight, or kept for later',
      code: `
import { writeSync } from 'node:fs';
import { programOf } from './program.js';
const kept = [];
function main() {
  writeSync(1, 'x');
}
function keep(run) {
  kept.push(run);
}
function wrap(run = () => {}) {
  return () => run();
}
export async function hand() {
  register(main);
  keep(main);
  wrap(main);
  return programOf(main, {});
}
`,
    },
  ],
  invalid: [
    {
      name: 'through functions and methods of the file, the shortest way, with what else is on the way',
      filename: '/application/session.ts',
      code: `
import { readFileSync, writeFileSync } from 'node:fs';
class Store {
  path() { return resolveRoot('.'); }
  save(text: string) { writeFileSync(this.path(), text); }
}
function resolveRoot(path: string): string { return path === '' ? resolveRoot('.') : readFileSync(path, 'utf8'); }
const store = new Store();
export async function handler(text: string) {
  store.save(text);
}
export async function other() {
  return store.path();
}
`,
      errors: [
        {
          messageId: 'path',
          data: {
            name: 'save',
            inside: 'async `handler`',
            path: 'handler → save (session.ts:10) → writeFileSync (session.ts:5)',
            more: ', and 1 more path',
            bound: '',
            advice: onTheWay('writeFile'),
          },
          line: 10,
          column: 9,
          endLine: 10,
          endColumn: 13,
        },
        {
          messageId: 'path',
          data: {
            name: 'path',
            inside: 'async `other`',
            path: 'other → path (session.ts:13) → resolveRoot (session.ts:4) → readFileSync (session.ts:7)',
            more: '',
            bound: '',
            advice: onTheWay('readFile'),
          },
          line: 13,
          column: 16,
          endLine: 13,
          endColumn: 20,
        },
      ],
    },
    {
      name: 'a blocking call that is nobody’s nearest has a report of its own',
      filename: '/application/a.ts',
      code: `
import { readFileSync, writeFileSync } from 'node:fs';
function touch(path: string) { writeFileSync(path, readFileSync(path)); }
export const handler = async (path: string) => touch(path);
`,
      errors: [
        {
          messageId: 'path',
          data: {
            name: 'touch',
            inside: 'async `handler`',
            path: 'handler → touch (a.ts:4) → writeFileSync (a.ts:3)',
            more: '',
            bound: '',
            advice: onTheWay('writeFile'),
          },
          line: 4,
          column: 48,
          endLine: 4,
          endColumn: 53,
        },
        {
          messageId: 'path',
          data: {
            name: 'touch',
            inside: 'async `handler`',
            path: 'handler → touch (a.ts:4) → readFileSync (a.ts:3)',
            more: '',
            bound: '',
            advice: onTheWay('readFile'),
          },
          line: 4,
          column: 48,
          endLine: 4,
          endColumn: 53,
        },
      ],
    },
    {
      name: 'functions that are handed by name to what calls them now',
      code: `
import { writeSync } from 'node:fs';
function main() {
  writeSync(1, 'x');
}
function twice(run) {
  for (const _ of [1, 2]) run();
}
function around(run = () => {}) {
  twice(run);
}
export async function hand(list) {
  list.forEach(main);
  await new Promise(main);
  twice(main);
  around(main);
}
`,
      errors: [13, 14, 15, 16].map((line) => ({ messageId: 'path' as const, line })),
    },
  ],
});
