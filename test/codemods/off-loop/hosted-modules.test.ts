import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../../codemods/plan/plan.ts';
import { Project } from '../project.ts';
import { PACKAGE } from './plan.ts';

const reads = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `export function read${i}(f) { return readFileSync(f + ${i}); }\n`,
  ).join('');
const REPO = `import { readFileSync } from 'node:fs';\n${reads(6)}`;
const ENDS = 'read0(req.url) + read1(req.url)';
const app = (statement: string, value = ENDS): string =>
  `import http from 'node:http';\n${statement}\nhttp.createServer((req, res) => { res.end(${value}); }).listen();\n`;
const NAMED = "import { read0, read1 } from './repo.js';";

async function proposals(files: Readonly<Record<string, string>>): Promise<Plan['proposals']> {
  using project = new Project({ 'package.json': PACKAGE, ...files });
  const { stdout, stderr } = await project.migrate('--recipe', 'off-loop', '--report', 'json');
  assert.notEqual(stdout, '', stderr);
  return (JSON.parse(stdout) as Plan).proposals;
}

describe('modules to host whole', () => {
  it('are those with many blocking calls of which others only call functions', async () => {
    const old = NAMED;
    const text = `import { offload } from 'owned-spawn/offload';\nconst { read0, read1 } = offload(new URL('./repo.js', import.meta.url));`;
    assert.deepEqual(await proposals({ 'repo.js': REPO, 'app.js': app(old) }), [
      { module: 'repo.js', sites: 6, edits: [{ file: 'app.js', line: 2, calls: 2, old, text }] },
    ]);
  });

  it('are imported in the form that the file has', async () => {
    const forms: [string, string, string, string][] = [
      [
        'app.ts',
        "import { read0 as first, read1, type Row } from './repo.js';",
        'first(String(req)) + read1("")',
        `import { offload } from 'owned-spawn/offload';
import type { Row } from './repo.js';
const { read0: first, read1 } = offload<typeof import('./repo.js')>(new URL('./repo.js', import.meta.url));`,
      ],
      [
        'app.js',
        'import * as repo from "./repo.js";',
        'repo.read0(1)',
        `import { offload } from "owned-spawn/offload";
const repo = offload(new URL("./repo.js", import.meta.url));`,
      ],
      [
        'app.cjs',
        "const { read0: first } = require('./repo.js')",
        'first(1)',
        `const { offload } = require('owned-spawn/offload');
const { read0: first } = offload(require.resolve('./repo.js'));`,
      ],
    ];
    for (const [file, statement, value, text] of forms) {
      const repo = file.endsWith('.cjs') ? { 'repo.js': REPO } : { 'repo.ts': REPO };
      const found = await proposals({ ...repo, [file]: app(statement, value) });
      assert.equal(found?.[0]?.edits[0]?.text, text, file);
    }
  });

  it('are none of those with few calls, with handlers, with classes, or that are used otherwise', async () => {
    const others: Record<string, string>[] = [
      { 'repo.js': REPO.replace(/export function read5.*\n/, ''), 'app.js': app(NAMED) },
      { 'repo.js': REPO, 'app.js': app(NAMED), 'barrel.js': "export * from './repo.js';\n" },
      { 'repo.js': `${REPO}export const size = 3;\n`, 'app.js': app(NAMED.replace('read1', 'size, read1')) },
      {
        'repo.js': REPO.replace(/export function (read\d)\(f\) (.*)/g, 'function $1(f) { return () => $2 }'),
        'app.js': app(NAMED),
      },
      {
        'repo.js': `import { readFileSync } from 'node:fs';\nexport class Repo {\n${reads(7).replaceAll('export function ', '')}}\n`,
        'app.js': app("import { Repo } from './repo.js';\nconst repo = new Repo();", 'repo.read0(1)'),
      },
    ];
    for (const files of others) assert.equal(await proposals(files), undefined, JSON.stringify(files));
  });

  it('are in every report, and change nothing', async () => {
    using project = new Project({ 'package.json': PACKAGE, 'repo.js': REPO, 'app.js': app(NAMED) });
    for (const format of ['text', 'md', 'html']) {
      const { stdout } = await project.migrate('--recipe', 'off-loop', '--report', format);
      assert.match(stdout, /Modules to host whole/, format);
      assert.match(stdout, /repo\.js.*6 blocking calls behind 2 calls of it/s, format);
      assert.match(stdout, /\+const \{ read0, read1 \} = offload\(/, format);
    }
    await project.migrate('--recipe', 'off-loop', '--write');
    assert.match(project.read('app.js'), /await read0/);
    assert.doesNotMatch(project.read('app.js'), /offload/);
  });
});
