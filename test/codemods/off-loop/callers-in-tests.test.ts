import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moved } from './plan.ts';

const LIB = `import { readFileSync } from 'node:fs';
export const load = (file) => readFileSync(file, 'utf8');
export const answer = async (file) => load(file).trim();
`;

/** The lines of a test that are changed, or why the call is left. */
async function changed(test: string): Promise<string[]> {
  const { said, texts } = await moved(
    {
      'package.json': JSON.stringify({ name: 'app', private: true, type: 'module' }),
      'lib.js': LIB,
      'lib.test.js': test,
    },
    { allowApiChange: true },
  );
  const before = new Set(test.split('\n'));
  return said.some((line) => line.includes(' left '))
    ? said
    : (texts['lib.test.js'] ?? '').split('\n').filter((line) => !before.has(line));
}

const imports = (from: string): string => `import { load } from './lib.js';\n${from}\n`;

describe('tests that call what becomes async', () => {
  it('wait, also where the runner is refined', async () => {
    assert.deepEqual(
      await changed(`${imports("import { it, test } from 'vitest';")}
it.each(['a', 'b'])('reads %s', (file) => { load(file); });
it.each\`
  file
  \${'a'}
\`('reads $file', ({ file }) => { load(file); });
test.skipIf(process.env.CI)('reads', () => { load('a'); });
it.concurrent.only('reads', () => { load('a'); });
`),
      [
        "it.each(['a', 'b'])('reads %s', async (file) => { await load(file); });",
        "`('reads $file', async ({ file }) => { await load(file); });",
        "test.skipIf(process.env.CI)('reads', async () => { await load('a'); });",
        "it.concurrent.only('reads', async () => { await load('a'); });",
      ],
    );
  });

  it("wait in tests and hooks of node:test's context", async () => {
    assert.deepEqual(
      await changed(`${imports("import test from 'node:test';")}
test('reads', async (t) => {
  t.beforeEach(() => { load('a'); });
  await t.test('once', () => { load('a'); });
});
`),
      [
        "  t.beforeEach(async () => { await load('a'); });",
        "  await t.test('once', async () => { await load('a'); });",
      ],
    );
  });

  it('stand in the way as bodies of suites, and where another object has a method of the name', async () => {
    assert.deepEqual(await changed(`${imports('')}describe.each([1])('x', () => { load('a'); });\n`), [
      'lib.js:2 left test-suite',
    ]);
    assert.deepEqual(
      await changed(`${imports("import { t } from './t.js';")}t.test('x', () => { load('a'); });\n`),
      ['lib.js:2 left unknown-callback'],
    );
  });
});
