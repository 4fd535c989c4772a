// The packed plugin under oxlint's JS plugins: docs/oxlint.md says what is the same and what is not.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  cpSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import plugin from '../../rules/index.ts';
import { install } from '../helpers/on-demand.ts';

const root = resolve(import.meta.dirname, '../..');
const rules = Object.fromEntries(Object.keys(plugin.rules).map((name) => [`owned-spawn/${name}`, 'error']));

interface Diagnostic {
  message: string;
  code: string;
  filename: string;
  labels: { span: { line: number; column: number } }[];
}
interface LintedFile {
  filePath: string;
  messages: { ruleId: string; line: number; column: number; message: string }[];
}

describe('oxlint', () => {
  let folder: string;
  let oxlint: string;

  before(() => {
    oxlint = join(install('oxlint', ['oxlint@1.94.0']), 'node_modules/oxlint/bin/oxlint');
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-oxlint-'));
    mkdirSync(join(folder, 'node_modules'));
    for (const name of [
      'eslint-plugin-owned-spawn',
      'owned-spawn',
      '@typescript-eslint',
      'eslint',
      'typescript',
    ])
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    for (const each of ['battery', 'cases/inputs'])
      cpSync(join(root, 'test', each), join(folder, 'src', each), { recursive: true });
    writeFileSync(
      join(folder, '.oxlintrc.json'),
      JSON.stringify({
        categories: { correctness: 'off' },
        jsPlugins: [{ name: 'owned-spawn', specifier: 'eslint-plugin-owned-spawn' }],
        rules,
      }),
    );
    writeFileSync(
      join(folder, 'eslint.config.mjs'),
      `import ownedSpawn from 'eslint-plugin-owned-spawn';
import * as parser from '@typescript-eslint/parser';

export default [
  {
    files: ['**/*.{ts,tsx,mjs,cjs}'],
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    languageOptions: { parser },
    plugins: { 'owned-spawn': ownedSpawn },
    rules: ${JSON.stringify(rules)},
  },
];
`,
    );
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...argv: string[]) =>
    spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });

  /** oxlint counts columns in bytes of UTF-8, ESLint in UTF-16 units. */
  function byteColumn(file: string, line: number, column: number): number {
    const text = readFileSync(join(folder, file), 'utf8').split('\n')[line - 1] ?? '';
    return Buffer.byteLength(text.slice(0, column - 1)) + 1;
  }

  function fromEslint(what: string): string[] {
    const { stdout, stderr } = run('node_modules/eslint/bin/eslint.js', '--format', 'json', what);
    assert.notEqual(stdout, '', stderr);
    return (JSON.parse(stdout) as LintedFile[])
      .flatMap(({ filePath, messages }) =>
        messages.map(({ ruleId, line, column, message }) => {
          const file = relative(folder, filePath);
          return `${file}:${line}:${byteColumn(file, line, column)} ${ruleId} ${message}`;
        }),
      )
      .sort();
  }

  function fromOxlint(what: string): string[] {
    const { stdout, stderr } = run(oxlint, '--format', 'json', what);
    assert.notEqual(stdout, '', stderr);
    return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics
      .map(({ message, code, filename, labels: [label] }) => {
        const { line, column } = label?.span ?? { line: 0, column: 0 };
        return `${filename}:${line}:${column} ${code.replace(/^(.*)\((.*)\)$/, '$1/$2')} ${message}`;
      })
      .sort();
  }

  it('finds what ESLint finds without types', () => {
    const expected = fromEslint('src');
    assert.ok(expected.length > 100);
    assert.deepEqual(fromOxlint('src'), expected);
  });

  it('leaves the typed rule silent, and says so', () => {
    const { stdout, stderr } = run(oxlint, 'src');
    assert.match(stdout + stderr, /no-blocking-call-path is silent where there are no types/);
    assert.doesNotMatch(stdout + stderr, /Error running JS plugin/);
  });

  it('heeds its own comments and those of ESLint, and valid-marker asks both for a reason', () => {
    const spawns = ['eslint', 'oxlint'].flatMap((linter) =>
      [' -- the updater replaces us while we are gone', ''].map(
        (why) =>
          `// ${linter}-disable-next-line owned-spawn/no-detached-spawn${why}\nspawn('a', [], { detached: true });\n`,
      ),
    );
    writeFileSync(
      join(folder, 'disabled.mjs'),
      `import { spawn } from 'node:child_process';\n${spawns.join('')}`,
    );
    assert.deepEqual(
      fromOxlint('disabled.mjs')
        .filter((line) => !line.includes('no-spawn-on-import') && !line.includes('prefer-spawn-owned'))
        .map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['disabled.mjs:4:1 owned-spawn/valid-marker', 'disabled.mjs:8:1 owned-spawn/valid-marker'],
    );
  });

  it('cannot excuse a child by --fix-suggestions', () => {
    // detached-spawn: ok — a specimen, which nothing runs
    writeFileSync(
      join(folder, 'suggested.mjs'),
      `import { spawn } from 'node:child_process';

export const left = (program) => spawn('setsid', [program]);
`,
    );
    run(oxlint, '--fix-suggestions', 'suggested.mjs');
    const fixed = readFileSync(join(folder, 'suggested.mjs'), 'utf8');
    assert.match(fixed, /detached-spawn: ok —/);
    assert.ok(fromOxlint('suggested.mjs').some((line) => line.includes('owned-spawn/no-detached-spawn')));
  });
});
