import { noDetachedSpawn } from '../../../rules/no-detached-spawn.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { accident, leaves } from './advice.ts';

ruleTester.run('no-detached-spawn', noDetachedSpawn, {
  valid: [
    `
import spawn from 'cross-spawn';
import { ownProcessGroups } from 'owned-spawn';
const child = spawn('server', [], { detached: true });
ownProcessGroups(child);
`,
    `
import { spawn } from 'node:child_process';
spawn('server', [], { stdio: 'ignore' }).unref();
`,
    {
      code: `
import { start } from 'our-spawn';
start('server', { detached: true });
`,
      settings: { 'owned-spawn': {} },
    },
  ],
  invalid: [
    {
      name: 'a launcher',
      code: `
import { spawn } from 'node:child_process';
spawn('setsid', ['server']);
`,
      errors: [
        {
          messageId: 'launcher',
          data: {
            api: 'child_process.spawn',
            leaver: '`setsid` starts `server` in a session of its own',
            advice: leaves,
          },
          line: 3,
          column: 1,
          endLine: 3,
          endColumn: 6,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
spawn('setsid', ['server']);
`,
            },
          ],
        },
      ],
    },
    {
      name: 'a command line',
      code: `
import cp from 'node:child_process';
cp.exec('server &');
`,
      errors: [
        {
          messageId: 'shell',
          data: {
            api: 'child_process.exec',
            leaver: '`&` at the end of the command leaves `server` in the background',
            advice: leaves,
          },
          line: 3,
          column: 4,
          endLine: 3,
          endColumn: 8,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import cp from 'node:child_process';
// detached-spawn: ok —
cp.exec('server &');
`,
            },
          ],
        },
      ],
    },
    {
      name: 'an option that does nothing',
      code: `
import { exec } from 'node:child_process';
exec('server', { detached: true });
`,
      errors: [
        {
          messageId: 'ignored',
          data: { api: 'child_process.exec' },
          line: 3,
          column: 1,
          endLine: 3,
          endColumn: 5,
          suggestions: [
            {
              messageId: 'removeOption',
              output: `
import { exec } from 'node:child_process';
exec('server');
`,
            },
          ],
        },
      ],
    },
    {
      name: 'spawnDetached without its reason',
      code: `
import { spawnDetached } from 'owned-spawn';
spawnDetached('server', []);
`,
      errors: [
        {
          messageId: 'noReason',
          data: { api: 'owned-spawn.spawnDetached' },
          line: 3,
          column: 1,
          endLine: 3,
          endColumn: 14,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import { spawnDetached } from 'owned-spawn';
// detached-spawn: ok —
spawnDetached('server', []);
`,
            },
          ],
        },
      ],
    },
    {
      name: 'options that are handed out',
      code: `
export function spawnOptions() {
  return { shell: true, detached: true };
}
`,
      errors: [
        {
          messageId: 'options',
          data: { option: '`detached`', advice: accident },
          line: 3,
          column: 25,
          endLine: 3,
          endColumn: 33,
          suggestions: [
            {
              messageId: 'mark',
              output: `
export function spawnOptions() {
  // detached-spawn: ok —
  return { shell: true, detached: true };
}
`,
            },
          ],
        },
      ],
    },
    {
      name: 'a wrapper that hands the option on: its caller decides',
      code: `
import { spawn } from 'node:child_process';
const launch = (file: string, options = {}) => spawn(file, [], { stdio: 'ignore', ...options });
launch('server', { detached: true });
`,
      errors: [
        {
          messageId: 'detached',
          data: { api: 'launch', option: '`detached`', advice: accident },
          line: 4,
          column: 1,
          endLine: 4,
          endColumn: 7,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
const launch = (file: string, options = {}) => spawn(file, [], { stdio: 'ignore', ...options });
// detached-spawn: ok —
launch('server', { detached: true });
`,
            },
          ],
        },
      ],
    },
    {
      name: "a row of the user's",
      settings: { 'owned-spawn': { apis: [{ module: './start', path: 'start' }] } },
      code: `
import { start } from './start.js';
start('server', { detached: true });
`,
      errors: [
        {
          messageId: 'detached',
          data: { api: './start.start', option: '`detached`', advice: accident },
          line: 3,
          column: 1,
          endLine: 3,
          endColumn: 6,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import { start } from './start.js';
// detached-spawn: ok —
start('server', { detached: true });
`,
            },
          ],
        },
      ],
    },
  ],
});
