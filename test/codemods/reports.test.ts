import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Project } from './project.ts';

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../codemods/plan.schema.json'), 'utf8'),
) as object;

const A =
  "import { spawn } from 'node:child_process';\nexport const a = spawn('<a> & \"b\"', [], { detached: true });\n";
const made = (): Project =>
  new Project({
    'src/a.mjs': `\uFEFF${A}`,
    'src/b.mjs':
      "import { spawn } from 'node:child_process';\n\nspawn('d', [], { detached: true }).unref(); // `ticks`\n",
    'src/broken.js': "require('child_process').spawn('a', {\n  detached: true\n",
    'package.json': '{ "name": "app" }\n',
  });

describe('--report', () => {
  it('json is a plan by the published schema, as is --plan', async () => {
    using project = made();
    const isPlan = new Ajv2020({ allErrors: true }).compile(schema);
    await project.migrate('--plan', 'plan.json', '--outliving', 'own');
    for (const name of ['plan.json'])
      assert.ok(isPlan(JSON.parse(project.read(name))), JSON.stringify(isPlan.errors));
    const left = JSON.parse(project.read('plan.json')) as { files: Record<string, { sites: object[] }> };
    Object.assign(left.files['src/a.mjs']?.sites[0] ?? {}, { status: 'left' });
    assert.ok(!isPlan(left), 'a site that is left has a reason');
  });

  it('md is a page for a pull request', async () => {
    using project = made();
    const { stdout } = await project.migrate('--report', 'md');
    assert.match(
      stdout,
      /^# Migration: spawn-owned\n\n1 sites to migrate in 2 files, 2 left alone, 0 suppressed\.$/m,
    );
    assert.match(stdout, /^\| `outlives` \| 1 \| /m);
    assert.match(stdout, /^\| src\/b\.mjs:3:1 \| `outlives` \| /m);
    assert.match(stdout, /^\| src\/a\.mjs \| 1 \| 0 \| 0 \|$/m);
    assert.match(
      stdout,
      /^## src\/a\.mjs\n\n- src\/a\.mjs:2:18 `child_process\.spawn`\n\n```diff\n--- a\/src\/a\.mjs$/m,
    );
    assert.match(stdout, /^## Dependencies\n\n```diff\n--- a\/package\.json$/m);
  });

  it('html is one page of its own, whatever the code holds', async () => {
    using project = made();
    const { stdout } = await project.migrate('--report', 'html');
    assert.match(stdout, /^<!doctype html>/);
    assert.doesNotMatch(stdout, /<script|<link|src=|url\(|@import|https?:/);
    assert.match(stdout, /&lt;a&gt; &amp; &quot;b&quot;/);
    assert.doesNotMatch(stdout, /<a> &/);
    assert.match(stdout, /<code>owned-spawn migrate --recipe spawn-owned --skip src\/a\.mjs:2:18<\/code>/);
    for (const id of stdout.matchAll(/href="#([^"]+)"/g))
      assert.ok(stdout.includes(`id="${id[1] ?? ''}"`), id[1]);
  });

  it('sarif has each site, with the edits of its set', async () => {
    using project = made();
    const { stdout } = await project.migrate('--report', 'sarif');
    const { runs } = JSON.parse(stdout) as {
      runs: [
        {
          results: {
            ruleId: string;
            fixes?: {
              artifactChanges: {
                replacements: {
                  deletedRegion: { charOffset: number; charLength: number };
                  insertedContent: { text: string };
                }[];
              }[];
            }[];
          }[];
        },
      ];
    };
    const { results } = runs[0];
    assert.deepEqual(
      results.map(({ ruleId }) => ruleId),
      ['migrate/spawn-owned', 'migrate/outlives', 'migrate/syntax-error'],
    );
    let text = A;
    const { replacements = [] } = results[0]?.fixes?.[0]?.artifactChanges[0] ?? {};
    for (const {
      deletedRegion: { charOffset, charLength },
      insertedContent,
    } of [...replacements].reverse())
      text = text.slice(0, charOffset) + insertedContent.text + text.slice(charOffset + charLength);
    assert.equal(
      text,
      "import { spawnOwned } from 'owned-spawn';\nexport const a = spawnOwned('<a> & \"b\"', []);\n",
    );
  });
});
