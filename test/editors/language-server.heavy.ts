// Drives the language server of the VS Code extension for ESLint, which most editors use, against the packed plugin.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { LanguageClient, type Diagnostic } from '../helpers/language-client.ts';
import { PackedProject } from '../helpers/packed-project.ts';

const CONFIG = `import ownedSpawn from 'eslint-plugin-owned-spawn';
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
`;
const HOST = `import { spawn } from 'node:child_process';

export function start(command: string) {
  return spawn(command, [], { detached: true, stdio: 'ignore' });
}
`;
const FILES = {
  'package.json': '{ "name": "app", "private": true, "type": "module" }',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": true, "types": ["node"] }, "include": ["src"] }',
  'eslint.config.js': CONFIG,
  'src/host.ts': HOST,
  'src/settings.ts':
    "import { readFileSync } from 'node:fs';\n\nexport const readSettings = () => readFileSync('settings.json', 'utf8');\n",
};

const rangeOf = ({ range: { start, end } }: Diagnostic): string =>
  `${start.line}:${start.character}-${end.line}:${end.character}`;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

describe('the language server of vscode-eslint', () => {
  let project: PackedProject;
  let client: LanguageClient;

  before(async () => {
    project = new PackedProject(FILES);
    project.install([
      'eslint@10.15.0',
      'typescript@6.0.3',
      'typescript-eslint@8.72.0',
      '@types/node@20',
      'vscode-langservers-extracted@4.10.0',
    ]);
    const server = 'node_modules/vscode-langservers-extracted/bin/vscode-eslint-language-server';
    client = new LanguageClient(join(project.folder, server), project.folder);
    await client.start();
    client.open(join(project.folder, 'src/host.ts'), 'typescript', HOST);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    project[Symbol.dispose]();
  });

  it('underlines the callee, and links to the page of the rule', async () => {
    const [diagnostic, ...others] = await client.diagnostics();
    assert.deepEqual(others, []);
    assert.ok(diagnostic, client.complaints);
    assert.equal(diagnostic.code, 'owned-spawn/no-detached-spawn');
    assert.equal(rangeOf(diagnostic), '3:9-3:14');
    assert.equal(diagnostic.severity, 1);
    assert.match(diagnostic.codeDescription?.href ?? '', /no-detached-spawn/);
  });

  it('moves along while lines are typed above, and goes when the option does', async () => {
    client.change(`// one\n// two\n${HOST}`);
    assert.deepEqual((await client.diagnostics()).map(rangeOf), ['5:9-5:14']);
    client.change(HOST.replace('detached: true, ', ''));
    assert.deepEqual(await client.diagnostics(), []);
  });

  it('rewrites the call to spawnOwned, with its import', async () => {
    client.change(HOST);
    const [diagnostic] = await client.diagnostics();
    assert.ok(diagnostic);
    const actions = await client.actions(diagnostic);
    const action = actions.find(({ title }) => title.includes('spawnOwned'));
    assert.ok(action, actions.map(({ title }) => title).join('\n'));
    await client.apply(action);
    assert.equal(
      client.text,
      `import { spawnOwned } from 'owned-spawn';

export function start(command: string) {
  return spawnOwned(command, [], { stdio: 'ignore' });
}
`,
    );
    assert.deepEqual(await client.diagnostics(), []);
  });

  it('inserts a marker, which is a finding of its own until the reason is written', async () => {
    client.change(HOST);
    const [diagnostic] = await client.diagnostics();
    assert.ok(diagnostic);
    const action = (await client.actions(diagnostic)).find(({ title }) => /marker/i.test(title));
    assert.ok(action);
    await client.apply(action);
    assert.match(client.text, /^ {2}\/\/ detached-spawn: ok — *\n {2}return spawn\(/m);
    assert.notDeepEqual(await client.diagnostics(), []);
    client.change(client.text.replace(/ok — *\n/, 'ok — the updater replaces us while we are gone\n'));
    assert.deepEqual(await client.diagnostics(), []);
  });

  it('follows a call into another file', async () => {
    client.change(
      "import { readSettings } from './settings.js';\n\nexport async function handle() {\n  return readSettings();\n}\n",
    );
    const [diagnostic] = await client.diagnostics();
    assert.equal(diagnostic?.code, 'owned-spawn/no-blocking-call-path');
    assert.equal(rangeOf(diagnostic), '3:9-3:21');
    assert.match(diagnostic.message, /readSettings .*settings\.ts:3/);
  });

  it('lives through code that is half typed, at every key', async (t) => {
    const typed = `${HOST}
export async function save(text: string) {
  const { writeFileSync } = await import('node:fs');
  spawn(\`\${text}\`, { detached: process.platform !== 'win32' }).unref();
  return [text].map((each) => writeFileSync('x', each));
}
`;
    const times: number[] = [];
    for (let length = HOST.length; length <= typed.length; length++) {
      client.change(typed.slice(0, length));
      const start = performance.now();
      await client.diagnostics();
      times.push(performance.now() - start);
    }
    const found = await client.diagnostics();
    const codes = found.map(({ code, range }) => `${range.start.line} ${code}`);
    assert.ok(codes.includes('3 owned-spawn/no-detached-spawn'), codes.join('\n'));
    assert.ok(codes.includes('8 owned-spawn/no-detached-spawn'), codes.join('\n'));
    assert.doesNotMatch(client.complaints, /TypeError|owned-spawn/);
    t.diagnostic(
      `${times.length} keys: median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`,
    );
  });
});
