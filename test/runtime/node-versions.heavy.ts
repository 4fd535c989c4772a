// The runtime's tests under the other versions of Node that we support. Their binaries come from the npm registry, into
// .cache, never into the lockfile.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache/nodes');
const VERSIONS = ['22', '24', '26'];
/** What the version of Node can change: not the texts, not the tables. */
const FILES =
  /^(?:owner-death|options|signals|supervisor|spawn-owned|kill-owned|ledger|sweep|adopt-survivors|cases|cases-trees)\.test\.ts$/;

const nodeOf = (version: string): string => join(folder, `node_modules/n${version}/bin/node`);

function install(): void {
  if (VERSIONS.every((version) => existsSync(nodeOf(version)))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const specs = VERSIONS.map(
    (version) => `n${version}@npm:node-${process.platform}-${process.arch}@${version}`,
  );
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...specs], {
    cwd: folder,
    stdio: 'ignore',
  });
}

describe('under another Node', () => {
  install();
  for (const version of VERSIONS) {
    test(`${version} the runtime's tests pass`, { timeout: 600_000 }, (t) => {
      const node = nodeOf(version);
      if (!existsSync(node)) {
        t.skip('the registry has no binary for this machine');
        return;
      }
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
