import { validMarker } from '../../../rules/valid-marker.ts';
import { ruleTester } from '../../helpers/rule-tester.ts';

const IMPORT = `import { spawn } from 'node:child_process';`;

ruleTester.run('valid-marker', validMarker, {
  valid: [
    {
      code: `
${IMPORT}
spawn('a', [], { detached: true }); // detached-spawn: ok — it outlives the window [until=2030-01-31 ref=#12]
`,
      options: [{ now: '2030-01-31' }],
    },
  ],
  invalid: [
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
