import { parseForESLint } from '@typescript-eslint/parser';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acquireSteps, releaseSteps } from '../../runtime/files/lock.ts';
import { replaceSteps, sweepSteps } from '../../runtime/files/replace.ts';
import { runStepsSync } from '../../runtime/files/steps.ts';
import { programOf } from '../../runtime/off-loop/host/program.ts';
import { main, sqliteTools } from '../../runtime/off-loop/sqlite/host-main.ts';
import { patchSteps } from '../../runtime/off-loop/status/patch.ts';

/** The names that a program takes from outside and that no Node has. */
function foreign(source: string): string[] {
  const { scopeManager } = parseForESLint(`void (${source})`, { sourceType: 'script', ecmaVersion: 2024 });
  const names = scopeManager.globalScope?.through.map(({ identifier }) => identifier.name) ?? [];
  return [...new Set(names)].filter((name) => !(name in globalThis));
}

describe('what is handed to a host as its source', () => {
  const tools = {
    acquireSteps,
    releaseSteps,
    replaceSteps,
    sweepSteps,
    runStepsSync,
    patchSteps,
    ...sqliteTools,
  };
  for (const [name, tool] of Object.entries({ ...tools, main })) {
    it(`${name} holds no reference to its module`, () => {
      assert.deepEqual(foreign(programOf(tool, {})), []);
    });
  }

  it('would be caught if it did', () => {
    assert.deepEqual(foreign(programOf(() => programOf.length, {})).length, 1);
  });
});
