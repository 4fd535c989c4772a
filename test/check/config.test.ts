import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configWith, DETACHED, placesOf, RULE } from './samples.ts';
import { CheckProject } from '../helpers/check-project.ts';

describe('the config of owned-spawn check', () => {
  it('is the built-in one where the user’s does not name the plugin, which is never run', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': "throw new Error('must not run');\n",
      'src/a.js': DETACHED,
    });
    assert.deepEqual(placesOf((await project.findings()).findings), [`src/a.js:2:1 ${RULE}`]);
    await assert.rejects(project.check(['--config', 'eslint.config.mjs']), {
      name: 'UserError',
      message: /the ESLint config .*eslint\.config\.mjs is of no use: must not run/,
    });
  });

  it('is the user’s where it names the plugin: its files, ignores and severities, under any name', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': `
        import plugin from 'eslint-plugin-owned-spawn';
        export default [
          { ignores: ['gen/'] },
          { files: ['src/**/*.js'], plugins: { own: plugin }, rules: { 'own/no-detached-spawn': 'warn', 'no-undef': 'error' } },
        ];`,
      'src/a.js': `${DETACHED}unknown();\n`,
      'gen/b.js': DETACHED,
      'test/c.js': DETACHED,
    });
    project.linkPlugin();
    const { code, findings } = await project.findings();
    assert.equal(code, 0);
    assert.deepEqual(placesOf(findings), [`src/a.js:2:1 ${RULE}`]);
    assert.equal(findings[0]?.severity, 1);
    assert.equal(findings[0].callee, 'child_process.spawn');
    assert.deepEqual(placesOf((await project.findings('src')).findings), [`a.js:2:1 ${RULE}`]);
  });

  it('is refused where it names a rule that there is not, with the nearest one', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': `
        import plugin from 'eslint-plugin-owned-spawn';
        export default [plugin.configs.recommended, { rules: { 'owned-spawn/no-detached-spwan': 'error' } }];`,
      'a.js': DETACHED,
    });
    project.linkPlugin();
    await assert.rejects(project.check([]), { name: 'UserError', next: 'Did you mean "no-detached-spawn"?' });
  });

  it('is refused where its settings are wrong, by the name of the setting', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': configWith('return {}', "settings: { 'owned-spawn': { apis: [{ path: 'x' }] } }"),
      'a.js': DETACHED,
    });
    await assert.rejects(project.check([]), {
      name: 'UserError',
      message: /eslint\.config\.mjs is of no use: settings\['owned-spawn'\]\.apis\[0\]\.module must be/,
    });
  });

  /** The preset, and what more a config says. */
  const presetWith = (more: string): string => `
    import plugin from 'eslint-plugin-owned-spawn';
    export default [plugin.configs.recommended, ${more}];`;

  const REFUSES =
    "{ languageOptions: { parser: { parse() { throw Object.assign(new Error('not of this project'), { lineNumber: 1 }); } } } }";

  it('keeps its rules and settings where its parser gives way to ours', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': presetWith(`${REFUSES},
        { settings: { 'owned-spawn': { allow: [{ from: 'file', path: 'allowed.js', reason: 'ends with the updater, by design' }] } } },
        { files: ['off.js'], rules: { 'owned-spawn/no-detached-spawn': 'off' } },
        { files: ['warns.ts'], rules: { 'owned-spawn/no-detached-spawn': 'warn' } }`),
      'a.js': DETACHED,
      'allowed.js': DETACHED,
      'b.js': 'const a = ;\n',
      'off.js': DETACHED,
      'sloppy.cjs': `with ({}) {}\n`,
      'warns.ts': `const n: number = 1;\n${DETACHED}`,
    });
    project.linkPlugin();
    const { findings } = await project.findings();
    assert.deepEqual(placesOf(findings), [
      `a.js:2:1 ${RULE}`,
      'b.js:1:11 unparsable',
      `warns.ts:3:1 ${RULE}`,
    ]);
    assert.equal(findings.at(-1)?.severity, 1);
  });

  it('counts for TypeScript and JSX that it does not name, which ESLint leaves out', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': presetWith("{ ignores: ['gen/'] }"),
      'src/a.ts': `const n: number = 1;\n${DETACHED}`,
      'src/b.jsx': DETACHED,
      'gen/c.ts': DETACHED,
    });
    project.linkPlugin();
    assert.deepEqual(placesOf((await project.findings()).findings), [
      `src/a.ts:3:1 ${RULE}`,
      `src/b.jsx:2:1 ${RULE}`,
    ]);
  });

  it('decides on kinds of file that need a parser', async () => {
    using project = new CheckProject({ 'a.vue': `<script>\n${DETACHED}</script>\n` });
    assert.deepEqual(await project.findings(), {
      code: 0,
      findings: [],
      err: '1 file skipped, of a kind that only an ESLint config with its parser handles: a.vue\n',
    });
  });

  it('may break down: the file is named, the others are checked, the exit code is 2', async () => {
    using project = new CheckProject({
      'eslint.config.mjs': configWith(
        "return { Program: (node) => context.report({ node, message: 'm' }), CallExpression(node) { if (context.filename.endsWith('a.js')) throw new Error('oh no'); } };",
      ),
      'a.js': DETACHED,
      'b.js': DETACHED,
    });
    const { code, findings } = await project.findings();
    assert.equal(code, 2);
    assert.deepEqual(placesOf(findings), [
      'a.js:2:1 crashed',
      'b.js:1:1 owned-spawn/probe',
      'eslint.config.mjs:1:1 owned-spawn/probe',
    ]);
    assert.match(findings[0]?.message ?? '', /owned-spawn\/probe.*oh no/);
    assert.ok(!findings[0]?.message.includes(project.folder));
  });
});
