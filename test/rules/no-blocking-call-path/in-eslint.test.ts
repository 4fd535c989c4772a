import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';
import * as parser from '@typescript-eslint/parser';
import plugin from '../../../rules/index.ts';
import { CheckProject } from '../../helpers/check-project.ts';
import { findingsIn, READ, RULE } from './ways.ts';

describe('no-blocking-call-path in ESLint', () => {
  it("warns of ESLint's --cache, which does not know the files that a path leads to", () => {
    const url = (name: string) =>
      JSON.stringify(pathToFileURL(resolve(import.meta.dirname, '../../..', name)).href);
    using project = new CheckProject({
      'lib.ts': READ,
      'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
      'tsconfig.json':
        '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "types": [] } }',
      'eslint.config.mjs': `import parser from ${url('node_modules/@typescript-eslint/parser/dist/index.js')};
import plugin from ${url('rules/dist/index.js')};
export default [{
  files: ['**/*.ts'],
  plugins: { 'owned-spawn': plugin },
  rules: { '${RULE}': 'error' },
  languageOptions: { parser, parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
}];`,
    });
    const lint = (...flags: string[]) =>
      spawnSync(
        process.execPath,
        [resolve(import.meta.dirname, '../../../node_modules/eslint/bin/eslint.js'), ...flags, 'app.ts'],
        { cwd: project.folder, encoding: 'utf8' },
      );
    for (const { flags, warns } of [
      { flags: [], warns: false },
      { flags: ['--cache', '--cache-location', '.cache'], warns: true },
    ]) {
      const { status, stdout, stderr } = lint(...flags);
      assert.equal(status, 1, stderr);
      assert.match(stdout, /h → load \(app\.ts:2\)/);
      assert.equal(stderr.includes('looks at other files, which `--cache` does not'), warns, stderr);
    }
  });

  it('finds the same in ESLint with a program of its own', async () => {
    const files = {
      'lib.ts': READ,
      'app.ts': "import { load } from './lib';\nexport async function h() { return load('x'); }\n",
      'tsconfig.json':
        '{ "compilerOptions": { "types": [], "module": "esnext", "moduleResolution": "bundler" } }',
    };
    const expected = (await findingsIn(files)).map(({ message, line, column }) => ({
      message,
      line,
      column,
    }));
    using project = new CheckProject(files);
    const eslint = new ESLint({
      cwd: project.folder,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ['**/*.ts'],
          plugins: { 'owned-spawn': plugin },
          rules: { [RULE]: 'error' },
          languageOptions: {
            parser,
            parserOptions: { project: './tsconfig.json', tsconfigRootDir: project.folder },
          },
        },
      ],
    });
    const results = await eslint.lintFiles(['app.ts']);
    assert.deepEqual(
      results.flatMap(({ messages }) =>
        messages.map(({ message, line, column }) => ({ message, line, column })),
      ),
      expected,
    );
    assert.equal(expected.length, 1);
  });
});
