// The packed plugin under the versions that its peers allow: the same findings on the battery and the cases everywhere.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { install } from '../helpers/on-demand.ts';
import { pack } from './registry.ts';

interface Row {
  eslint: string;
  typescript: string;
  /** Of the parser in the user's config; the plugin brings its own utilities. */
  parser: string;
  /** Fixtures in a syntax that this TypeScript does not know yet. */
  unreadable?: string;
}

const NEWEST: Row = { eslint: '10.15.0', typescript: 'typescript@6.0.3', parser: '8.72.0' };

const ROWS: Row[] = [
  {
    eslint: '9.15.0',
    typescript: 'typescript@4.8.4',
    parser: '8.0.0',
    unreadable: 'cases/inputs/cm-07/odd.ts',
  },
  { eslint: '9.15.0', typescript: 'typescript@5.0.4', parser: '8.72.0' },
  { eslint: '9.28.0', typescript: 'typescript@5.5.4', parser: '8.34.0' },
  { eslint: '9.39.5', typescript: 'typescript@5.9.3', parser: '8.72.0' },
  { eslint: '10.0.0', typescript: 'typescript@6.0.2', parser: '8.72.0' },
  // TypeScript 7 has no API for linters yet; this is how both stand beside each other.
  { eslint: '10.15.0', typescript: 'typescript@npm:@typescript/typescript6@6.0.2', parser: '8.72.0' },
];

interface Message {
  ruleId: string | null;
  messageId?: string;
  line: number;
  column: number;
  message: string;
}

const test = resolve(import.meta.dirname, '..');
const CONFIG = `import ownedSpawn from 'eslint-plugin-owned-spawn';
import * as parser from 'user-parser';

export default [
  {
    files: ['**/*.{ts,tsx,mts,cts,js,mjs,cjs}'],
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    languageOptions: { parser, parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
  },
  ownedSpawn.configs.strict,
];
`;
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    module: 'esnext',
    moduleResolution: 'node',
    target: 'es2022',
    allowJs: true,
    noEmit: true,
    jsx: 'preserve',
  },
  include: ['src'],
});

describe('the plugin', () => {
  let scratch: string;
  const tarballs: Record<string, string> = {};

  before(() => {
    scratch = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-matrix-'));
    tarballs['owned-spawn'] = pack('runtime', scratch);
    tarballs['eslint-plugin-owned-spawn'] = pack('rules', scratch);
  });

  after(() => {
    rmSync(scratch, { recursive: true, force: true });
  });

  /** A project with a row's versions, our packages as they are now, and the fixtures under src/. */
  function project(packages: string[]): string {
    const name = packages.join('_').replaceAll(/[^\w.-]+/g, '-');
    const installed = join(install(`matrix/${name}`, ['--legacy-peer-deps', ...packages]), 'node_modules');
    const folder = mkdtempSync(join(scratch, 'project-'));
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    for (const each of readdirSync(installed)) symlinkSync(join(installed, each), join(modules, each));
    for (const [each, tarball] of Object.entries(tarballs)) {
      mkdirSync(join(modules, each));
      execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, each)]);
    }
    for (const each of ['battery', 'cases/inputs'])
      cpSync(join(test, each), join(folder, 'src', each), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), TSCONFIG);
    writeFileSync(join(folder, 'eslint.config.js'), CONFIG);
    return folder;
  }

  /** One line for each finding of ESLint in a project's src/. */
  function findings(folder: string, what = 'src'): string[] {
    const eslint = join(realpathSync(join(folder, 'node_modules/eslint')), 'bin/eslint.js');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--preserve-symlinks', eslint, '--format', 'json', what],
      { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
    );
    assert.notEqual(stdout, '', stderr);
    return (JSON.parse(stdout) as { filePath: string; messages: Message[] }[]).flatMap(
      ({ filePath, messages }) =>
        messages.map(
          ({ ruleId, messageId, line, column, message }) =>
            `${relative(folder, filePath)}:${line}:${column} ${ruleId ?? 'no rule'} ${messageId ?? ''} ${message}`,
        ),
    );
  }

  const packagesOf = ({ eslint, typescript, parser }: Row) => [
    `eslint@${eslint}`,
    typescript,
    `user-parser@npm:@typescript-eslint/parser@${parser}`,
    '@typescript-eslint/utils@8.72.0',
    '@typescript-eslint/parser@8.72.0',
  ];

  let expected: string[];
  before(() => {
    expected = findings(project(packagesOf(NEWEST)));
  });

  it('finds something of every kind with the newest versions', () => {
    for (const rule of ['no-detached-spawn', 'no-blocking-call', 'no-blocking-call-path', 'valid-marker'])
      assert.ok(
        expected.some((line) => line.includes(` owned-spawn/${rule} `)),
        `${rule} found nothing`,
      );
  });

  for (const row of ROWS) {
    it(`finds the same with ESLint ${row.eslint}, ${row.typescript}, parser ${row.parser}`, () => {
      const readable = (line: string) => row.unreadable === undefined || !line.includes(row.unreadable);
      assert.deepEqual(findings(project(packagesOf(row))).filter(readable), expected.filter(readable));
    });
  }

  it('lints JavaScript beside TypeScript 7 alone, which has no API for linters yet', () => {
    const javascript = `import ownedSpawn from 'eslint-plugin-owned-spawn';
export default [ownedSpawn.configs.strict];
`;
    const [newest, seven] = [NEWEST, { ...NEWEST, typescript: 'typescript@7.0.2' }].map((row) => {
      const folder = project(packagesOf(row));
      writeFileSync(join(folder, 'eslint.config.js'), javascript);
      return findings(folder);
    });
    assert.ok(newest?.some((line) => line.includes(' owned-spawn/no-detached-spawn ')));
    assert.deepEqual(seven, newest);
  });
});
