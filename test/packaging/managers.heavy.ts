// Installs the packages by name with every manager into fresh projects, and uses them as a user does.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { environment, managers, run, writeFiles, type Manager } from './managers.ts';
import { startRegistry, type Registry } from './registry.ts';

const LONG_LIVED = `['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }`;

interface Kind {
  name: string;
  packages: string[];
  files: Record<string, string>;
  /** Compiles what cannot be run as it stands. */
  build?: string[];
  /** Files that depend on the manager. */
  config?: (manager: Manager) => Record<string, string>;
  main: string;
}

/** The config of a CommonJS project, which cannot always `require` our ES modules. */
const commonJsConfig = ({ requiresEsm }: Manager): Record<string, string> =>
  requiresEsm
    ? {
        'eslint.config.js': `const { default: ownedSpawn } = require('eslint-plugin-owned-spawn');

module.exports = [ownedSpawn.configs.recommended];
`,
      }
    : {
        'eslint.config.mjs': `import ownedSpawn from 'eslint-plugin-owned-spawn';

export default [{ ignores: ['.pnp.*'] }, ownedSpawn.configs.recommended];
`,
      };

const KINDS: Kind[] = [
  {
    name: 'ESM and TypeScript, with the typed preset',
    packages: ['typescript@6.0.3', 'typescript-eslint@8.72.0', '@types/node@20'],
    files: {
      'package.json': '{ "name": "app", "private": true, "type": "module" }\n',
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'NodeNext',
          outDir: 'dist',
          rootDir: 'src',
          strict: true,
          types: ['node'],
        },
        include: ['src'],
      }),
      'eslint.config.js': `import ownedSpawn from 'eslint-plugin-owned-spawn';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist/', '.pnp.*', 'eslint.config.js'] },
  tseslint.configs.base,
  { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  ownedSpawn.configs['recommended-type-checked'],
);
`,
      'src/app.ts': `import { spawn, type ChildProcess } from 'node:child_process';

const child: ChildProcess = spawn(process.execPath, ${LONG_LIVED});
console.log('ready', child.pid);
setInterval(() => undefined, 1000);
`,
    },
    build: ['tsc', '-p', '.'],
    main: 'dist/app.js',
  },
  {
    name: 'CommonJS and JavaScript',
    packages: ['typescript@6.0.3'],
    files: {
      'package.json': '{ "name": "app", "private": true, "type": "commonjs" }\n',
      'src/app.js': `const { spawn } = require('node:child_process');

const child = spawn(process.execPath, ${LONG_LIVED});
console.log('ready', child.pid);
setInterval(() => undefined, 1000);
`,
    },
    config: commonJsConfig,
    main: 'src/app.js',
  },
];

const RULE = /owned-spawn\/no-detached-spawn/;

describe('the packages, installed by name', () => {
  let scratch: string;
  let registry: Registry;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    scratch = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-managers-'));
    registry = await startRegistry();
    env = environment(registry.url, join(scratch, 'caches'));
  });

  after(() => {
    registry.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Makes a project, and returns how a command is run in it and held to an exit code. */
  async function project({ files, add }: Manager, own: Record<string, string>, packages: string[]) {
    const folder = mkdtempSync(join(scratch, 'app-'));
    writeFiles(folder, { ...files, ...own });
    const expect = async (status: number, ...command: string[]) => {
      const result = await run(folder, env, command);
      assert.equal(result.status, status, `${command.join(' ')}\n${result.output}`);
      return result.output;
    };
    await expect(0, ...add, ...packages);
    return expect;
  }

  for (const manager of managers()) {
    for (const { name, packages, files, build, config, main } of KINDS) {
      it(`are linted, checked, migrated and proved with ${manager.name}: ${name}`, async () => {
        const ours = ['owned-spawn', 'eslint-plugin-owned-spawn', 'owned-spawn-codemods'];
        const expect = await project(manager, { ...files, ...config?.(manager) }, [
          ...ours,
          'eslint@10.15.0',
          ...packages,
        ]);
        const command = [...manager.run, 'owned-spawn'];
        // Not through a launcher of the manager's, which would be the owner; its help for Node is in the environment.
        const prove = [...command, 'prove', '--ready-text', 'ready', '--', process.execPath, main];

        if (build) await expect(0, ...manager.run, ...build);
        await expect(1, ...prove);
        assert.match(await expect(1, ...manager.run, 'eslint', '.'), RULE);
        assert.match(await expect(1, ...command, 'check'), RULE);
        await expect(0, ...command, 'migrate', '--write', '--outliving', 'own');
        await expect(0, ...command, 'check');
        await expect(0, ...manager.run, 'eslint', '.');
        if (build) await expect(0, ...manager.run, ...build);
        await expect(0, ...prove);
      });
    }

    it(`lint and check where only the plugin is, with ${manager.name}`, async () => {
      const [, { files, config }] = KINDS as [Kind, Kind];
      const typescript = manager.addsPeers ? [] : ['typescript@6.0.3'];
      const expect = await project(manager, { ...files, ...config?.(manager) }, [
        'eslint-plugin-owned-spawn',
        'eslint@10.15.0',
        ...typescript,
      ]);
      assert.match(await expect(1, ...manager.run, 'eslint', '.'), RULE);
      assert.match(await expect(1, ...manager.run, 'owned-spawn', 'check'), RULE);
      assert.match(
        await expect(2, ...manager.run, 'owned-spawn', 'migrate'),
        /(npm install|pnpm add|yarn add) -D owned-spawn-codemods/,
      );
      for (const heavy of ['jscodeshift', 'owned-spawn-codemods'])
        await expect(1, ...manager.node, '-e', `require.resolve('${heavy}')`);
    });
  }

  for (const manager of managers().filter(({ withoutPeers }) => withoutPeers)) {
    it(`say what to install where TypeScript is not, with ${manager.name}, and lint all the same`, async () => {
      const [, { files, config }] = KINDS as [Kind, Kind];
      const own = { ...files, ...config?.(manager), ...manager.withoutPeers };
      const expect = await project(manager, own, ['eslint-plugin-owned-spawn', 'eslint@10.15.0']);
      await expect(1, ...manager.node, '-e', `require.resolve('typescript')`);
      assert.match(await expect(1, ...manager.run, 'eslint', '.'), RULE);
      assert.match(
        await expect(2, ...manager.run, 'owned-spawn', 'check'),
        /typescript is not installed here\nInstall it: (npm install|pnpm add|yarn add) -D typescript@6\.0/,
      );
    });
  }

  it('own and end children under Jest in CommonJS', async () => {
    const [npm] = managers() as [Manager];
    const expect = await project(
      npm,
      {
        'package.json': '{ "name": "app", "private": true }\n',
        'owned.test.js': `const { killOwned, owned, spawnOwned } = require('owned-spawn');

test('a child is owned, and ends', async () => {
  const child = spawnOwned(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const count = owned().length;
  await killOwned(child);
  expect(count).toBe(1);
  expect(child.signalCode).toBe('SIGTERM');
});

test('a status file is published', async () => {
  const { statusFile } = require('owned-spawn/status');
  const status = statusFile(require('node:path').join(__dirname, 'status.json'));
  status.publish({ state: 'up' });
  await status.flush(20_000);
  expect(JSON.parse(require('node:fs').readFileSync('status.json', 'utf8')).state).toBe('up');
});
`,
      },
      ['owned-spawn', 'jest@30.5.2'],
    );
    assert.match(await expect(0, ...npm.run, 'jest'), /2 passed/);
  });
});
