// The runtime's tests under the other versions of Node that we support. Their binaries come from the npm registry, into
// .cache, never into the lockfile.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { otherNodes } from '../helpers/on-demand.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What the version of Node can change: not the texts, not the tables. */
const FILES =
  /^(?:owner-death|options|signals|supervisor|spawn-owned|kill-owned|ledger|sweep|adopt-survivors|cases|cases-trees)\.test\.ts$/;

const nodes = Object.entries(otherNodes());

describe('under another Node', { skip: nodes.length === 0 && 'needs x64 Linux' }, () => {
  for (const [version, node] of nodes) {
    test(`${version} the runtime's tests pass`, { timeout: 1_200_000 }, () => {
      const files = readdirSync(import.meta.dirname).filter((name) => FILES.test(name));
      const { status, stdout } = spawnSync(
        node,
        [
          '--import',
          'tsx',
          '--test',
          '--test-reporter=tap',
          '--test-concurrency=2',
          ...files.map((name) => join('test/runtime', name)),
        ],
        { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
      );
      const failures = stdout.split('\n').filter((line) => /^\s*(?:not ok|error:)/.test(line));
      assert.equal(status, 0, failures.join('\n'));
      assert.match(stdout, /^# pass \d\d/m);
    });
  }
});
