// TypeScript 7 alone: the aliases of the README, installed as it says. Needs the npm registry.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PackedProject } from '../helpers/packed-project.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
const [, aliases = ''] = /^npm install -D (typescript@npm:.+)$/m.exec(readme) ?? [];

const FILES = {
  'package.json': '{ "name": "app", "private": true, "type": "module" }',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true, "noEmit": true }, "include": ["src"] }',
  'eslint.config.js': `import ownedSpawn from 'eslint-plugin-owned-spawn';
import tseslint from 'typescript-eslint';

export default [
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
  },
  ownedSpawn.configs['recommended-type-checked'],
];
`,
  'src/settings.ts':
    "import { readFileSync } from 'node:fs';\n\nexport const readSettings = () => readFileSync('settings.json', 'utf8');\n",
  'src/handle.ts':
    "import { readSettings } from './settings.js';\n\nexport async function handle() {\n  return readSettings();\n}\n",
};

describe('with TypeScript 7 and the aliases of the README', () => {
  let project: PackedProject;
  before(() => {
    project = new PackedProject(FILES);
    project.install(['eslint@10.15.0', 'typescript-eslint@8.72.0', '@types/node@20', ...aliases.split(' ')]);
  });
  after(() => {
    project[Symbol.dispose]();
  });

  it('has tsc of TypeScript 7, and tsc6 beside it', () => {
    assert.match(project.run(['tsc', '--version']).output, /^Version 7\./);
    assert.match(project.run(['tsc6', '--version']).output, /^Version 6\./);
  });

  it('lints by types, in ESLint and in check', () => {
    for (const argv of [
      ['eslint', 'src'],
      ['owned-spawn', 'check', 'src'],
    ]) {
      const { output } = project.run(argv);
      assert.match(output, /4:10 +warning +.*readSettings.*no-blocking-call-path/, output);
    }
  });
});
