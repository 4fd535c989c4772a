import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../rules/check/finding.ts';
import { command } from '../../rules/commands/check.ts';
import { layFiles } from './lay-files.ts';
import { runCommand } from './run-command.ts';

/** A temporary folder with some files, maybe under git, and `owned-spawn check` run in it. */
export class CheckProject {
  readonly folder: string = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-check-'));

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.lay(files);
  }

  lay(files: Readonly<Record<string, string>>): void {
    layFiles(this.folder, files);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  remove(name: string): void {
    rmSync(join(this.folder, name), { recursive: true });
  }

  git(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', ...args],
      { cwd: this.folder, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    return stdout;
  }

  commit(message: string): void {
    this.git('add', '-A');
    this.git('commit', '-qm', message);
  }

  check(
    argv: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ code: number; out: string; err: string }> {
    return runCommand(command, argv, { cwd: this.folder, env });
  }

  /** What is reported, as `file:line symbol`. */
  async places(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string[]> {
    const { out } = await this.check(['--format', 'json', ...argv], env);
    return (JSON.parse(out) as Finding[]).map(({ file, line, symbol }) =>
      `${file}:${line} ${symbol}`.trimEnd(),
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
