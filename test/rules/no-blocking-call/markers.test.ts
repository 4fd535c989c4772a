import { noBlockingCall } from '../../../rules/no-blocking-call.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

ruleTester.run('no-blocking-call', noBlockingCall, {
  valid: [
    {
      name: 'a marker at the call, at the function that blocks, and at the call that leads there',
      code: `
import { readFileSync } from 'node:fs';
export async function direct() {
  // blocking-call: ok — forty bytes, once per process
  return readFileSync('pid');
}
// blocking-call: ok — in memory on all our systems
function uptime() {
  return readFileSync('/proc/uptime', 'utf8');
}
export const first = async () => uptime();
export const second = async () => uptime();
const slow = () => readFileSync('big');
export const third = async () => slow(); // blocking-call: ok — only the nightly job comes here
`,
    },
  ],
  invalid: [
    {
      name: 'a marker with a fault excuses nothing',
      code: `
import { readFileSync } from 'node:fs';
export async function direct() {
  // blocking-call: ok
  return readFileSync('pid');
}
`,
      errors: [
        {
          messageId: 'direct',
          line: 5,
          column: 10,
          endLine: 5,
          endColumn: 22,
          suggestions: [
            {
              messageId: 'awaitTwin',
              output: `
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
export async function direct() {
  // blocking-call: ok
  return await readFile('pid');
}
`,
            },
          ],
        },
      ],
    },
  ],
});
