import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ESLint, type Linter } from 'eslint';
import { applyEdits } from '../../rules/edits/edit.ts';
import { presetEdits } from '../../rules/init/preset-edits.ts';
import { parseModule } from '../../rules/read/module-view.ts';

const repository = resolve(import.meta.dirname, '../..');

/** Configs before and after, by what is special about them; `a.js` has the rule `eqeqeq` in each. */
const CASES: Record<string, readonly [name: string, before: string, after: string]> = {
  'an array of one line': [
    'eslint.config.js',
    "export default [{ rules: { eqeqeq: 'error' } }];\n",
    `import ownedSpawn from 'eslint-plugin-owned-spawn';
export default [{ rules: { eqeqeq: 'error' } }, ownedSpawn.configs.recommended];
`,
  ],
  'an array of many lines, with trailing commas and a comment behind the last': [
    'eslint.config.js',
    `// @ts-check
import js from "@eslint/js";

export default [
  js.configs.recommended,
  { rules: { eqeqeq: "error" } }, // as ever
  // more to come
];
`,
    `// @ts-check
import js from "@eslint/js";
import ownedSpawn from "eslint-plugin-owned-spawn";

export default [
  js.configs.recommended,
  { rules: { eqeqeq: "error" } }, // as ever
  ownedSpawn.configs.recommended,
  // more to come
];
`,
  ],
  'no semicolons, no trailing comma, tabs and CRLF': [
    'eslint.config.mjs',
    "import js from '@eslint/js'\r\n\r\nexport default [\r\n\tjs.configs.recommended,\r\n\t{ rules: { eqeqeq: 2 } } // last\r\n]\r\n",
    "import js from '@eslint/js'\r\nimport ownedSpawn from 'eslint-plugin-owned-spawn'\r\n\r\nexport default [\r\n\tjs.configs.recommended,\r\n\t{ rules: { eqeqeq: 2 } }, // last\r\n\townedSpawn.configs.recommended\r\n]\r\n",
  ],
  'brackets that share their lines': [
    'eslint.config.js',
    `export default [{
  rules: { eqeqeq: 'error' },
}];
`,
    `import ownedSpawn from 'eslint-plugin-owned-spawn';
export default [{
  rules: { eqeqeq: 'error' },
}, ownedSpawn.configs.recommended];
`,
  ],
  'defineConfig of an array': [
    'eslint.config.js',
    `import { defineConfig, globalIgnores } from 'eslint/config';

export default defineConfig([
  globalIgnores(['dist']),
  { rules: { eqeqeq: 'error' } },
]);
`,
    `import { defineConfig, globalIgnores } from 'eslint/config';
import ownedSpawn from 'eslint-plugin-owned-spawn';

export default defineConfig([
  globalIgnores(['dist']),
  { rules: { eqeqeq: 'error' } },
  ownedSpawn.configs.recommended,
]);
`,
  ],
  'defineConfig of one object, in sorted imports': [
    'eslint.config.js',
    `import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig({ files: ['**/*.js'], plugins: { js, tseslint }, rules: { eqeqeq: 'error' } });
`,
    `import js from '@eslint/js';
import ownedSpawn from 'eslint-plugin-owned-spawn';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig({ files: ['**/*.js'], plugins: { js, tseslint }, rules: { eqeqeq: 'error' } }, ownedSpawn.configs.recommended);
`,
  ],
  'tseslint.config with arguments': [
    'eslint.config.mjs',
    `import tseslint from 'typescript-eslint';

export default tseslint.config(
  { rules: { eqeqeq: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
  },
);
`,
    `import tseslint from 'typescript-eslint';
import ownedSpawn from 'eslint-plugin-owned-spawn';

export default tseslint.config(
  { rules: { eqeqeq: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
  },
  ownedSpawn.configs.recommended,
);
`,
  ],
  'a named function of typescript-eslint': [
    'eslint.config.mjs',
    `import { config } from 'typescript-eslint';
export default config([{ rules: { eqeqeq: 'error' } }]);
`,
    `import { config } from 'typescript-eslint';
import ownedSpawn from 'eslint-plugin-owned-spawn';
export default config([{ rules: { eqeqeq: 'error' } }, ownedSpawn.configs.recommended]);
`,
  ],
  'a typed variable of a TypeScript config': [
    'eslint.config.ts',
    `import type { Linter } from 'eslint';

const config: Linter.Config[] = [
    { rules: { eqeqeq: 'error' } },
];

export default config satisfies Linter.Config[];
`,
    `import type { Linter } from 'eslint';
import ownedSpawn from 'eslint-plugin-owned-spawn';

const config: Linter.Config[] = [
    { rules: { eqeqeq: 'error' } },
    ownedSpawn.configs.recommended,
];

export default config satisfies Linter.Config[];
`,
  ],
  'one object in a variable': [
    'eslint.config.js',
    `const config = {
  rules: { eqeqeq: 'error' },
};

export default config;
`,
    `import ownedSpawn from 'eslint-plugin-owned-spawn';
const config = {
  rules: { eqeqeq: 'error' },
};

export default [config, ownedSpawn.configs.recommended];
`,
  ],
  CommonJS: [
    'eslint.config.cjs',
    `'use strict';

const js = require('@eslint/js');

module.exports = [
  js.configs.recommended,
  { rules: { eqeqeq: 'error' } },
];
`,
    `'use strict';

const js = require('@eslint/js');
const ownedSpawn = require('eslint-plugin-owned-spawn').default;

module.exports = [
  js.configs.recommended,
  { rules: { eqeqeq: 'error' } },
  ownedSpawn.configs.recommended,
];
`,
  ],
  'CommonJS with a function out of a pattern': [
    'eslint.config.cjs',
    `const { defineConfig } = require("eslint/config");

module.exports = defineConfig([
  {
    rules: { eqeqeq: "error" },
  },
]);
`,
    `const { defineConfig } = require("eslint/config");
const ownedSpawn = require("eslint-plugin-owned-spawn").default;

module.exports = defineConfig([
  {
    rules: { eqeqeq: "error" },
  },
  ownedSpawn.configs.recommended,
]);
`,
  ],
  'arrays in a row': [
    'eslint.config.js',
    `const base = [{ rules: { eqeqeq: 'error' } }];
export default [].concat(
  base,
  [],
);
`,
    `import ownedSpawn from 'eslint-plugin-owned-spawn';
const base = [{ rules: { eqeqeq: 'error' } }];
export default [].concat(
  base,
  [],
  ownedSpawn.configs.recommended,
);
`,
  ],
  'an empty array with a comment, and a taken name': [
    'eslint.config.js',
    `/* Ours. */

const ownedSpawn = [{ rules: { eqeqeq: 'error' } }];

export default [...ownedSpawn, ...[
  // nothing yet
]];
`,
    `/* Ours. */

import ownedSpawnPlugin from 'eslint-plugin-owned-spawn';
const ownedSpawn = [{ rules: { eqeqeq: 'error' } }];

export default [...ownedSpawn, ...[
  // nothing yet
], ownedSpawnPlugin.configs.recommended];
`,
  ],
  'a config of antfu, with options': [
    'eslint.config.mjs',
    `import antfu from '@antfu/eslint-config'

export default antfu({ vue: true }, { rules: { eqeqeq: 'error' } })
`,
    `import antfu from '@antfu/eslint-config'
import ownedSpawn from 'eslint-plugin-owned-spawn'

export default antfu({ vue: true }, { rules: { eqeqeq: 'error' } }, ownedSpawn.configs.recommended)
`,
  ],
  'a chain of antfu': [
    'eslint.config.mjs',
    `import antfu from '@antfu/eslint-config';

export default antfu({})
  .append({ rules: { eqeqeq: 'error' } });
`,
    `import antfu from '@antfu/eslint-config';
import ownedSpawn from 'eslint-plugin-owned-spawn';

export default antfu({})
  .append({ rules: { eqeqeq: 'error' } }, ownedSpawn.configs.recommended);
`,
  ],
  'FlatCompat alone': [
    'eslint.config.mjs',
    `import { FlatCompat } from '@eslint/eslintrc';

const compat = new FlatCompat({ baseDirectory: import.meta.dirname });

export default compat.config({ extends: ['next'] });
`,
    `import { FlatCompat } from '@eslint/eslintrc';
import ownedSpawn from 'eslint-plugin-owned-spawn';

const compat = new FlatCompat({ baseDirectory: import.meta.dirname });

export default [...compat.config({ extends: ['next'] }), ownedSpawn.configs.recommended];
`,
  ],
};

/** What stands in for packages that the repository has not. */
const STUBS: Record<string, string> = {
  '@eslint/js': `export const configs = { recommended: { rules: {} } };
export default { configs };
`,
  '@antfu/eslint-config': `export default function antfu(options, ...configs) {
  const made = Promise.resolve([...configs]);
  made.append = (...more) => antfu(options, ...configs, ...more);
  return made;
}
`,
  '@eslint/eslintrc': `export class FlatCompat { config() { return [{ rules: { eqeqeq: 'error' } }]; } }
`,
};

let scratch: string;
before(() => {
  scratch = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-init-'));
  const modules = join(scratch, 'node_modules');
  for (const name of ['eslint', 'eslint-plugin-owned-spawn', 'typescript-eslint']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), join(modules, name));
  }
  for (const [name, text] of Object.entries(STUBS)) {
    mkdirSync(join(modules, name), { recursive: true });
    writeFileSync(join(modules, name, 'index.mjs'), text);
    writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, exports: './index.mjs' }));
  }
});
after(() => {
  rmSync(scratch, { recursive: true });
});

function edited(text: string, name: string): string {
  const result = presetEdits(parseModule(text, name), 'recommended');
  assert.ok(typeof result === 'object' && 'edits' in result, JSON.stringify(result));
  return applyEdits(text, result.edits);
}

describe('presetEdits', () => {
  for (const [what, [name, text, expected]] of Object.entries(CASES)) {
    it(`adds the preset to ${what}`, async () => {
      assert.equal(edited(text, name), expected);
      assert.equal(presetEdits(parseModule(expected, name), 'recommended'), 'present');
      // ESLint reads TypeScript configs through a package that not everybody has.
      if (name.endsWith('.ts')) return;
      const folder = mkdtempSync(join(scratch, 'project-'));
      const rulesOf = async (config: string): Promise<Linter.RulesRecord> => {
        // A file name of its own: modules are loaded once a name.
        const file = join(folder, `${config === text ? 'before' : 'after'}.${name}`);
        writeFileSync(file, config);
        writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
        const eslint = new ESLint({ cwd: folder, overrideConfigFile: file });
        const { rules } = (await eslint.calculateConfigForFile(join(folder, 'a.js'))) as Linter.Config;
        return rules as Linter.RulesRecord;
      };
      const [then, now] = [await rulesOf(text), await rulesOf(expected)];
      assert.deepEqual([then.eqeqeq].flat()[0], 2);
      assert.equal(then['owned-spawn/no-detached-spawn'], undefined);
      assert.deepEqual([now['owned-spawn/no-detached-spawn']].flat()[0], 2);
      const others = Object.entries(now).filter(([rule]) => !rule.startsWith('owned-spawn/'));
      assert.deepEqual(Object.fromEntries(others), then);
    });
  }

  const UNSURE: Record<string, readonly [text: string, why: RegExp]> = {
    'a function of its own': ['import make from "./make.js";\nexport default make();\n', /`make` makes it/],
    'another file': [
      'import config from "./config.js";\nexport default config;\n',
      /comes from another file/,
    ],
    'an export of a file': ['export { default } from "./config.js";\n', /exports nothing/],
    'code that runs': ['export default await (async () => [])();\n', /made at run time/],
    'two exports': ['module.exports = [];\nif (1) {}\nmodule.exports = [{}];\n', /more than once/],
    'a variable that changes': ['let a = [];\na = [{}];\nexport default a;\n', /more than one place/],
    'the keys of an .eslintrc': ['module.exports = { root: true, rules: {} };\n', /keys of an \.eslintrc/],
    "a function with the name of another package's": [
      'import { defineConfig } from "vite";\nexport default defineConfig([]);\n',
      /`defineConfig` makes it/,
    ],
    'a name that leads to itself': ['const a = a;\nexport default a;\n', /cannot be followed/],
    'antfu without options': [
      'import antfu from "@antfu/eslint-config";\nexport default antfu();\n',
      /options/,
    ],
  };
  for (const [what, [text, why]] of Object.entries(UNSURE)) {
    it(`leaves ${what} to a person`, () => {
      const result = presetEdits(parseModule(text, 'eslint.config.js'), 'recommended');
      assert.ok(typeof result === 'object' && 'unsure' in result, JSON.stringify(result));
      assert.match(result.unsure, why);
    });
  }

  it('writes the names of other presets as members', () => {
    const text = 'export default []\n';
    const result = presetEdits(parseModule(text, 'eslint.config.js'), 'recommended-type-checked');
    assert.ok(typeof result === 'object' && 'edits' in result);
    assert.match(applyEdits(text, result.edits), /\[ownedSpawn\.configs\['recommended-type-checked'\]\]/);
  });
});
