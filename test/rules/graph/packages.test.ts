// Calls into other packages of a workspace and files of other kinds, by `check` over the whole program.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../../rules/check/finding.ts';
import { CheckProject } from '../../helpers/check-project.ts';

const GIT = `import fs from 'node:fs';
export default function (p: string) { return fs.readFileSync(p); }
export function named(p: string) { return fs.readFileSync(p); }
`;
const APP = `import load, { named } from '@scope/pkg';
export async function h() { return load('x'); }
export async function k() { return named('x'); }
`;
const LOAD = "import fs from 'node:fs';\nexport const load = (p: string) => fs.readFileSync(p);\n";
const CALL = "export async function h() { return load('x'); }\n";

/** A package beside an application that imports it. */
const workspace = (manifest: object, files: Record<string, string>): Record<string, string> => ({
  'package.json': '{ "name": "root", "workspaces": ["packages/*"] }',
  'packages/pkg/package.json': JSON.stringify({ name: '@scope/pkg', ...manifest }),
  ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`packages/pkg/${name}`, text])),
  'packages/app/package.json': '{ "name": "app" }',
  'packages/app/src/a.ts': APP,
});

async function ends(files: Record<string, string>): Promise<string[]> {
  using project = new CheckProject(files);
  const { out } = await project.check(['--format', 'json']);
  return (JSON.parse(out) as Finding[]).map(({ file, line, path }) => {
    const end = path?.at(-1);
    return `${file}:${String(line)} ${end?.file ?? ''}:${String(end?.line)}`;
  });
}

describe('calls into packages of a workspace', () => {
  const layouts: [what: string, files: Record<string, string>, source: string][] = [
    [
      'of which `main` and `types` name what is built',
      workspace({ main: 'dist/index.js', types: 'dist/index.d.ts' }, { 'src/index.ts': GIT }),
      'src/index.ts',
    ],
    [
      'by `types` alone',
      workspace({ types: './dist/types/main.d.ts' }, { 'src/main.ts': GIT }),
      'src/main.ts',
    ],
    [
      'by an exports map, in a workspace of pnpm',
      {
        ...workspace(
          { exports: { '.': { types: './dist/mod.d.ts', import: './dist/mod.js' } } },
          { 'src/mod.ts': GIT },
        ),
        'package.json': '{ "name": "root" }',
        'pnpm-workspace.yaml': 'packages: [packages/*]\n',
      },
      'src/mod.ts',
    ],
    [
      'by conditions alone',
      workspace(
        { exports: { types: './dist/x.d.ts', node: { import: './dist/x.mjs' } } },
        { 'src/x.ts': GIT },
      ),
      'src/x.ts',
    ],
    [
      'whose default export comes from another file',
      workspace(
        { main: 'lib/index.js' },
        { 'src/index.ts': "export { default, named } from './core';\n", 'src/core.ts': GIT },
      ),
      'src/core.ts',
    ],
    [
      'by path mappings of the root',
      {
        ...workspace({}, { 'src/index.ts': GIT }),
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@scope/*": ["./packages/*/src"] } } }',
      },
      'src/index.ts',
    ],
    [
      'by project references',
      {
        ...workspace({ main: 'dist/index.js' }, { 'src/index.ts': GIT }),
        'tsconfig.json':
          '{ "files": [], "references": [{ "path": "packages/pkg" }, { "path": "packages/app" }] }',
        'packages/pkg/tsconfig.json':
          '{ "compilerOptions": { "composite": true, "outDir": "dist", "rootDir": "src" } }',
        'packages/app/tsconfig.json':
          '{ "compilerOptions": { "composite": true }, "references": [{ "path": "../pkg" }] }',
      },
      'src/index.ts',
    ],
  ];
  for (const [what, files, source] of layouts) {
    it(`follows the default export of one ${what}`, async () => {
      assert.deepEqual(await ends(files), [
        `packages/app/src/a.ts:2 packages/pkg/${source}:2`,
        `packages/app/src/a.ts:3 packages/pkg/${source}:3`,
      ]);
    });
  }

  it('follows default exports of dynamic imports and of `imports` in package.json', async () => {
    assert.deepEqual(
      await ends({
        'package.json': '{ "name": "x", "imports": { "#git": "./src/git.ts" } }',
        'src/git.ts': GIT,
        'src/a.ts': `import load from '#git';
export async function h() { return load('x'); }
export async function k() { return (await import('./git')).default('x'); }
export async function l() { const { default: read } = await import('./git'); return read('x'); }
`,
      }),
      ['src/a.ts:2 src/git.ts:2', 'src/a.ts:3 src/git.ts:2', 'src/a.ts:4 src/git.ts:2'],
    );
  });
});

describe('programs of TypeScript and JavaScript', () => {
  it('follows what TypeScript requires', async () => {
    assert.deepEqual(
      await ends({
        'git.js': `const fs = require('fs');
module.exports = (p) => fs.readFileSync(p);
module.exports.named = (p) => fs.readFileSync(p);
`,
        'lib.ts': LOAD,
        'a.ts': `const load = require('./git');
const { named } = require('./git');
export async function a() { return load('x'); }
export async function b() { return load.named('x'); }
export async function c() { return named('x'); }
export async function d() { return require('./lib').load('x'); }
`,
      }),
      ['a.ts:3 git.js:2', 'a.ts:4 git.js:3', 'a.ts:5 git.js:3', 'a.ts:6 lib.ts:2'],
    );
  });

  it('follows from TypeScript to JavaScript with `allowJs` off and declarations beside it, and back', async () => {
    assert.deepEqual(
      await ends({
        'tsconfig.json': '{ "compilerOptions": { "allowJs": false, "strict": true } }',
        'git.js': "const fs = require('fs');\nexports.load = (p) => fs.readFileSync(p);\n",
        'git.d.ts': 'export declare function load(p: string): Buffer;\n',
        'lib.ts': LOAD,
        'a.ts': `import { load } from './git';\n${CALL}`,
        'b.js': "const { load } = require('./lib');\nexports.h = async () => load('x');\n",
        'c.mjs': `import { load } from './lib.js';\n${CALL}`,
      }),
      ['a.ts:2 git.js:2', 'b.js:2 lib.ts:2', 'c.mjs:2 lib.ts:2'],
    );
  });

  it('follows the path mappings of the project that holds a file, where a tsconfig only refers to projects', async () => {
    const project = (folder: string) =>
      `{ "compilerOptions": { "composite": true, "paths": { "~/*": ["./${folder}/*"] } }, "include": ["${folder}"] }`;
    const folders = ['web', 'node'];
    assert.deepEqual(
      await ends({
        'tsconfig.json': JSON.stringify({
          files: [],
          references: folders.map((folder) => ({ path: `./tsconfig.${folder}.json` })),
        }),
        ...Object.fromEntries(
          folders.flatMap((folder) => [
            [`tsconfig.${folder}.json`, project(folder)],
            [`${folder}/lib.ts`, LOAD],
            [`${folder}/a.ts`, `import { load } from '~/lib';\n${CALL}`],
          ]),
        ),
      }),
      ['node/a.ts:2 node/lib.ts:2', 'web/a.ts:2 web/lib.ts:2'],
    );
  });
});

describe('a tsconfig that is broken', () => {
  const files = { 'src/lib.ts': LOAD, 'src/a.ts': `import { load } from './lib';\n${CALL}` };
  const broken: Record<string, [config: string, message: RegExp, exit: number]> = {
    'does not parse': [
      '{ "compilerOptions":\n { "paths": { "~/*": ["./src/*" } } }',
      /^tsconfig\.json:2 is broken: '[\],]' expected\./,
      2,
    ],
    'extends a file that is not there': [
      '{ "extends": "./base.json" }',
      /^tsconfig\.json is broken: .*\.\/base\.json/,
      0,
    ],
  };
  for (const [what, [config, message, exit]] of Object.entries(broken)) {
    it(`that ${what} is told, and the rest goes on`, async () => {
      using project = new CheckProject({ ...files, 'tsconfig.json': config });
      const { code, out, err } = await project.check([]);
      assert.equal(code, exit);
      assert.match(err, message);
      assert.match(out, /h → load \(a\.ts:2\)/);
    });
  }

  it('is none where its base is not installed or made yet', async () => {
    for (const base of ['@tsconfig/node20/tsconfig.json', './.svelte-kit/tsconfig.json']) {
      using project = new CheckProject({ ...files, 'tsconfig.json': JSON.stringify({ extends: base }) });
      const { code, err } = await project.check([]);
      assert.deepEqual({ code, err }, { code: 0, err: '' });
    }
  });
});

describe('a run in a folder of the project', () => {
  it('finds there what a run at the top does, with one baseline', async () => {
    const text = "import fs from 'node:fs';\nexport async function load() { return fs.readFileSync('x'); }\n";
    using project = new CheckProject({ 'packages/a/test/lib/x.ts': text, 'packages/a/src/y.ts': text });
    project.git('init', '-q');
    assert.deepEqual(await project.places([]), ['packages/a/src/y.ts:2 load']);
    assert.deepEqual(await project.places(['packages/a']), ['src/y.ts:2 load']);
    const from = process.cwd();
    try {
      process.chdir(`${project.folder}/packages/a/test`);
      assert.deepEqual(await project.places(['packages/a/test']), []);
    } finally {
      process.chdir(from);
    }
    await project.check(['--baseline', 'known.json']);
    const known = project.read('known.json');
    const { err } = await project.check(['--baseline', 'known.json', 'packages/a']);
    assert.match(err, /holds 1\./);
    assert.equal(project.read('known.json'), known);
  });
});
