import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMinified } from '../../rules/check/minified.ts';

const readable = 'function start(a) {\n  return run(a, () => stop(a));\n}\n'.repeat(50);
const dense = 'function s(a){return r(a,()=>t(a))}'.repeat(100);

describe('isMinified', () => {
  for (const [what, path, text, expected] of [
    ['a name that says so', 'lib/a.min.js', readable, true],
    ['readable code', 'lib/a.js', readable, false],
    ['code on one line', 'lib/a.js', dense, true],
    [
      "a compiler's helper on one line",
      'lib/a.js',
      `${'function f(e) { return g(e, function (t) { return h(t); }); } '.repeat(15)}\nexports.a = b(1);\n`,
      false,
    ],
    [
      'code on one line below a licence',
      'lib/a.js',
      `${'/* (c) a licence */\n'.repeat(100)}${dense.repeat(10)}`,
      true,
    ],
    [
      'a bundle with data on long lines',
      'lib/a.js',
      `${readable}const wasm = "${'QUJD'.repeat(100_000)}";\n`,
      false,
    ],
    [
      'a bundle with a table on a long line',
      'lib/a.js',
      `${readable}const t = {${'"a":["b",{"c":1}],'.repeat(9000)}};\n`,
      false,
    ],
    [
      'a short text on one line',
      'a.js',
      "require('child_process').spawn('a', ['b'], { detached: true }).unref()",
      false,
    ],
    ['an empty file', 'a.js', '', false],
    ['data alone', 'a.js', `module.exports = "${'QUJD'.repeat(1000)}"`, false],
  ] as const) {
    it(`${expected ? 'skips' : 'takes'} ${what}`, () => {
      assert.equal(isMinified(path, text), expected);
    });
  }

  it('reads a long text in one pass', () => {
    // Every line of it once looked for the next parenthesis to the end of the text.
    assert.equal(isMinified('a.js', `${'1,\n'.repeat(1_000_000)}(`), false);
  });
});
