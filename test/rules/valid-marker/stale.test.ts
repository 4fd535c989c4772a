import { validMarker } from '../../../rules/valid-marker.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

const IMPORT = `import { spawn } from 'node:child_process';`;

ruleTester.run('valid-marker', validMarker, {
  valid: [
    {
      name: 'the site decides elsewhere, so nobody knows',
      code: `
${IMPORT}
export function start(options) {
  // detached-spawn: ok — its callers ask for it
  return spawn('a', [], options);
}
`,
    },
    {
      name: 'a command line with a hole may hold anything',
      code: `
import { exec } from 'node:child_process';
exec(\`\${command}\`); // detached-spawn: ok — the command ends with an ampersand
`,
    },
    {
      name: 'a call of something unknown that may start a process',
      code: `
import { launchDaemon } from './daemon.js';
// detached-spawn: ok — the daemon serves all windows
launchDaemon();
this.deps.spawn('a'); // detached-spawn: ok — the daemon serves all windows
`,
    },
    {
      name: 'markers at calls and functions that may block for all that the file tells',
      code: `
import { load } from './load.js';
import { readFileSync } from 'node:fs';
// blocking-call: ok — read once at start
export const all = () => load();
export function one(path) { // blocking-call: ok — small files on a local disk
  return readFileSync(path);
}
`,
    },
  ],
  invalid: [
    {
      code: `
${IMPORT}
// detached-spawn: ok — it outlives the window
spawn('a', [], { detached: false });
`,
      errors: [
        {
          messageId: 'stale',
          data: { what: 'the child of `child_process.spawn` does not outlive its owner' },
          line: 3,
          column: 4,
          endLine: 3,
          endColumn: 47,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
${IMPORT}
spawn('a', [], { detached: false });
`,
            },
          ],
        },
      ],
    },
    {
      name: 'markers at calls and functions that no longer block',
      code: `
import { readFile } from 'node:fs/promises';
// blocking-call: ok — read once at start
export async function load(path) {
  return JSON.parse(await readFile(path)); // blocking-call: ok — forty bytes at most
}
`,
      errors: [
        {
          messageId: 'stale',
          data: { what: '`load` does not block' },
          line: 3,
          column: 4,
          endLine: 3,
          endColumn: 42,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
import { readFile } from 'node:fs/promises';
export async function load(path) {
  return JSON.parse(await readFile(path)); // blocking-call: ok — forty bytes at most
}
`,
            },
          ],
        },
        {
          messageId: 'stale',
          data: { what: '`parse` does not block' },
          line: 5,
          column: 47,
          endLine: 5,
          endColumn: 86,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
import { readFile } from 'node:fs/promises';
// blocking-call: ok — read once at start
export async function load(path) {
  return JSON.parse(await readFile(path));
}
`,
            },
          ],
        },
      ],
    },
    {
      name: 'stale within a line',
      code: `
${IMPORT}
const child = /* detached-spawn: ok — it outlives the window */ spawn('a', { stdio: 'ignore' });
`,
      errors: [
        {
          messageId: 'stale',
          line: 3,
          column: 18,
          endLine: 3,
          endColumn: 61,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
${IMPORT}
const child = spawn('a', { stdio: 'ignore' });
`,
            },
          ],
        },
      ],
    },
  ],
});
