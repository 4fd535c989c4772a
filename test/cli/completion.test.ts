import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../runtime/cli/dispatch.ts';

const bin = resolve(import.meta.dirname, '../../codemods/bin/owned-spawn.js');

function script(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'completion', ...args], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, stdout, stderr };
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const skip = (shell: string): string | false => !has(shell) && `${shell} is not installed`;

describe('owned-spawn completion', () => {
  it(
    'bash: offers commands, flags, words of flags, and leaves the rest to files',
    { skip: skip('bash') },
    () => {
      const { stdout } = script('bash');
      const offered = (...words: string[]): string[] => {
        const line = words.map((word) => `'${word}'`).join(' ');
        const code = `${stdout}\nCOMP_WORDS=(owned-spawn ${line}); COMP_CWORD=${words.length}; _owned_spawn; printf '%s\\n' "\${COMPREPLY[@]}"`;
        const run = spawnSync('bash', ['--norc', '-c', code], { encoding: 'utf8' });
        assert.equal(run.stderr, '');
        return run.stdout.split('\n').filter(Boolean);
      };
      assert.deepEqual(offered('').sort(), [...Object.keys(COMMANDS), '--help', '--version'].sort());
      assert.deepEqual(offered('che'), ['check']);
      assert.deepEqual(offered('check', '--form'), ['--format']);
      assert.deepEqual(offered('check', '--format', 's').sort(), ['sarif', 'stylish']);
      assert.deepEqual(offered('migrate', '--outliving', ''), ['leave', 'own', 'detach']);
      assert.deepEqual(offered('check', 'sr'), []);
      assert.deepEqual(offered('unknown', '--'), []);
    },
  );

  it('zsh: offers flags with what they do', { skip: skip('zsh') }, () => {
    const { stdout } = script('zsh');
    // _arguments works in a completion only: what it is given is looked at.
    const code = `compdef() { }\n_describe() { print -rl -- "\${commands[@]}" }\n_arguments() { print -rl -- "$@" }
${stdout}\nwords=(owned-spawn check --); CURRENT=3; _owned_spawn\nwords=(owned-spawn ''); CURRENT=2; _owned_spawn`;
    const run = spawnSync('zsh', ['-f', '-c', code], { encoding: 'utf8' });
    assert.equal(run.stderr, '');
    assert.match(run.stdout, /^--format\[how to report\]:FORMAT:\(stylish json sarif/m);
    assert.match(run.stdout, /^\*:path:_files$/m);
    for (const name of Object.keys(COMMANDS)) assert.match(run.stdout, new RegExp(`^${name}:`, 'm'));
  });

  it('fish: offers what fish itself then completes', { skip: skip('fish') }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-fish-'));
    try {
      writeFileSync(join(folder, 'script.fish'), script('fish').stdout);
      const offered = (line: string): string[] => {
        const code = `source script.fish; complete -C '${line}'`;
        const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
        const run = spawnSync('fish', ['--no-config', '-c', code], { cwd: folder, encoding: 'utf8', env });
        assert.equal(run.stderr, '');
        return run.stdout.split('\n').flatMap((each) => each.split('\t')[0] || []);
      };
      assert.deepEqual(offered('owned-spawn che'), ['check']);
      assert.ok(offered('owned-spawn check --').includes('--format'));
      assert.deepEqual(offered('owned-spawn check --format s').sort(), ['sarif', 'stylish']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names the shells, and the nearest to a mistyped one', () => {
    assert.match(script().stderr, /for which shell\?\nOne of bash, zsh, fish\./);
    const { status, stderr } = script('bsh');
    assert.equal(status, 2);
    assert.match(stderr, /Did you mean bash\?/);
  });
});
