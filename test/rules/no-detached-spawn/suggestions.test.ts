import { noDetachedSpawn } from '../../../rules/no-detached-spawn.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';
import { accident } from './advice.ts';

ruleTester.run('no-detached-spawn', noDetachedSpawn, {
  valid: [],
  invalid: [
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
  ],
});
