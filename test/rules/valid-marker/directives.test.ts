import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lint } from './lint.ts';

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
