import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../rules/index.ts';
import { validMarker } from '../../rules/valid-marker.ts';
import { ruleTester } from '../helpers/rule-tester.ts';

const IMPORT = `import { spawn } from 'node:child_process';`;
const form = 'detached-spawn: ok — why it must outlive its owner';

ruleTester.run('valid-marker', validMarker, {
  valid: [
    `
${IMPORT}
// detached-spawn: ok — it outlives the window
spawn('a', [], { detached: true });
`,
    `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok - three short words
`,
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
      name: 'a marker of another kind is judged by its own rules',
      code: `
import { readFileSync } from 'node:fs';
// blocking-call: ok — read once at start
readFileSync('a');
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
    {
      name: 'prose that only talks about markers',
      code: `
// A site is excused by detached-spawn: ok and a reason.
// Write \`detached-spawn: ok — why\` above the call.
export const x = 1;
`,
    },
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok — it outlives the window [until=2030-01-31 ref=#12]
`,
      options: [{ now: '2030-01-31' }],
    },
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok — updater
`,
      options: [{ minimumWords: 1 }],
    },
    {
      name: 'a script without blanks between words',
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok — 它必须在重启后存活
`,
    },
    `
${IMPORT}
// detached-spawn: ok — for-rollout: it outlives the window
spawn('a', [], { detached: true });
`,
  ],
  invalid: [
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok
`,
      errors: [{ messageId: 'noReason', data: { form }, line: 3, column: 40, endLine: 3, endColumn: 58 }],
    },
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); /* detached-spawn: ok — … */
`,
      errors: [{ messageId: 'noReason', line: 3, column: 40, endLine: 3, endColumn: 62 }],
    },
    {
      code: `
${IMPORT}
// detached-spawn: ok — TODO: why must it outlive its owner?
spawn('a', [], { detached: true });
`,
      errors: [
        {
          messageId: 'placeholder',
          data: { form, reason: 'TODO: why must it outlive its owner?' },
          line: 3,
          column: 4,
          endLine: 3,
          endColumn: 61,
        },
      ],
    },
    {
      code: `
${IMPORT}
// detached-spawn: ok — the updater
spawn('a', [], { detached: true });
`,
      errors: [
        {
          messageId: 'tooShort',
          data: { form, reason: 'the updater', minimum: '3' },
          line: 3,
          column: 4,
          endLine: 3,
          endColumn: 36,
        },
      ],
    },
    {
      code: `
${IMPORT}
// detached-spawn: ok — it replaces this program
spawn('a', [], { detached: true });
`,
      options: [{ minimumWords: 5 }],
      errors: [{ messageId: 'tooShort', line: 3, column: 4, endLine: 3, endColumn: 49 }],
    },
    {
      code: `
${IMPORT}
// detached-spawn: ok because it outlives the window
spawn('a', [], { detached: true });
`,
      errors: [
        {
          messageId: 'noSeparator',
          line: 3,
          column: 4,
          endLine: 3,
          endColumn: 53,
          suggestions: [
            {
              messageId: 'writeMarker',
              data: { marker: 'detached-spawn: ok — because it outlives the window' },
              output: `
${IMPORT}
// detached-spawn: ok — because it outlives the window
spawn('a', [], { detached: true });
`,
            },
          ],
        },
      ],
    },
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detatched spawn: okay - it outlives the window
`,
      errors: [
        {
          messageId: 'misspelt',
          data: { form },
          line: 3,
          column: 40,
          endLine: 3,
          endColumn: 86,
          suggestions: [
            {
              messageId: 'writeMarker',
              data: { marker: 'detached-spawn: ok — it outlives the window' },
              output: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok — it outlives the window
`,
            },
          ],
        },
      ],
    },
    {
      name: 'a near miss without a reason has nothing to keep',
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached spawn ok
`,
      errors: [{ messageId: 'misspelt', line: 3, column: 40, endLine: 3, endColumn: 57 }],
    },
    {
      name: 'a near miss of the other kind',
      code: `
// blocking call: okay — read once at start
`,
      errors: [
        {
          messageId: 'misspelt',
          data: { form: 'blocking-call: ok — why it may block here' },
          line: 2,
          column: 4,
          endLine: 2,
          endColumn: 44,
          suggestions: [
            {
              messageId: 'writeMarker',
              data: { marker: 'blocking-call: ok — read once at start' },
              output: `
// blocking-call: ok — read once at start
`,
            },
          ],
        },
      ],
    },
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // not detached-spawn: ok — negated in prose
`,
      errors: [{ messageId: 'unclear', data: { form }, line: 3, column: 40, endLine: 3, endColumn: 81 }],
    },
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: it outlives the window
`,
      errors: [{ messageId: 'unclear', line: 3, column: 40, endLine: 3, endColumn: 78 }],
    },
    {
      name: 'dangling over a blank line',
      code: `
${IMPORT}
f();
// detached-spawn: ok — it outlives the window

spawn('a', [], { detached: true });
`,
      errors: [
        {
          messageId: 'dangling',
          line: 4,
          column: 4,
          endLine: 4,
          endColumn: 47,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
${IMPORT}
f();

spawn('a', [], { detached: true });
`,
            },
          ],
        },
      ],
    },
    {
      name: 'dangling behind a function, with the blanks before it',
      code: `
${IMPORT}
function f() {
  spawn('a', [], { detached: true });
} // detached-spawn: ok — it outlives the window
`,
      errors: [
        {
          messageId: 'dangling',
          line: 5,
          column: 6,
          endLine: 5,
          endColumn: 49,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
${IMPORT}
function f() {
  spawn('a', [], { detached: true });
}
`,
            },
          ],
        },
      ],
    },
    {
      name: 'dangling in a comment that says more',
      code: `
${IMPORT}
/**
 * Starts it.
 * detached-spawn: ok — it outlives the window
 */
function f() {
  spawn('a', [], { detached: true });
}
`,
      errors: [{ messageId: 'dangling', line: 5, column: 4, endLine: 5, endColumn: 47 }],
    },
    {
      name: 'dangling at a call that starts nothing',
      code: `
${IMPORT}
// detached-spawn: ok — it outlives
// the window
setTimeout(f);
`,
      errors: [
        {
          messageId: 'dangling',
          line: 3,
          column: 4,
          endLine: 4,
          endColumn: 14,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
${IMPORT}
setTimeout(f);
`,
            },
          ],
        },
      ],
    },
    {
      code: `
/* detached-spawn: ok — this whole file is a launcher */
${IMPORT}
spawn('a', [], { detached: true });
`,
      errors: [
        {
          messageId: 'blanket',
          data: { form },
          line: 2,
          column: 4,
          endLine: 2,
          endColumn: 54,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
${IMPORT}
spawn('a', [], { detached: true });
`,
            },
          ],
        },
      ],
    },
    {
      name: 'two markers at one call',
      code: `
${IMPORT}
// detached-spawn: ok — it outlives the window
spawn('a', [], { detached: true }); // detached-spawn: ok — it is the updater
`,
      errors: [
        {
          messageId: 'duplicate',
          line: 4,
          column: 40,
          endLine: 4,
          endColumn: 78,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
${IMPORT}
// detached-spawn: ok — it outlives the window
spawn('a', [], { detached: true });
`,
            },
          ],
        },
      ],
    },
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
      name: 'a marker of a blocking call that stands at none',
      code: `
import { readFile } from 'node:fs/promises';
export const limit = 1;
// blocking-call: ok — read once at start
export const more = 2;
export const load = (path) => readFile(path);
`,
      errors: [
        {
          messageId: 'dangling',
          data: { place: 'call or function' },
          line: 4,
          column: 4,
          endLine: 4,
          endColumn: 42,
          suggestions: [
            {
              messageId: 'removeMarker',
              output: `
import { readFile } from 'node:fs/promises';
export const limit = 1;
export const more = 2;
export const load = (path) => readFile(path);
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
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok — it outlives the window [until=2030-01-31]
`,
      options: [{ now: '2030-02-01' }],
      errors: [
        {
          messageId: 'expired',
          data: { until: '2030-01-31' },
          line: 3,
          column: 40,
          endLine: 3,
          endColumn: 102,
        },
      ],
    },
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok — it outlives the window [until=2030-02-30]
spawn('b', [], { detached: true }); // detached-spawn: ok — it outlives the window [until=soon]
`,
      errors: [
        {
          messageId: 'badUntil',
          data: { until: '2030-02-30' },
          line: 3,
          column: 40,
          endLine: 3,
          endColumn: 102,
        },
        { messageId: 'badUntil', data: { until: 'soon' }, line: 4, column: 40, endLine: 4, endColumn: 96 },
      ],
    },
  ],
});

/** Line and message of every report of some rules on a text. */
function lint(text: string, rules: readonly string[], filename: string): [line: number, messageId: string][] {
  const messages = new Linter().verify(
    text,
    [
      {
        files: ['**/*.{ts,mjs}'],
        languageOptions: { parser },
        plugins: { 'owned-spawn': plugin },
        rules: Object.fromEntries(rules.map((rule) => [`owned-spawn/${rule}`, 'error'])),
      },
    ],
    { filename, reportUnusedDisableDirectives: false },
  );
  return messages.map(({ line, messageId, message }) => [line, messageId ?? message]);
}

const input = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../cases/inputs', name), 'utf8');
const markers = (name: string): [number, string][] => lint(input(name), ['valid-marker'], name);
const spawnLines = (name: string): number[] =>
  lint(input(name), ['no-detached-spawn'], name).map(([line]) => line);

describe('valid-marker on directives', () => {
  it('reports each that silences a rule of ours without a reason', () => {
    const text = `
f();
// eslint-disable-next-line owned-spawn/no-detached-spawn, no-console
f();
f(); // eslint-disable-line owned-spawn/no-detached-spawn -- TODO
f(); // eslint-disable-line owned-spawn/no-detached-spawn --without a blank
/* oxlint-disable owned-spawn/no-detached-spawn */
/* eslint-disable owned-spawn/no-detached-spawn */
/* eslint owned-spawn/no-detached-spawn: "off", no-console: 0 */
/* eslint "owned-spawn/no-detached-spawn": [0] */
`;
    assert.deepEqual(
      lint(text, ['valid-marker'], 'a.ts').filter(([, id]) => id === 'disableWithoutReason'),
      [3, 5, 6, 7, 8, 9, 10].map((line) => [line, 'disableWithoutReason']),
    );
  });

  it('takes those with a reason, and those of others', () => {
    const text = `
// eslint-disable-next-line owned-spawn/no-detached-spawn -- it outlives the window
f();
// eslint-disable-next-line no-console
f();
/* eslint no-console: off */
/* eslint owned-spawn/no-detached-spawn: error */
/* eslint-disable */
`;
    assert.deepEqual(lint(text, ['valid-marker'], 'a.ts'), []);
  });
});

describe('the cases of markers', () => {
  it('mk-01: what Prettier moves stays accepted, but behind the brace of a function', () => {
    assert.deepEqual(spawnLines('mk-01/before-prettier.ts'), [9]);
    assert.deepEqual(markers('mk-01/before-prettier.ts'), []);
    assert.deepEqual(spawnLines('mk-01/after-prettier.ts'), [12, 21]);
    assert.deepEqual(markers('mk-01/after-prettier.ts'), [[13, 'dangling']]);
  });

  it('mk-02: where a marker counts', () => {
    assert.deepEqual(spawnLines('mk-02/positions.ts'), [8, 19, 21, 27]);
    assert.deepEqual(markers('mk-02/positions.ts'), [
      [6, 'dangling'],
      [25, 'dangling'],
    ]);
  });

  it('mk-03: how a marker is written', () => {
    assert.deepEqual(spawnLines('mk-03/reasons.ts'), [8, 9, 10, 11, 14, 15, 16]);
    assert.deepEqual(markers('mk-03/reasons.ts'), [
      [8, 'noReason'],
      [9, 'noReason'],
      [10, 'noReason'],
      [11, 'placeholder'],
      [14, 'misspelt'],
      [15, 'misspelt'],
      [16, 'unclear'],
    ]);
  });

  it('mk-05: one that must outlive its starter next to one that must not', () => {
    assert.deepEqual(spawnLines('mk-05/handoff.mjs'), [8]);
    assert.deepEqual(markers('mk-05/handoff.mjs'), []);
  });
});
