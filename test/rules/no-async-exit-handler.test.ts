import { noAsyncExitHandler } from '../../rules/no-async-exit-handler.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

ruleTester.run('no-async-exit-handler', noAsyncExitHandler, {
  valid: [
    {
      name: 'synchronous work, and an async handler that awaits nothing',
      code: `
import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync('state', 'x'));
process.on('exit', async () => { writeFileSync('state', 'x'); });
`,
    },
    {
      name: 'events after which the loop goes on',
      code: `
process.on('beforeExit', async () => { await flush(); });
process.on('SIGTERM', async () => { await flush(); process.exit(); });
process.on('uncaughtException', async () => { await flush(); process.exit(1); });
`,
    },
    {
      name: 'the exit of somebody else',
      code: `
import { spawn } from 'node:child_process';
import { asyncExitHook } from 'exit-hook';
spawn('server').on('exit', async () => { await restart(); });
asyncExitHook(async () => { await flush(); }, { wait: 500 });
function on(process) { process.on('exit', async () => { await flush(); }); }
`,
    },
  ],
  invalid: [
    {
      name: 'handlers that await, in place, by reference, and of packages',
      code: `
import process from 'node:process';
import exitHook from 'exit-hook';
import { onExit } from 'signal-exit';
process.on('exit', async () => {
  await flush();
});
process.once('exit', save);
async function save() { for await (const part of parts()) write(part); }
exitHook(async function () { await flush(); });
onExit(save);
`,
      errors: [
        { messageId: 'awaits', line: 5, column: 20, endLine: 5, endColumn: 32 },
        { messageId: 'awaits', line: 8, column: 22, endLine: 8, endColumn: 26 },
        { messageId: 'awaits', line: 10, column: 10, endLine: 10, endColumn: 28 },
        { messageId: 'awaits', line: 11, column: 8, endLine: 11, endColumn: 12 },
      ],
    },
    {
      name: 'handlers that start what goes on later',
      code: `
import { promises } from 'node:fs';
import { writeFile } from 'node:fs/promises';
process.on('exit', () => { void writeFile('state', 'x'); });
process.on('exit', () => promises.rm('pid'));
process.on('exit', () => { void save(); });
const save = async () => { await flush(); };
`,
      errors: [
        { messageId: 'leaves', data: { name: 'writeFile' }, line: 4, column: 20, endLine: 4, endColumn: 26 },
        { messageId: 'leaves', data: { name: 'rm' }, line: 5, column: 20, endLine: 5, endColumn: 26 },
        { messageId: 'leaves', data: { name: 'save' }, line: 6, column: 20, endLine: 6, endColumn: 26 },
      ],
    },
  ],
});
