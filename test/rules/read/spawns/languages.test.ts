import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseModule } from '../../../../rules/read/module-view.ts';
import { sitesOf } from './sites-of.ts';

describe('languages', () => {
  const code = `const cp = require('child_process'); cp.spawn('a', [], { detached: true });`;
  for (const filename of ['a.js', 'a.cjs', 'a.mjs', 'a.jsx', 'a.ts', 'a.cts', 'a.mts', 'a.tsx', 'a']) {
    it(`reads ${filename}`, () => {
      assert.deepEqual(sitesOf(code, filename), ['yes option 1:1']);
    });
  }

  it('says where a text is no module', () => {
    assert.throws(() => parseModule('const = 1;', 'a.js'), { name: 'SyntaxError', line: 1, column: 6 });
  });
});
