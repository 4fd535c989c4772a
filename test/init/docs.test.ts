import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { ESLint, type Linter } from 'eslint';
import { parse } from 'yaml';
import { hookStep, type HookName } from '../../rules/init/hooks.ts';
import { findProject } from '../../rules/init/project.ts';
import { CheckProject } from '../helpers/check-project.ts';

const repository = resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(repository, name), 'utf8');
const blocks = (page: string, language: string): string[] =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

/** What init makes of a hook tool's config. */
function written(name: HookName, file: string, text: string): unknown {
  using project = new CheckProject({ 'package.json': '{}', 'eslint.config.js': '', [file]: text });
  const found = findProject(project.folder);
  const outcome = hookStep(found, name)?.run(found);
  assert.ok(typeof outcome === 'object' && 'files' in outcome);
  return parse(outcome.files[file] ?? '');
}

describe('docs/commit-hooks.md', () => {
  const [preCommit, lefthook] = blocks('docs/commit-hooks.md', 'yaml').map((text) => parse(text) as unknown);
  const [lintStaged] = blocks('docs/commit-hooks.md', 'json').map(
    (text) => JSON.parse(text) as Record<string, unknown>,
  );

  it('shows what init writes', () => {
    const { repos } = preCommit as { repos: unknown[] };
    const made = written('pre-commit', '.pre-commit-config.yaml', 'repos:\n  - repo: meta\n') as {
      repos: unknown[];
    };
    assert.deepEqual(made.repos[1], repos[0]);
    assert.deepEqual(written('lefthook', 'lefthook.yml', ''), lefthook);
    assert.deepEqual(written('lint-staged', '.lintstagedrc.json', '{}'), lintStaged?.['lint-staged']);
  });

  it('names the hooks of our own file, the first of which is the one that init writes', () => {
    const hooks = parse(read('.pre-commit-hooks.yaml')) as Record<string, unknown>[];
    assert.deepEqual(
      hooks.map(({ id }) => id),
      ['owned-spawn', 'owned-spawn-files'],
    );
    const { description, ...first } = hooks[0] ?? {};
    assert.ok(description);
    const { repos } = preCommit as { repos: { hooks: unknown[] }[] };
    assert.deepEqual(repos[0]?.hooks[0], first);
  });
});

describe('docs/guides/adopt.md', () => {
  it('has a config that ESLint takes: strict in one package, a rule off among scripts', async () => {
    using project = new CheckProject({ 'package.json': '{ "type": "module" }' });
    const [config = ''] = blocks('docs/guides/adopt.md', 'js').filter((text) =>
      text.includes('export default'),
    );
    // Resolved from the repository: only this file stands for the project.
    const plugin = new URL('../../rules/dist/index.js', import.meta.url).href;
    project.lay({ 'eslint.config.js': config.replace("'eslint-plugin-owned-spawn'", `'${plugin}'`) });
    const eslint = new ESLint({ cwd: project.folder });
    const severity = async (file: string, rule: string): Promise<unknown> => {
      const { rules } = (await eslint.calculateConfigForFile(join(project.folder, file))) as Linter.Config;
      return [rules?.[`owned-spawn/${rule}`]].flat()[0];
    };
    assert.equal(await severity('packages/gateway/a.js', 'no-hot-poll'), 2);
    assert.equal(await severity('packages/other/a.js', 'no-hot-poll'), undefined);
    assert.equal(await severity('packages/other/a.js', 'no-blocking-call'), 1);
    assert.equal(await severity('scripts/a.js', 'no-blocking-call'), 0);
  });
});
