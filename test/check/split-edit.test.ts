import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { applyEdits, type Edit } from '../../rules/edits/edit.ts';
import { splitEdit } from '../../rules/edits/split-edit.ts';

const merged = (text: string, edits: readonly Edit[]): Edit => {
  const [start, end] = [edits[0]?.start ?? 0, edits.at(-1)?.end ?? 0];
  const whole = applyEdits(text, edits);
  return { start, end, text: whole.slice(start, whole.length - (text.length - end)) };
};

describe('splitEdit', () => {
  it('gives back the edits that were merged', () => {
    const text =
      "import { spawn } from 'node:child_process';\n\nconst a = 1;\r\nspawn('x', { detached: true });\n";
    const edits = [
      { start: 0, end: 0, text: "import { spawnOwned } from 'owned-spawn';\n" },
      { start: text.indexOf("spawn('x'"), end: text.indexOf("('x'"), text: 'spawnOwned' },
      { start: text.indexOf('{ detached'), end: text.indexOf(');'), text: '{}' },
    ];
    assert.deepEqual(splitEdit(text, merged(text, edits)), [
      { start: 0, end: 0, text: "import { spawnOwned } from 'owned-spawn';\n" },
      { start: text.indexOf("('x'"), end: text.indexOf('});'), text: "Owned('x', {" },
    ]);
  });

  it('keeps an edit within one line as small as it is', () => {
    assert.deepEqual(splitEdit('abcdef', { start: 1, end: 5, text: 'bXe' }), [
      { start: 2, end: 4, text: 'X' },
    ]);
  });

  it('says nothing of an edit that changes nothing', () => {
    assert.deepEqual(splitEdit('a\nb\n', { start: 0, end: 4, text: 'a\nb\n' }), []);
  });

  it('always gives what the large edit gives', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '}', '', '\r', ' ')).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (before, replacement, a, b) => {
        const [start, end] = [a % (before.length + 1), b % (before.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const edits = splitEdit(before, { start, end, text: replacement });
        assert.equal(applyEdits(before, edits), before.slice(0, start) + replacement + before.slice(end));
        assert.ok(edits.every((edit) => edit.start >= start && edit.end <= end));
      }),
    );
  });
});
