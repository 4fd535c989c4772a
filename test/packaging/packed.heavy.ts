// Installs the packed tarballs as a user does: needs the npm registry for ESLint and TypeScript.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '../..');
const LEAKY = `import { spawn } from 'node:child_process';

export const serve = () => spawn('node', ['server.js'], { detached: true, stdio: 'ignore' });
`;
let scratch: string;
const tarballs: Record<string, string> = {};

function project(name: string, type: 'module' | 'commonjs', packages: string[]): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    `{\n  "name": "app",\n  "private": true,\n  "type": "${type}"\n}\n`,
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], {
    cwd: folder,
    stdio: 'pipe',
  });
  return folder;
}

function run(folder: string, ...argv: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('npx', ['--no-install', ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, output: stdout + stderr };
}

before(() => {
  scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-packed-'));
  for (const folder of ['runtime', 'rules', 'codemods']) {
    execFileSync('npm', ['pack', '--pack-destination', scratch], { cwd: join(root, folder), stdio: 'pipe' });
  }
  for (const file of readdirSync(scratch))
    tarballs[file.replace(/-\d+\.\d+\.\d+\.tgz$/, '')] = join(scratch, file);
});

after(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const tarball = (name: string): string => tarballs[name] ?? assert.fail(`${name} was not packed`);

describe('the packed packages', () => {
  it('find, fix and find nothing more in a fresh project', () => {
    const all = ['owned-spawn', 'eslint-plugin-owned-spawn', 'owned-spawn-codemods'].map(tarball);
    const folder = project('app', 'module', [...all, 'eslint@10', 'typescript@6.0.3']);
    // detached-spawn: ok — a specimen, which nothing runs
    writeFileSync(join(folder, 'serve.mjs'), LEAKY);
    const found = run(folder, 'owned-spawn', 'check');
    assert.equal(found.status, 1, found.output);
    assert.match(found.output, /serve\.mjs[^]*owned-spawn\/no-detached-spawn/);
    const migrated = run(folder, 'owned-spawn', 'migrate', '--write', '--outliving', 'own');
    assert.equal(migrated.status, 0, migrated.output);
    assert.equal(
      readFileSync(join(folder, 'serve.mjs'), 'utf8'),
      `import { spawnOwned } from 'owned-spawn';

export const serve = () => spawnOwned('node', ['server.js'], { stdio: 'ignore' });
`,
    );
    const clean = run(folder, 'owned-spawn', 'check');
    assert.equal(clean.status, 0, clean.output);
  });

  it('lint through ESLint itself with the recommended preset', () => {
    const folder = join(scratch, 'app');
    // detached-spawn: ok — a specimen, which nothing runs
    writeFileSync(join(folder, 'serve.mjs'), LEAKY);
    writeFileSync(
      join(folder, 'eslint.config.mjs'),
      "import ownedSpawn from 'eslint-plugin-owned-spawn';\nexport default [ownedSpawn.configs.recommended];\n",
    );
    const { status, output } = run(folder, 'eslint', '.');
    assert.equal(status, 1, output);
    assert.match(output, /owned-spawn\/no-detached-spawn/);
  });

  it('keep production small: the runtime brings no dependency', () => {
    const folder = project('production', 'commonjs', [tarball('owned-spawn')]);
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(installed, ['owned-spawn']);
  });

  it('load the runtime from CommonJS', () => {
    writeFileSync(
      join(scratch, 'production/app.cjs'),
      "require('owned-spawn').spawnOwned('node', ['-p', '40 + 2'], { stdio: ['ignore', 'inherit', 'inherit'] });\n",
    );
    assert.equal(
      execFileSync(process.execPath, ['app.cjs'], { cwd: join(scratch, 'production'), encoding: 'utf8' }),
      '42\n',
    );
  });

  for (const [module, resolution] of [
    ['NodeNext', 'NodeNext'],
    ['CommonJS', 'Node10'],
    ['ESNext', 'Bundler'],
  ] as const) {
    it(`type the runtime under moduleResolution ${resolution}`, () => {
      const folder = join(scratch, 'app');
      writeFileSync(
        join(folder, 'typed.ts'),
        "import { spawnOwned } from 'owned-spawn';\nexport const text: string = spawnOwned('true', { stdio: 'pipe' }).stdout.constructor.name;\n",
      );
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            module,
            moduleResolution: resolution,
            strict: true,
            noEmit: true,
            types: ['node'],
            typeRoots: [join(root, 'node_modules/@types')],
            ignoreDeprecations: '6.0',
          },
          files: ['typed.ts'],
        }),
      );
      const { status, output } = run(folder, 'tsc', '-p', '.');
      assert.equal(status, 0, output);
    });
  }

  it('name the install command where only the runtime is there', () => {
    const { status, output } = run(join(scratch, 'production'), 'owned-spawn', 'check');
    assert.equal(status, 2);
    assert.match(output, /npm install -D eslint-plugin-owned-spawn/);
  });
});
