import { noDetachedSpawn } from '../../../rules/no-detached-spawn.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { accident } from './advice.ts';

ruleTester.run('no-detached-spawn', noDetachedSpawn, {
  valid: [
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
  ],
  invalid: [
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
              messageId: 'own',
              data: { to: 'ownProcessGroups' },
              output: `
import { spawn } from 'node:child_process';
// detached-spawn: ok —
export const server = execa('server', [], { detached: true });
ownProcessGroups(server);
import { execa } from 'execa';
import { ownProcessGroups } from 'owned-spawn';
`,
            },
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
  ],
});
