import assert from 'node:assert/strict';
import { it } from 'node:test';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import { placeBefore } from '../../codemods/plan/place-before.ts';

it('finds the place before the edits of all that they left', () => {
  const text = 'a b\r\nc d\u2028e f\ng';
  const edits = [
    { start: 0, end: 0, text: 'new\nline\n' },
    { start: 2, end: 7, text: '' },
    { start: 11, end: 12, text: 'F\nF' },
    { start: 12, end: 12, text: '!' },
  ];
  const after = applyEdits(text, edits);
  assert.equal(after, 'new\nline\na d\u2028e F\nF!\ng');
  const before = placeBefore(text, edits);
  assert.deepEqual(before({ line: 3, column: 1 }), { line: 1, column: 1 }, 'a');
  assert.deepEqual(before({ line: 3, column: 3 }), { line: 2, column: 3 }, 'd');
  assert.deepEqual(before({ line: 4, column: 1 }), { line: 3, column: 1 }, 'e');
  assert.deepEqual(before({ line: 5, column: 1 }), { line: 3, column: 3 }, 'F is of the edit');
  assert.deepEqual(before({ line: 6, column: 1 }), { line: 4, column: 1 }, 'g');
});
