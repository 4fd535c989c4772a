import { noDetachedSpawn } from '../../rules/no-detached-spawn.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const mark = 'say why in a marker: `// detached-spawn: ok — …`';
const accident = `If it must end with its owner, start it with \`spawnOwned\`; if not, ${mark}.`;
const meant = (signal: string) => `It seems meant (${signal}): ${mark}.`;
const group = (signal: string) =>
  `It seems to be for ending the whole group (${signal}): start it with \`spawnOwned\`, which does that.`;
const leaves = `If it is meant, ${mark}; if not, start it with \`spawnOwned\` without that.`;

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
    `
import { spawn } from 'node:child_process';
// detached-spawn: ok — the update replaces this program
spawn('updater', [], { detached: true });
`,
    `
import { spawn } from 'node:child_process';
const options = {
  // detached-spawn: ok — the update replaces this program
  detached: true,
};
spawn('updater', [], options);
`,
    {
      code: `
import { spawn } from 'node:child_process';
spawn('server', [], { detached: shouldDetach() });
`,
      options: [{ reportMaybe: false }],
    },
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
      name: 'an accident: the rewrite comes first',
      code: `
import { spawn } from 'node:child_process';
export const server = spawn('server', [], { detached: true });
`,
      errors: [
        {
          messageId: 'detached',
          data: { api: 'child_process.spawn', option: '`detached`', advice: accident },
          line: 3,
          column: 23,
          endLine: 3,
          endColumn: 28,
          suggestions: [
            {
              messageId: 'own',
              data: { to: 'spawnOwned' },
              output: `
import { spawnOwned } from 'owned-spawn';
export const server = spawnOwned('server', []);
`,
            },
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
export const server = spawn('server', [], { detached: true });
`,
            },
          ],
        },
      ],
    },
    {
      name: 'meant to outlive: the marker comes first',
      code: `
import { spawn } from 'node:child_process';
const child = spawn('server', [], {
  detached: true,
  stdio: 'ignore',
});
child.unref();
`,
      errors: [
        {
          messageId: 'detached',
          data: {
            api: 'child_process.spawn',
            option: '`detached` in line 4',
            advice: meant('`.unref()`'),
          },
          line: 3,
          column: 15,
          endLine: 3,
          endColumn: 20,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
const child = spawn('server', [], {
  detached: true,
  stdio: 'ignore',
});
child.unref();
`,
            },
            {
              messageId: 'own',
              data: { to: 'spawnOwned' },
              output: `
import { spawnOwned } from 'owned-spawn';
const child = spawnOwned('server', [], {
  stdio: 'ignore',
});
child.unref();
`,
            },
          ],
        },
      ],
    },
    {
      name: 'a group kill at exit outweighs unref',
      code: `
import { spawn } from 'node:child_process';
const child = spawn('server', { detached: true });
child.unref();
process.on('exit', () => process.kill(-child.pid));
`,
      errors: [
        {
          messageId: 'detached',
          data: {
            api: 'child_process.spawn',
            option: '`detached`',
            advice: group(`its group is killed on 'exit'`),
          },
          line: 3,
          column: 15,
          endLine: 3,
          endColumn: 20,
          suggestions: [
            {
              messageId: 'own',
              data: { to: 'spawnOwned' },
              output: `
import { killOwned, spawnOwned } from 'owned-spawn';
const child = spawnOwned('server');
child.unref();
process.on('exit', () => void killOwned(child));
`,
            },
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
const child = spawn('server', { detached: true });
child.unref();
process.on('exit', () => process.kill(-child.pid));
`,
            },
          ],
        },
      ],
    },
    {
      name: 'where the runtime is not installed, the suggestion says how to get it',
      filename: '/nowhere/a.ts',
      code: `
import { fork } from 'node:child_process';
export const worker = fork('./worker.js', { detached: true });
`,
      errors: [
        {
          messageId: 'detached',
          data: { api: 'child_process.fork', option: '`detached`', advice: accident },
          line: 3,
          column: 23,
          endLine: 3,
          endColumn: 27,
          suggestions: [
            {
              messageId: 'ownAfterInstall',
              data: { to: 'forkOwned' },
              output: `
import { forkOwned } from 'owned-spawn';
export const worker = forkOwned('./worker.js');
`,
            },
            {
              messageId: 'mark',
              output: `
import { fork } from 'node:child_process';
// detached-spawn: ok —
export const worker = fork('./worker.js', { detached: true });
`,
            },
          ],
        },
      ],
    },
    {
      name: 'CommonJS: the request is replaced in its own style',
      filename: 'a.cjs',
      code: `#!/usr/bin/env node
'use strict'
const { spawn } = require('child_process')
module.exports = () => spawn('server', [], { detached: true })
`,
      errors: [
        {
          messageId: 'detached',
          data: { api: 'child_process.spawn', option: '`detached`', advice: accident },
          line: 4,
          column: 24,
          endLine: 4,
          endColumn: 29,
          suggestions: [
            {
              messageId: 'own',
              data: { to: 'spawnOwned' },
              output: `#!/usr/bin/env node
'use strict'
const { spawnOwned } = require('owned-spawn')
module.exports = () => spawnOwned('server', [])
`,
            },
            {
              messageId: 'mark',
              output: `#!/usr/bin/env node
'use strict'
const { spawn } = require('child_process')
// detached-spawn: ok —
module.exports = () => spawn('server', [], { detached: true })
`,
            },
          ],
        },
      ],
    },
    {
      name: 'TSX: types and markup around the call',
      filename: 'a.tsx',
      code: `
import { spawn } from 'node:child_process';
export const Start = <T,>({ cmd }: { cmd: T & string }) => (
  <button detached onClick={() => void spawn(cmd, { detached: true } as const)}>
    start
  </button>
);
`,
      errors: [
        {
          messageId: 'detached',
          data: { api: 'child_process.spawn', option: '`detached`', advice: accident },
          line: 4,
          column: 40,
          endLine: 4,
          endColumn: 45,
          suggestions: [
            {
              messageId: 'own',
              data: { to: 'spawnOwned' },
              output: `
import { spawnOwned } from 'owned-spawn';
export const Start = <T,>({ cmd }: { cmd: T & string }) => (
  <button detached onClick={() => void spawnOwned(cmd, {} as const)}>
    start
  </button>
);
`,
            },
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
export const Start = <T,>({ cmd }: { cmd: T & string }) => (
  <button detached onClick={() => void spawn(cmd, { detached: true } as const)}>
    start
  </button>
);
`,
            },
          ],
        },
      ],
    },
    {
      name: 'decided at run time',
      code: `
import { spawn } from 'node:child_process';
export const server = spawn('server', [], { detached: shouldDetach() });
`,
      errors: [
        {
          messageId: 'maybe',
          data: {
            api: 'child_process.spawn',
            option: '`detached`',
            why: 'shouldDetach()',
            advice: accident,
          },
          line: 3,
          column: 23,
          endLine: 3,
          endColumn: 28,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
export const server = spawn('server', [], { detached: shouldDetach() });
`,
            },
          ],
        },
      ],
    },
    {
      name: 'a marker without a reason excuses nothing',
      code: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
export const server = execa('server', [], { detached: true });
import { execa } from 'execa';
`,
      errors: [
        {
          messageId: 'detached',
          data: { api: 'execa', option: '`detached`', advice: accident },
          line: 4,
          column: 23,
          endLine: 4,
          endColumn: 28,
          suggestions: [
            {
              messageId: 'mark',
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
// detached-spawn: ok —
export const server = execa('server', [], { detached: true });
import { execa } from 'execa';
`,
            },
          ],
        },
      ],
    },
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
