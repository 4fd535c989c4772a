import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { findingsIn, READ } from './ways.ts';

const battery = resolve(import.meta.dirname, '../../battery/blocking');

describe('what no-blocking-call-path says', () => {
  it('reports SQLite with what the call does', async () => {
    const [finding] = await findingsIn({
      'db.ts': `import Database from 'better-sqlite3';
const db = new Database('x.db');
export function add(name: string) { db.prepare('insert into t values (?)').run(name); }
`,
      'app.ts': "import { add } from './db';\nexport async function h() { add('x'); }\n",
    });
    assert.match(finding?.message ?? '', /→ .* \(db\.ts:3\), which writes\. Use `openDatabase`/);
  });

  it('gives the path with files, lines and columns, and the API', async () => {
    const [finding] = await findingsIn({
      'lib/read.ts': READ,
      'app.ts': "import { load } from './lib/read';\nexport async function h() { return load('x'); }\n",
    });
    assert.equal(finding?.callee, 'fs.readFileSync');
    assert.equal(finding.symbol, 'h');
    assert.deepEqual(finding.path, [
      { name: 'load', file: 'app.ts', line: 2, column: 36 },
      { name: 'readFileSync', file: 'lib/read.ts', line: 2, column: 45 },
    ]);
    assert.deepEqual([finding.column, finding.endColumn], [36, 40]);
  });

  it('tells the three of the battery', async () => {
    const names = ['b13-helper-other-file.ts', 'b14-helper-two-deep.ts', 'b31-reexport.ts'];
    const files = [...names, 'lib/helper.ts', 'lib/outer.ts', 'lib/reexport.ts'];
    const laid = Object.fromEntries(files.map((name) => [name, readFileSync(join(battery, name), 'utf8')]));
    assert.deepEqual(
      (await findingsIn(laid)).map(({ file }) => file),
      names,
    );
  });
});
