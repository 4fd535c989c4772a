import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../../rules/index.ts';

const test = resolve(import.meta.dirname, '../..');

/** The lines of a file that the rule reports. */
function linesOf(file: string): number[] {
  const messages = new Linter({ cwd: '/' }).verify(
    readFileSync(file, 'utf8'),
    {
      files: ['**/*.ts', '**/*.mjs'],
      languageOptions: { parser },
      plugins: { 'owned-spawn': plugin },
      rules: { 'owned-spawn/no-detached-spawn': 'error' },
    },
    { filename: file },
  );
  assert.deepEqual(
    messages.filter(({ fatal }) => fatal),
    [],
  );
  return messages.map(({ line }) => line);
}

describe('the battery', () => {
  const folder = join(test, 'battery/detached');
  for (const file of readdirSync(folder).sort()) {
    const isBad = file.includes('-true.');
    it(`${isBad ? 'reports' : 'is silent about'} ${file}`, () => {
      assert.equal(linesOf(join(folder, file)).length, isBad ? 1 : 0);
    });
  }
});

describe('cases after public bug reports', () => {
  const cases: Record<string, number[]> = {
    'ls-01/ensure-daemon.ts': [6],
    'ls-02/options.ts': [9, 10, 11, 12, 13, 17],
    'ls-04/actors.ts': [],
    'ls-04/other-spawns.ts': [],
    'ls-05/launcher.ts': [14, 17, 19],
    'mk-01/before-prettier.ts': [9],
    'mk-01/after-prettier.ts': [12, 21],
    'mk-05/handoff.mjs': [8],
  };
  for (const [file, lines] of Object.entries(cases)) {
    it(`reports the right lines of ${file}`, () => {
      assert.deepEqual(linesOf(join(test, 'cases/inputs', file)), lines);
    });
  }
});
