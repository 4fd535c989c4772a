import { noHotPoll } from '../../rules/no-hot-poll.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const hot = (
  what: string,
  everyMs: number,
  name: string,
  at: number,
  [line, column, endColumn]: [number, number, number],
  minEveryMs = 5000,
) => ({
  messageId: 'hot' as const,
  data: { what, everyMs: String(everyMs), minEveryMs: String(minEveryMs), name, line: String(at) },
  line,
  column,
  endLine: line,
  endColumn,
});

ruleTester.run('no-hot-poll', noHotPoll, {
  valid: [
    {
      name: 'polls that are slow enough, ask nobody, or pause for a time that is not known',
      code: `
import { stat } from 'node:fs/promises';
const MINUTE = 60 * 1000;
setInterval(() => stat('x'), MINUTE);
setInterval(() => render(), 100);
setInterval(() => stat('x'), settings.pause);
setTimeout(() => stat('x'), 10);
`,
    },
    {
      name: 'a watcher, and a loop that ends',
      code: `
import { stat, watch } from 'node:fs/promises';
setInterval(() => watch('x'), 100);
export async function each(paths) {
  for (const path of paths) { await stat(path); await sleep(100); }
}
`,
    },
    {
      name: 'a test',
      filename: '/application/test/a.ts',
      code: `
import { stat } from 'node:fs/promises';
setInterval(() => stat('x'), 10);
`,
    },
  ],
  invalid: [
    {
      name: 'intervals, through functions of the file',
      code: `
import { stat } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import Database from 'better-sqlite3';
const SECOND = 1000;
const db = new Database('a.db');
setInterval(() => stat('x'), 2 * SECOND);
setInterval(check, 500);
setInterval(() => process.kill(pid, 0), 250);
setInterval(() => db.prepare('select 1').get(), 10);
async function check() { return probe(); }
const probe = () => execFile('git', ['status']);
`,
      errors: [
        hot('the disk', 2000, 'stat', 7, [7, 1, 12]),
        hot('a process', 500, 'execFile', 12, [8, 1, 12]),
        hot('a process', 250, 'kill', 9, [9, 1, 12]),
        hot('a database', 10, 'get', 10, [10, 1, 12]),
      ],
    },
    {
      name: 'timeouts that set themselves again, and loops that sleep',
      code: `
import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
function poll() { stat('a'); setTimeout(poll, 500); }
function tick() { stat('b'); setTimeout(() => tick(), 400); }
export async function first() { while (true) { await stat('c'); await sleep(300); } }
export async function second() { for (;;) { await stat('d'); await wait(200); } }
export async function third() { do { await stat('e'); await new Promise((done) => setTimeout(done, 100)); } while (busy()); }
`,
      errors: [
        hot('the disk', 500, 'stat', 4, [4, 30, 40]),
        hot('the disk', 400, 'stat', 5, [5, 30, 40]),
        hot('the disk', 300, 'stat', 6, [6, 71, 76]),
        hot('the disk', 200, 'stat', 7, [7, 68, 72]),
        hot('the disk', 100, 'stat', 8, [8, 83, 93]),
      ],
    },
    {
      name: 'a poll that the page alone holds back',
      code: `
import { ipcRenderer } from 'electron';
setInterval(() => { if (document.visibilityState === 'visible') ipcRenderer.invoke('status'); }, 60_000);
`,
      errors: [
        {
          messageId: 'visibility',
          data: { what: 'a process', everyMs: '60000', name: 'invoke', line: '3' },
          line: 3,
          column: 1,
          endLine: 3,
          endColumn: 12,
        },
      ],
    },
    {
      name: 'another limit',
      options: [{ minEveryMs: 60_000 }],
      code: `
import { stat } from 'node:fs/promises';
setInterval(() => stat('x'), 30_000);
`,
      errors: [hot('the disk', 30_000, 'stat', 3, [3, 1, 12], 60_000)],
    },
  ],
});
