import eslintPlugin from 'eslint-plugin-eslint-plugin';
import ownedSpawn from 'eslint-plugin-owned-spawn';
import tseslint from 'typescript-eslint';

const TYPED = ['**/*.ts'];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '.cache/',
      'site/.pages/',
      'site/.vitepress/cache/',
      'test/battery/',
      'test/cases/inputs/',
      'test/**/fixtures/',
      'examples/',
      'codemods/registry/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: TYPED,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // node.type === 'CallExpression' narrows; the enum itself would load all of typescript-eslint (240 ms).
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // An empty string is as absent as undefined in many of our texts.
      '@typescript-eslint/prefer-nullish-coalescing': [
        'error',
        { ignorePrimitives: { string: true, boolean: true } },
      ],
    },
  },
  {
    files: ['rules/**/*.ts'],
    extends: [eslintPlugin.configs.recommended],
    // RuleCreator adds the URL.
    rules: { 'eslint-plugin/require-meta-docs-url': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // node:test's describe and it return promises that the runner itself awaits.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['describe', 'it', 'test', 'before', 'after', 'beforeEach', 'afterEach'],
            },
          ],
        },
      ],
    },
  },
  { files: ['**/*.ts', '**/*.js', '**/*.mjs'], extends: [ownedSpawn.configs?.['recommended'] ?? {}] },
  {
    // Commands and tests run alone: nobody else waits for their loop.
    files: ['{rules,codemods,scripts,test,bench}/**', 'runtime/{cli,commands,prove}/**'],
    rules: Object.fromEntries(
      Object.keys(ownedSpawn.rules)
        .filter((name) => name.startsWith('no-blocking'))
        .map((name) => [`owned-spawn/${name}`, 'off']),
    ),
  },
);
