// Needs the npm registry: the tools come on demand.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { it } from 'node:test';

it('publint, attw, knip and eslint-doc-generator have nothing to say', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/lint-packages.mjs'], {
    cwd: resolve(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});
