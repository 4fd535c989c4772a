import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../rules/index.ts';
import { noUnsafeGroupKill } from '../../rules/no-unsafe-group-kill.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const IMPORT = `import { spawn } from 'node:child_process';`;

ruleTester.run('no-unsafe-group-kill', noUnsafeGroupKill, {
  valid: [
    'process.kill(pid);',
    'process.kill(process.pid, "SIGUSR2");',
    'process.kill(-child.pid);',
    'process.kill(-child.pid!, "SIGTERM");',
    'process.kill(0 - child.pid); process.kill(child.pid * -1); process.kill(-Math.abs(child.pid));',
    'process.kill(1 - child.pid); process.kill(0 * child.pid); process.kill(-2 * pid); process.kill(a + pid);',
    'process.kill(0, 0);',
    'process.kill(-1, 0);',
    {
      name: 'a program that suspends itself, with all of its group',
      code: 'process.kill(0, "SIGTSTP");',
    },
    'process.kill(child.pid ?? NaN, 0);',
    'process.kill(Number(text), "SIGTERM");',
    'child.kill(0); timer.kill(-1); kill(0);',
    'function f(process) { process.kill(0); }',
    `import process from './process.js'; process.kill(0);`,
    `import { kill } from 'tree-kill'; kill(0);`,
    {
      name: 'checked before',
      code: `
const pid = Number(process.env.SAVED_PID);
if (pid > 1) process.kill(-pid);
pid > 1 && process.kill(-pid);
`,
    },
    {
      name: 'checked by an early return',
      code: `
function stop() {
  const pid = Number(process.env.SAVED_PID);
  if (!Number.isInteger(pid)) return;
  process.kill(-pid);
}
`,
    },
    'if (child.pid) process.kill(-(child.pid ?? 0));',
    'process.kill(-Number(child.pid));',
    {
      name: 'leaders of their group',
      code: `
${IMPORT}
const a = spawn('a', [], { detached: true });
process.kill(-a.pid);
const b = spawn('b', [], { detached: process.platform !== 'win32' });
process.kill(-b.pid);
const c = spawn('c', [], options);
process.kill(-c.pid);
const d = spawn('d');
process.kill(d.pid);
`,
    },
    {
      name: 'perhaps a leader',
      code: `
${IMPORT}
let child = spawn('a');
if (x) child = other();
process.kill(-child.pid);
function f(child = spawn('a')) {
  process.kill(-child.pid);
}
`,
    },
    {
      name: 'owned children lead a group',
      code: `
import { spawnOwned, spawnDetached } from 'owned-spawn';
const a = spawnOwned('a');
process.kill(-a.pid);
const b = spawnDetached('b', [], { why: 'it replaces this program' });
process.kill(-b.pid);
`,
    },
  ],
  invalid: [
    {
      code: 'process.kill(0, "SIGTERM");',
      errors: [{ messageId: 'ownGroup', line: 1, column: 14, endLine: 1, endColumn: 15 }],
    },
    {
      code: 'process.kill(-1);',
      errors: [{ messageId: 'everybody', line: 1, column: 15, endLine: 1, endColumn: 16 }],
    },
    {
      code: 'process.kill(-(child.pid ?? 0), "SIGTERM");',
      errors: [{ messageId: 'ownGroup', line: 1, column: 16, endLine: 1, endColumn: 30 }],
    },
    {
      code: 'process.kill(child.pid || 0, "SIGTERM");',
      errors: [{ messageId: 'ownGroup', line: 1, column: 14, endLine: 1, endColumn: 28 }],
    },
    {
      code: 'process.kill(0 - (child.pid || 0)); process.kill(-1 * Number(text));',
      errors: [
        { messageId: 'ownGroup', line: 1, column: 19, endLine: 1, endColumn: 33 },
        { messageId: 'unchecked', line: 1, column: 55, endLine: 1, endColumn: 67 },
      ],
    },
    {
      code: `
${IMPORT}
const child = spawn('a', []);
process.kill(-Math.abs(child.pid));
process.kill(\`-\${child.pid}\`);
`,
      errors: [
        { messageId: 'noGroup', data: { text: 'child' }, line: 4, column: 24, endLine: 4, endColumn: 29 },
        { messageId: 'noGroup', data: { text: 'child' }, line: 5, column: 18, endLine: 5, endColumn: 23 },
      ],
    },
    {
      code: 'process.kill(-(child?.pid ?? 1));',
      errors: [{ messageId: 'everybody', line: 1, column: 16, endLine: 1, endColumn: 31 }],
    },
    {
      code: 'process.kill(-(child ? child.pid : undefined));',
      errors: [{ messageId: 'noPid', line: 1, column: 36, endLine: 1, endColumn: 45 }],
    },
    {
      code: 'process.kill(isGroup ? -(pid || 0) : pid);',
      errors: [{ messageId: 'ownGroup', line: 1, column: 26, endLine: 1, endColumn: 34 }],
    },
    {
      code: 'process.kill(-Number(process.env.SAVED_PID), "SIGKILL");',
      errors: [
        {
          messageId: 'unchecked',
          data: { text: 'Number(process.env.SAVED_PID)' },
          line: 1,
          column: 15,
          endLine: 1,
          endColumn: 44,
        },
      ],
    },
    {
      code: `
const pid = parseInt(readFileSync('pid', 'utf8'), 10);
const group = -pid;
process.kill(group, 'SIGTERM');
`,
      errors: [
        { messageId: 'unchecked', data: { text: 'group' }, line: 4, column: 14, endLine: 4, endColumn: 19 },
      ],
    },
    {
      name: 'a check of something else, or in another function, is none',
      code: `
const pid = Number(text);
function f() {
  if (pid > 1) g();
}
function h() {
  if (other.pid > 1) process.kill(-pid);
}
`,
      errors: [
        { messageId: 'unchecked', data: { text: 'pid' }, line: 7, column: 36, endLine: 7, endColumn: 39 },
      ],
    },
    {
      name: 'however process is named',
      code: `
import { kill } from 'node:process';
import * as p from 'process';
import q from 'node:process';
kill(0);
p.kill(0);
q.kill(0);
globalThis.process.kill(0);
process['kill'](0);
`,
      errors: [
        { messageId: 'ownGroup', line: 5, column: 6, endLine: 5, endColumn: 7 },
        { messageId: 'ownGroup', line: 6, column: 8, endLine: 6, endColumn: 9 },
        { messageId: 'ownGroup', line: 7, column: 8, endLine: 7, endColumn: 9 },
        { messageId: 'ownGroup', line: 8, column: 25, endLine: 8, endColumn: 26 },
        { messageId: 'ownGroup', line: 9, column: 17, endLine: 9, endColumn: 18 },
      ],
    },
    {
      name: 'a child that leads no group',
      code: `
${IMPORT}
const child = spawn('a', [], { stdio: 'ignore' });
if (child.pid) process.kill(-child.pid, 'SIGTERM');
const pid = child.pid;
process.kill(-pid);
`,
      errors: [
        { messageId: 'noGroup', data: { text: 'child' }, line: 4, column: 30, endLine: 4, endColumn: 35 },
        { messageId: 'noGroup', data: { text: 'child' }, line: 5, column: 13, endLine: 5, endColumn: 18 },
      ],
    },
    {
      name: 'exec ignores the option that would make a group',
      code: `
import { exec } from 'node:child_process';
const child = exec('a', { detached: true });
process.kill(-child.pid);
`,
      errors: [
        { messageId: 'noGroup', data: { text: 'child' }, line: 4, column: 15, endLine: 4, endColumn: 20 },
      ],
    },
    {
      name: 'a child in a field',
      code: `
${IMPORT}
class Server {
  child = null;
  start() {
    this.child = spawn('a', [], { detached: false });
  }
  stop() {
    process.kill(-this.child.pid);
  }
}
class Other {
  child = spawn('a');
  stop() {
    process.kill(-this.child!.pid!);
  }
}
`,
      errors: [
        {
          messageId: 'noGroup',
          data: { text: 'this.child' },
          line: 9,
          column: 19,
          endLine: 9,
          endColumn: 29,
        },
        {
          messageId: 'noGroup',
          data: { text: 'this.child!' },
          line: 15,
          column: 19,
          endLine: 15,
          endColumn: 30,
        },
      ],
    },
  ],
});

describe('the case of kill sites', () => {
  it('ls-07: negative pids built from values that may be empty', () => {
    const text = readFileSync(join(import.meta.dirname, '../cases/inputs/ls-07/kill-sites.ts'), 'utf8');
    const messages = new Linter().verify(
      text,
      [
        {
          files: ['**/*.ts'],
          languageOptions: { parser },
          plugins: { 'owned-spawn': plugin },
          rules: { 'owned-spawn/no-unsafe-group-kill': 'error' },
        },
      ],
      'kill-sites.ts',
    );
    assert.deepEqual(
      messages.map(({ line, messageId }) => [line, messageId]),
      [
        [13, 'ownGroup'],
        [15, 'unchecked'],
        [16, 'ownGroup'],
        [17, 'everybody'],
      ],
    );
  });
});
