import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { command } from '../../rules/commands/init.ts';
import type { UserError } from '../../runtime/cli/exit.ts';
import { CheckProject } from '../helpers/check-project.ts';
import { runCommand } from '../helpers/run-command.ts';

const repository = resolve(import.meta.dirname, '../..');
const MANIFEST = '{\n  "name": "app",\n  "type": "module"\n}\n';
const CONFIG = 'export default [\n  { rules: { eqeqeq: 2 } },\n];\n';
const LEAK = "import { spawn } from 'node:child_process';\nspawn('server', [], { detached: true });\n";

/** A project under git, with our plugin installed. */
function laid(files: Record<string, string>): CheckProject {
  const project = new CheckProject({ 'package.json': MANIFEST, '.gitignore': 'node_modules\n', ...files });
  mkdirSync(join(project.folder, 'node_modules'));
  for (const name of ['eslint', 'eslint-plugin-owned-spawn', 'typescript-eslint'])
    symlinkSync(join(repository, 'node_modules', name), join(project.folder, 'node_modules', name));
  project.git('init', '-q');
  project.commit('start');
  return project;
}

const init = (
  project: CheckProject,
  argv: readonly string[],
  ask?: (question: string) => Promise<string | undefined>,
): ReturnType<typeof runCommand> => runCommand(command, argv, { cwd: project.folder, ...(ask && { ask }) });

describe('owned-spawn init', () => {
  it('shows what it would write, and writes nothing, without a terminal and on a dry run', async () => {
    using project = laid({ 'eslint.config.js': CONFIG, 'a.js': LEAK });
    for (const argv of [[], ['--dry-run'], ['--dry-run', '--yes']]) {
      const { code, out } = await init(project, argv);
      assert.equal(code, 0);
      assert.match(out, /^\+ {2}ownedSpawn\.configs\.recommended,$/m);
      assert.match(out, /^\+ {4}"eslint-plugin-owned-spawn": "\^\d/m);
      assert.match(out, /^Nothing was written/m);
      assert.match(
        out,
        /check finds 1 error and 0 warnings in 2 files:\n {2}1 {2}owned-spawn\/no-detached-spawn\n/,
      );
      assert.equal(project.git('status', '--porcelain'), '');
    }
  });

  it('writes all of it, says how to undo it, and has nothing more to do', async () => {
    using project = laid({ 'eslint.config.js': CONFIG, 'src/a.js': LEAK, '.github/CODEOWNERS': '* @a\n' });
    const { code, out } = await init(project, ['--yes']);
    assert.equal(code, 0);
    assert.match(project.read('eslint.config.js'), /ownedSpawn\.configs\.recommended,\n\];\n$/);
    const { devDependencies, dependencies } = JSON.parse(project.read('package.json')) as Record<
      string,
      object
    >;
    assert.deepEqual(Object.keys(devDependencies ?? {}), ['eslint-plugin-owned-spawn']);
    assert.equal(dependencies, undefined);
    assert.match(out, /Three ways on:\n {2}migrate [^]* baseline [^]* off +\{ files: \['src\/\*\*'\]/);
    const again = await init(project, ['--yes']);
    assert.doesNotMatch(again.out, /Written|By hand/);
    const [, undo = ''] = /^Undo: (.+)$/m.exec(out) ?? [];
    assert.equal(
      undo,
      'git restore -- eslint.config.js package.json && rm .github/workflows/owned-spawn.yml',
    );
    project.git('restore', '--', 'eslint.config.js', 'package.json');
    project.remove('.github/workflows/owned-spawn.yml');
    assert.equal(project.git('status', '--porcelain'), '');
  });

  it('asks about each step, the runtime among them', async () => {
    using project = laid({ 'eslint.config.js': CONFIG });
    const asked: string[] = [];
    const { out } = await init(project, [], (question) => {
      asked.push(question);
      return Promise.resolve(question.includes('config.js') ? 'n' : question.includes('y/N') ? 'yes' : '');
    });
    assert.deepEqual(asked, [
      'Shall I add the preset recommended to eslint.config.js? [Y/n] ',
      'Shall I add eslint-plugin-owned-spawn to the devDependencies of package.json? [Y/n] ',
      'Shall I add owned-spawn to the dependencies of package.json? [y/N] ',
    ]);
    assert.match(out, /^Written: package\.json$/m);
    assert.match(out, /^Now install what package\.json has: npm install$/m);
    assert.equal(project.read('eslint.config.js'), CONFIG);
    const { dependencies } = JSON.parse(project.read('package.json')) as Record<string, object>;
    assert.deepEqual(Object.keys(dependencies ?? {}), ['owned-spawn']);
  });

  it('takes the end of the input for a no', async () => {
    using project = laid({ 'eslint.config.js': CONFIG });
    const { out } = await init(project, [], () => Promise.resolve(undefined));
    assert.doesNotMatch(out, /Written/);
    assert.equal(project.git('status', '--porcelain'), '');
  });

  it('writes a config where there is none, with a parser where there is TypeScript', async () => {
    using project = laid({
      'tsconfig.json': '{}',
      'a.ts': `${LEAK}export const x: number = 1;\n`,
      'package.json': '{ "name": "app", "devDependencies": { "typescript": "6" } }',
    });
    const { out } = await init(project, ['--yes']);
    assert.match(project.read('eslint.config.mjs'), /parser: tseslint\.parser/);
    assert.match(out, /check finds 1 error and 0 warnings in 2 files/);
    const { devDependencies } = JSON.parse(project.read('package.json')) as Record<string, object>;
    assert.deepEqual(Object.keys(devDependencies ?? {}).sort(), [
      'eslint',
      'eslint-plugin-owned-spawn',
      'typescript',
      'typescript-eslint',
    ]);
  });

  it('says what to install where the plugin is not there yet', async () => {
    using project = laid({ 'eslint.config.js': CONFIG });
    project.remove('node_modules');
    project.lay({ 'pnpm-lock.yaml': '' });
    const { code, out } = await init(project, ['--yes']);
    assert.equal(code, 0);
    assert.match(out, /Now install what package\.json has: pnpm install\n/);
  });

  it('says so where only the parser of a new config is missing', async () => {
    using project = laid({ 'tsconfig.json': '{}', 'a.ts': LEAK });
    project.remove('node_modules/typescript-eslint');
    const { code, out } = await init(project, ['--yes']);
    assert.equal(code, 0);
    assert.match(out, /Now install what package\.json has: npm install\n/);
  });

  it('says what to add where it is not sure, and why', async () => {
    using project = laid({ 'eslint.config.js': "import make from './make.js';\nexport default make();\n" });
    const { code, out } = await init(project, ['--yes', '--hook', 'lefthook']);
    assert.equal(code, 0);
    assert.match(out, /By hand: add the preset[^]*`make` makes it[^]*\n {4}ownedSpawn\.configs\.recommended/);
    assert.match(
      out,
      /By hand: check what is staged[^]*lefthook is not set up here[^]*owned-spawn check --staged/,
    );
    assert.equal(project.git('status', '--porcelain').trim(), 'M package.json');
  });

  it('keeps a byte order mark, and says what git could not bring back', async () => {
    using project = laid({ 'eslint.config.js': `\uFEFF${CONFIG}` });
    project.lay({ 'package.json': '{ "name": "other", "type": "module" }' });
    const { out } = await init(project, ['--yes']);
    assert.ok(project.read('eslint.config.js').startsWith('\uFEFFimport ownedSpawn'));
    assert.match(out, /^Undo: git restore -- eslint\.config\.js$/m);
    assert.match(out, /git cannot bring back package\.json/);
  });

  for (const [name, text] of [
    ['.eslintrc.json', '{}'],
    ['.eslintrc', 'root: true'],
    ['package.json', '{ "name": "a", "eslintConfig": {} }'],
  ] as const) {
    it(`sends away who is configured by ${name}`, async () => {
      using project = laid({ [name]: text });
      await assert.rejects(init(project, ['--yes']), (error) => {
        assert.ok(error instanceof Error && error.name === 'UserError');
        const { next } = error as UserError;
        assert.match(error.message, new RegExp(`by ${name.replaceAll('.', String.raw`\.`)},.*flat config`));
        assert.match(next ?? '', /@eslint\/migrate-config/);
        return true;
      });
    });
  }

  it('edits the config of the folder above, and none beyond the repository', async () => {
    using project = laid({ 'eslint.config.js': CONFIG, 'packages/a/package.json': '{ "name": "a" }' });
    await runCommand(command, ['--yes'], { cwd: join(project.folder, 'packages/a') });
    assert.match(project.read('eslint.config.js'), /ownedSpawn/);
    assert.equal(project.read('packages/a/package.json'), '{ "name": "a" }');
    mkdirSync(join(project.folder, 'packages/b/.git'), { recursive: true });
    await runCommand(command, ['--yes'], { cwd: join(project.folder, 'packages/b') });
    assert.deepEqual(readdirSync(join(project.folder, 'packages/b')).sort(), ['.git', 'eslint.config.mjs']);
  });
});

/** Configs of hooks and of CI: before, and after. */
const EDITS: Record<string, readonly [file: string, before: string, after: string]> = {
  'pre-commit with its list indented': [
    '.pre-commit-config.yaml',
    `# ours
repos:
  - repo: https://github.com/pre-commit/pre-commit-hooks
    rev: v5.0.0
    hooks:
      - id: trailing-whitespace
# the end
ci:
  skip: []
`,
    `# ours
repos:
  - repo: https://github.com/pre-commit/pre-commit-hooks
    rev: v5.0.0
    hooks:
      - id: trailing-whitespace
  - repo: local
    hooks:
      - id: owned-spawn
        name: owned-spawn
        entry: npx --no-install owned-spawn check --staged
        language: system
        files: '\\.([cm]?[jt]s|[jt]sx|vue|svelte|astro)$'
        pass_filenames: false
# the end
ci:
  skip: []
`,
  ],
  'pre-commit with its list at the margin, without a last line end': [
    '.pre-commit-config.yaml',
    'repos:\n- repo: local\n  hooks: []',
    `repos:
- repo: local
  hooks: []
- repo: local
  hooks:
    - id: owned-spawn
      name: owned-spawn
      entry: npx --no-install owned-spawn check --staged
      language: system
      files: '\\.([cm]?[jt]s|[jt]sx|vue|svelte|astro)$'
      pass_filenames: false
`,
  ],
  'lefthook with commands': [
    'lefthook.yml',
    `pre-commit:
  parallel: true
  commands:
    lint:
      run: npx eslint {staged_files}

pre-push:
  commands:
    test:
      run: npm test
`,
    `pre-commit:
  parallel: true
  commands:
    lint:
      run: npx eslint {staged_files}
    owned-spawn:
      glob: '*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'
      run: npx --no-install owned-spawn check --staged

pre-push:
  commands:
    test:
      run: npm test
`,
  ],
  'lefthook with jobs': [
    '.lefthook.yaml',
    'pre-commit:\n  jobs:\n    - name: a\n      run: b\n',
    `pre-commit:
  jobs:
    - name: a
      run: b
    - name: owned-spawn
      glob: '*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'
      run: npx --no-install owned-spawn check --staged
`,
  ],
  'lefthook without a pre-commit': [
    'lefthook.yml',
    'pre-push:\n  commands: {}\n',
    `pre-push:
  commands: {}

pre-commit:
  commands:
    owned-spawn:
      glob: '*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'
      run: npx --no-install owned-spawn check --staged
`,
  ],
  'lint-staged as JSON': [
    '.lintstagedrc.json',
    '{\n  "*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}": "eslint"\n}\n',
    '{\n  "*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}": ["eslint", "owned-spawn check --staged"]\n}\n',
  ],
  husky: ['.husky/pre-commit', 'npm test', 'npm test\nnpx --no-install owned-spawn check --staged\n'],
  'simple-git-hooks': [
    '.simple-git-hooks.json',
    '{ "pre-commit": "npm test" }\n',
    '{ "pre-commit": "npm test && npx --no-install owned-spawn check --staged" }\n',
  ],
  'a pipeline of GitLab': [
    '.gitlab-ci.yml',
    'stages:\n  - build\n  - lint\n\nbuild:\n  stage: build\n  script: [make]\n',
    `stages:
  - build
  - lint

build:
  stage: build
  script: [make]

owned-spawn:
  stage: lint
  image: node:24
  script:
    - npm ci
    - npx --no-install owned-spawn check --format junit > owned-spawn.xml
  artifacts:
    when: always
    reports:
      junit: owned-spawn.xml
`,
  ],
};

describe('init, hooks and CI', () => {
  for (const [what, [file, before, after]] of Object.entries(EDITS)) {
    it(`adds to ${what}`, async () => {
      using project = laid({ 'eslint.config.js': CONFIG, [file]: before });
      await init(project, ['--yes']);
      assert.equal(project.read(file), after);
      assert.doesNotMatch((await init(project, ['--yes'])).out, /Written|By hand/);
      if (!/\.ya?ml$/.test(file)) return;
      // What was there is there still, and ours is beside it.
      const [old, now] = [parse(before), parse(after)] as [Record<string, unknown>, Record<string, unknown>];
      assert.ok(Object.keys(old).every((key) => key in now));
      assert.match(JSON.stringify(now), /owned-spawn check/);
    });
  }

  const UNSURE: Record<string, readonly [file: string, text: string]> = {
    'pre-commit with its list in one line': ['.pre-commit-config.yaml', 'repos: []\n'],
    'lint-staged in JavaScript': ['lint-staged.config.js', 'export default {};\n'],
    'lint-staged as YAML': ['.lintstagedrc', "'*.js': eslint\n"],
    'lefthook with scripts only': [
      'lefthook.yml',
      'pre-commit:\n  scripts:\n    "a.sh":\n      runner: sh\n',
    ],
    'stages none of which is for checks': ['.gitlab-ci.yml', 'stages: [build, deploy]\n'],
  };
  for (const [what, [file, text]] of Object.entries(UNSURE)) {
    it(`leaves ${what} to a person`, async () => {
      using project = laid({ 'eslint.config.js': CONFIG, [file]: text });
      const { out } = await init(project, ['--yes']);
      assert.equal(project.read(file), text);
      assert.match(
        out,
        new RegExp(
          `By hand: [^]*${file.replaceAll('.', String.raw`\.`)} is left as it is: [^]*owned-spawn check`,
        ),
      );
    });
  }

  it('writes a workflow that is YAML, by the package manager', async () => {
    for (const [lockfile, install] of [
      ['package-lock.json', 'npm ci'],
      ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
      ['yarn.lock', 'yarn install --frozen-lockfile'],
      ['bun.lock', 'bun install --frozen-lockfile'],
    ] as const) {
      using project = laid({ 'eslint.config.js': CONFIG, [lockfile]: '' });
      await init(project, ['--yes', '--ci', 'github']);
      const { jobs } = parse(project.read('.github/workflows/owned-spawn.yml')) as {
        jobs: { check: { steps: { run?: string; uses?: string }[] } };
      };
      const runs = jobs.check.steps.flatMap(({ run }) => run ?? []);
      assert.ok(runs.includes(install));
      assert.match(runs.at(-1) ?? '', /owned-spawn check --format github$/);
      assert.ok(!existsSync(join(project.folder, '.gitlab-ci.yml')));
    }
  });
});
