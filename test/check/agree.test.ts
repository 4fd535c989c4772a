import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { layFiles } from '../helpers/lay-files.ts';

const script = fileURLToPath(new URL('../../scripts/agree.mjs', import.meta.url));

let root: string;
before(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-agree-'));
  layFiles(root, {
    'src/start.js': "const { spawn } = require('child_process');\nspawn('x', { detached: true });\n",
    'src/git.ts':
      "import { execFileSync } from 'node:child_process';\nexport const head = (folder: string) => execFileSync('git', ['-C', folder, 'log']);\n",
    'src/server.ts':
      "import Database from 'better-sqlite3';\nimport { head } from './git.js';\nconst db = new Database('a.db');\nexport async function get(folder: string) {\n  db.exec('vacuum');\n  return head(folder);\n}\n",
  });
});
after(() => {
  rmSync(root, { recursive: true });
});

describe('ESLint and owned-spawn check', () => {
  it('say the same of a spawn, a database and a path through another file', () => {
    const { stdout, status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^1 sources, 3 files: 3 findings, 0 of them not in both; 1 of 1 sources /m);
  });
});
