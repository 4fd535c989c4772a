import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import * as parser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import plugin from '../../rules/index.ts';

const test = resolve(import.meta.dirname, '..');

/** The lines that rules report in a file, which is taken for one of an application, not of our tests. */
function linesOf(file: string, ...rules: string[]): number[] {
  const messages = new Linter({ cwd: '/' }).verify(
    readFileSync(file, 'utf8'),
    {
      files: ['**/*.ts', '**/*.mjs', '**/*.cjs'],
      languageOptions: { parser },
      plugins: { 'owned-spawn': plugin },
      rules: Object.fromEntries(rules.map((rule) => [`owned-spawn/${rule}`, 'error'])),
    },
    { filename: `/application/${basename(file)}` },
  );
  assert.deepEqual(
    messages.filter(({ ruleId }) => ruleId === null),
    [],
  );
  return messages.map(({ line }) => line);
}

describe('the battery', () => {
  const folder = join(test, 'battery/blocking');
  // These lead through another file, which only types can follow.
  const crossFile = /^b(13|14|31)-/;
  for (const file of readdirSync(folder).filter((name) => /\.[cm]?ts$|\.cjs$/.test(name))) {
    const isBad = file.startsWith('b') && !crossFile.test(file);
    it(`${isBad ? 'reports' : 'is silent about'} ${file}`, () => {
      const lines = linesOf(join(folder, file), 'no-blocking-call', 'no-blocking-sqlite');
      assert.equal(lines.length, isBad ? 1 : 0);
    });
  }
});

describe('cases after public bug reports', () => {
  const cases: [file: string, rule: string, lines: number[]][] = [
    ['ly-01/named.ts', 'no-blocking-call', [9, 10, 12, 13, 14, 15]],
    ['ly-04/sqlite.ts', 'no-blocking-sqlite', [10, 15, 16, 17, 18]],
    ['ly-05/exits.ts', 'no-blocking-call', [17, 18]],
    ['ly-06/contexts.ts', 'no-blocking-call', [8, 9, 10, 11, 13, 15]],
    ['ly-07/cli.ts', 'no-blocking-call', []],
    ['ly-07/worker.ts', 'no-blocking-call', []],
    ['ly-07/worker.ts', 'no-blocking-sqlite', []],
    ['ly-08/unbounded.ts', 'no-blocking-call', [5, 6, 10, 14]],
    ['ly-05/exits.ts', 'no-async-exit-handler', [10]],
    ['ro-07/app.mjs', 'no-async-exit-handler', [6]],
    ['ro-01/server.cjs', 'no-blocking-sqlite', [11]],
  ];
  for (const [file, rule, lines] of cases) {
    it(`${rule} reports the right lines of ${file}`, () => {
      assert.deepEqual([...new Set(linesOf(join(test, 'cases/inputs', file), rule))], lines);
    });
  }
});
