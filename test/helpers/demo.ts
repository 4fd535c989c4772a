import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { familyOf, until, type Family, type Owner } from './processes.ts';

const DEMO = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));

/** A running demo, with a temporary folder of its own. */
export interface Demo extends Owner {
  family: Family;
  /** Waits until nothing of it runs and its files are gone. */
  leavesNothing(): Promise<void>;
}

/**
 * Starts the demo.
 * @param env CHROME_PATH decides about the browser; a path that is not there means the stand-in.
 */
export function startDemo(t: TestContext, env: NodeJS.ProcessEnv = { CHROME_PATH: '/nonexistent' }): Demo {
  const family = familyOf(t);
  const temporary = join(family.folder, 'tmp');
  mkdirSync(temporary);
  const owner = family.start(process.execPath, [DEMO], { env: { ...env, TMPDIR: temporary } });
  return {
    ...owner,
    family,
    async leavesNothing() {
      await until('nothing of it runs', () => family.members().length === 0);
      assert.deepEqual(readdirSync(temporary), []);
    },
  };
}
