import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { instead } from './advice.ts';

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [],
  invalid: [
    {
      name: 'in an async function, with the twin of the same import style',
      code: `
import { readFileSync } from 'node:fs';
export async function loadUser(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `loadUser`', bound: '', advice: instead('readFile') },
          line: 4,
          column: 21,
          endLine: 4,
          endColumn: 33,
          suggestions: [
            {
              messageId: 'awaitTwin',
              data: { twin: 'readFile' },
              output: `
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
export async function loadUser(path) {
  return JSON.parse(await readFile(path, 'utf8'));
}
`,
            },
          ],
        },
      ],
    },
    {
      name: 'parentheses where the result is used on the spot',
      code: `
const fs = require('fs');
exports.lines = async (path) => fs.readFileSync(path, 'utf8').split('\\n');
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `lines`', bound: '', advice: instead('readFile') },
          line: 3,
          column: 36,
          endLine: 3,
          endColumn: 48,
          suggestions: [
            {
              messageId: 'awaitTwin',
              data: { twin: 'fs.promises.readFile' },
              output: `
const fs = require('fs');
exports.lines = async (path) => (await fs.promises.readFile(path, 'utf8')).split('\\n');
`,
            },
          ],
        },
      ],
    },
    {
      name: 'the twin that the module has already, under its own name',
      code: `
import { readFileSync } from 'fs';
import fsp from 'fs/promises';
export const load = async (path) => readFileSync(path);
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 4,
          column: 37,
          endLine: 4,
          endColumn: 49,
          suggestions: [
            {
              messageId: 'awaitTwin',
              data: { twin: 'fsp.readFile' },
              output: `
import { readFileSync } from 'fs';
import fsp from 'fs/promises';
export const load = async (path) => await fsp.readFile(path);
`,
            },
          ],
        },
      ],
    },
    {
      name: 'no suggestion where its name is taken, in a callback, and in a default',
      code: `
import { readFile, readFileSync } from 'node:fs';
import * as fs from 'node:fs';
export async function load(paths, first = fs.readFileSync('first')) {
  return [first, readFileSync('x'), ...paths.map((path) => fs.readFileSync(path))];
}
`,
      errors: [
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 4,
          column: 46,
          endLine: 4,
          endColumn: 58,
          suggestions: [],
        },
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 5,
          column: 18,
          endLine: 5,
          endColumn: 30,
          suggestions: [],
        },
        {
          messageId: 'direct',
          data: { name: 'readFileSync', inside: 'async `load`', bound: '', advice: instead('readFile') },
          line: 5,
          column: 63,
          endLine: 5,
          endColumn: 75,
          suggestions: [],
        },
      ],
    },
  ],
});
