import { noDetachedSpawn } from '../../../rules/no-detached-spawn.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { accident, meant, group } from './advice.ts';

ruleTester.run('no-detached-spawn', noDetachedSpawn, {
  valid: [
    {
      code: `
import { spawn } from 'node:child_process';
spawn('server', [], { detached: shouldDetach() });
`,
      options: [{ reportMaybe: false }],
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
  ],
});
