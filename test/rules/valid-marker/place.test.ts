import { validMarker } from '../../../rules/valid-marker.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

const IMPORT = `import { spawn } from 'node:child_process';`;
const form = 'detached-spawn: ok — why it must outlive its owner';

ruleTester.run('valid-marker', validMarker, {
  valid: [
    `
${IMPORT}
// detached-spawn: ok — it outlives the window
spawn('a', [], { detached: true });
`,
  ],
  invalid: [
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
  ],
});
