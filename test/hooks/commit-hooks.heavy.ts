// Real commits through real hooks: pre-commit (Debian's package), lint-staged, husky, simple-git-hooks, lefthook, and plain
// git. Needs the npm registry.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { CheckProject } from '../helpers/check-project.ts';
import { PackedProject } from '../helpers/packed-project.ts';

const repository = resolve(import.meta.dirname, '../..');
const START = "import { spawn } from 'node:child_process';\n";
const LEAK = "spawn('indexer', [], { detached: true });\n";
const MARKED = `// detached-spawn: ok — the updater replaces us while we are gone\n${LEAK}`;

const HOOK_PACKAGES = ['lint-staged@16.4.0', 'husky@9.1.7', 'simple-git-hooks@2.14.0', 'lefthook@2.2.2'];

let project: PackedProject;
/** Where pre-commit keeps its clones. */
let home: string;

function commit(message: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('git', ['commit', '-m', message], {
    cwd: project.folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      NO_COLOR: '1',
      PRE_COMMIT_HOME: home,
      GIT_AUTHOR_NAME: 't',
      GIT_AUTHOR_EMAIL: 't@example.org',
      GIT_COMMITTER_NAME: 't',
      GIT_COMMITTER_EMAIL: 't@example.org',
    },
  });
  return { status, output: stdout + stderr };
}

const head = (): string => project.git('rev-parse', 'HEAD');

before(() => {
  home = mkdtempSync(join(tmpdir(), 'owned-spawn-pre-commit-'));
  project = new PackedProject({
    'package.json': '{ "name": "app", "private": true, "type": "module" }',
    '.gitignore': 'node_modules\n',
    'src/old.js': START + LEAK,
    'src/host.js': START,
  });
  project.install(['eslint@10.15.0', 'typescript@6.0.3', ...HOOK_PACKAGES]);
  project.git('init', '-q', '-b', 'main');
  project.commit('start');
});

after(() => {
  project[Symbol.dispose]();
  rmSync(home, { recursive: true, force: true });
});

const hasPreCommit = spawnSync('pre-commit', ['--version']).status === 0;

/** How a hook tool is set up in the project; each lets `git commit` run our check. */
const TOOLS: Record<string, { skip: string | false; setUp: () => void }> = {
  'git alone': {
    skip: false,
    setUp() {
      project.lay({ '.husky/pre-commit': '' });
      init();
      project.git('config', 'core.hooksPath', '.husky');
      spawnSync('chmod', ['+x', join(project.folder, '.husky/pre-commit')]);
    },
  },
  'lint-staged': {
    skip: false,
    setUp() {
      project.lay({
        '.lintstagedrc.json': '{\n  "*.md": "false"\n}\n',
        '.husky/pre-commit': 'npx --no-install lint-staged\n',
      });
      init();
      assert.match(project.read('.lintstagedrc.json'), /owned-spawn check --staged/);
      spawnSync('chmod', ['+x', join(project.folder, '.husky/pre-commit')]);
      project.git('config', 'core.hooksPath', '.husky');
    },
  },
  husky: {
    skip: false,
    setUp() {
      project.lay({ '.husky/pre-commit': '' });
      init();
      run('husky');
    },
  },
  'simple-git-hooks': {
    skip: false,
    setUp() {
      const manifest = JSON.parse(project.read('package.json')) as object;
      project.lay({ 'package.json': JSON.stringify({ ...manifest, 'simple-git-hooks': {} }, undefined, 2) });
      init();
      run('simple-git-hooks');
    },
  },
  lefthook: {
    skip: false,
    setUp() {
      project.lay({ 'lefthook.yml': 'output:\n  - execution\n' });
      init();
      run('lefthook', 'install');
    },
  },
  'pre-commit, with the hook that init writes': {
    skip: !hasPreCommit && 'pre-commit is not installed',
    setUp() {
      project.lay({
        '.pre-commit-config.yaml': 'repos:\n  - repo: meta\n    hooks:\n      - id: identity\n',
      });
      init();
      installPreCommit();
    },
  },
  'pre-commit, with the hook of our repository': {
    skip: !hasPreCommit && 'pre-commit is not installed',
    setUp() {
      project.lay({ '.pre-commit-config.yaml': stringify({ repos: [ourHook('owned-spawn')] }) });
      installPreCommit();
    },
  },
};

const repositories: CheckProject[] = [];
after(() => {
  for (const each of repositories) each[Symbol.dispose]();
});

/** What init writes; the ESLint config is not of this test. */
function init(): void {
  project.lay({ 'eslint.config.js': 'export default [];\n' });
  run('owned-spawn', 'init', '--yes', '--ci', 'none');
}

/** Runs a command of the project, which is to succeed. */
function run(...argv: string[]): void {
  const { status, output } = project.run(argv);
  assert.equal(status, 0, output);
}

/** A hook of our repository, of which a clone needs that one file. */
function ourHook(id: string): object {
  const ours = new CheckProject();
  repositories.push(ours);
  cpSync(join(repository, '.pre-commit-hooks.yaml'), join(ours.folder, '.pre-commit-hooks.yaml'));
  ours.git('init', '-q');
  ours.commit('hooks');
  return { repo: ours.folder, rev: ours.git('rev-parse', 'HEAD').trim(), hooks: [{ id }] };
}

function installPreCommit(): void {
  const { status, stderr } = spawnSync('pre-commit', ['install'], {
    cwd: project.folder,
    encoding: 'utf8',
    env: { ...process.env, PRE_COMMIT_HOME: home },
  });
  assert.equal(status, 0, stderr);
}

for (const [tool, { skip, setUp }] of Object.entries(TOOLS)) {
  describe(`a commit through ${tool}`, { skip }, () => {
    before(() => {
      setUp();
      project.git('add', '-A');
      project.git('commit', '-q', '--no-verify', '-m', 'set up');
    });

    after(() => {
      project.git('reset', '-q', '--hard', 'HEAD~1');
      project.git('clean', '-qfd');
      spawnSync('git', ['config', '--unset', 'core.hooksPath'], { cwd: project.folder });
      rmSync(join(project.folder, '.git/hooks/pre-commit'), { force: true });
    });

    it('is refused for a new detached spawn, and says where and what to do', () => {
      const before = head();
      project.lay({ 'src/host.js': START + LEAK });
      project.git('add', 'src/host.js');
      const { status, output } = commit('leak');
      assert.equal(status, 1, output);
      assert.equal(head(), before);
      assert.match(
        output,
        /src\/host\.js\n +2:1 +error +`child_process\.spawn` starts a child that outlives its owner/,
      );
      assert.match(output, /detached-spawn: ok — why it must outlive its owner/);
      assert.doesNotMatch(output, /old\.js|\bat .*:\d+:\d+\)/);
    });

    it('passes with a marker and its reason, also in a file with old findings', () => {
      const before = head();
      project.lay({ 'src/host.js': START + MARKED, 'src/old.js': `${START + LEAK}// touched\n` });
      project.git('add', '-A');
      const { status, output } = commit('marked');
      assert.equal(status, 0, output);
      assert.notEqual(head(), before);
      project.git('reset', '-q', '--hard', 'HEAD~1');
    });

    it('goes by what is staged of a partly staged file, and keeps the rest', () => {
      // The leak is on the disk only.
      project.lay({ 'src/host.js': `${START}// staged\n` });
      project.git('add', 'src/host.js');
      project.lay({ 'src/host.js': `${START}// staged\n${LEAK}` });
      const passed = commit('clean');
      assert.equal(passed.status, 0, passed.output);
      assert.equal(project.read('src/host.js'), `${START}// staged\n${LEAK}`);
      project.git('reset', '-q', '--hard', 'HEAD~1');
      // The leak is staged, and mended on the disk.
      project.lay({ 'src/host.js': START + LEAK });
      project.git('add', 'src/host.js');
      project.lay({ 'src/host.js': START });
      const refused = commit('leak');
      assert.equal(refused.status, 1, refused.output);
      assert.match(refused.output, /src\/host\.js/);
      project.git('reset', '-q', '--hard', 'HEAD');
    });
  });
}

describe('pre-commit run --all-files', { skip: !hasPreCommit && 'pre-commit is not installed' }, () => {
  it('checks whole files by the hook for them, old findings included', () => {
    project.lay({ '.pre-commit-config.yaml': stringify({ repos: [ourHook('owned-spawn-files')] }) });
    project.git('add', '-A');
    const { status, stdout } = spawnSync('pre-commit', ['run', '--all-files'], {
      cwd: project.folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', PRE_COMMIT_HOME: home },
    });
    assert.equal(status, 1, stdout);
    assert.match(stdout, /src\/old\.js\n +2:1 +error/);
  });
});
