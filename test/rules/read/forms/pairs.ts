import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseModule } from '../../../../rules/read/module-view.ts';
import { findSpawns } from '../../../../rules/read/spawns.ts';

/** A form of real code that leaves a child, and one that only looks like it. */
interface Pair {
  /** `//!` ends each line to be reported. */
  leaves: string;
  /** Close to it, and silent. */
  stays: string;
  filename?: string;
}

/** Tests that of each pair exactly the marked lines are reported. */
export function describePairs(kind: string, pairs: Record<string, Pair>): void {
  describe(kind, () => {
    for (const [name, { leaves, stays, filename = 'a.ts' }] of Object.entries(pairs)) {
      it(`reports ${name}`, () => {
        assert.deepEqual(reportedLines(leaves, filename), markedLines(leaves));
      });
      it(`leaves alone what is like ${name}`, () => {
        assert.deepEqual(reportedLines(stays, filename), []);
      });
    }
  });
}

/** The lines on which the rule reports by default. */
export function reportedLines(code: string, filename: string): number[] {
  return findSpawns(parseModule(code, filename))
    .filter(({ verdict }) => verdict.is === 'yes' || verdict.is === 'maybe')
    .map(({ name }) => name.loc.start.line);
}

function markedLines(code: string): number[] {
  return code.split('\n').flatMap((line, index) => (line.includes('//!') ? [index + 1] : []));
}
