import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { lint } from './lint.ts';

const input = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../cases/inputs', name), 'utf8');
const markers = (name: string): [number, string][] => lint(input(name), ['valid-marker'], name);
const spawnLines = (name: string): number[] =>
  lint(input(name), ['no-detached-spawn'], name).map(([line]) => line);

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
