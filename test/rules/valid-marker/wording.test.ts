import { validMarker } from '../../../rules/valid-marker.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

const IMPORT = `import { spawn } from 'node:child_process';`;
const form = 'detached-spawn: ok — why it must outlive its owner';

ruleTester.run('valid-marker', validMarker, {
  valid: [
    `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok - three short words
`,
    {
      name: 'a marker of another kind is judged by its own rules',
      code: `
import { readFileSync } from 'node:fs';
// blocking-call: ok — read once at start
readFileSync('a');
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
  ],
});
