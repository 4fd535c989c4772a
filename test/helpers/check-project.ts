import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Finding } from '../../rules/check/finding.ts';
import { command } from '../../rules/commands/check.ts';
import { layFiles } from './lay-files.ts';
import { runCommand } from './run-command.ts';

const PLUGIN = resolve(import.meta.dirname, '../../rules');
/** The command as it is installed. */
export const BIN = join(PLUGIN, 'bin/owned-spawn.js');

/** A temporary folder with some files, maybe under git, and `owned-spawn check` run in it. */
export class CheckProject {
  readonly folder: string = mkdtempSync(join(realpathSync(tmpdir()), 'owned-spawn-check-'));

  constructor(files: Readonly<Record<string, string | Buffer>> = {}) {
    this.lay(files);
  }

  lay(files: Readonly<Record<string, string | Buffer>>): void {
    layFiles(this.folder, files);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Lets a config of the project import our plugin. */
  linkPlugin(): void {
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(PLUGIN, join(this.folder, 'node_modules/eslint-plugin-owned-spawn'));
  }

  remove(name: string): void {
    rmSync(join(this.folder, name), { recursive: true });
  }

  git(...args: string[]): string {
    return this.#gitWith({}, args);
  }

  /** Commits everything, at noon of a day (`2020-01-31`), else now. */
  commit(message: string, day?: string): void {
    const date = day && `${day}T12:00:00Z`;
    this.git('add', '-A');
    this.#gitWith({ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }, ['commit', '-qm', message]);
  }

  #gitWith(env: NodeJS.ProcessEnv, args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', ...args],
      { cwd: this.folder, encoding: 'utf8', env: { ...process.env, ...env } },
    );
    assert.equal(status, 0, stderr);
    return stdout;
  }

  check(
    argv: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ code: number; out: string; err: string }> {
    return runCommand(command, argv, { cwd: this.folder, env });
  }

  /** The same as a user runs it, in a process of its own. */
  checkAsUser(argv: readonly string[]): { code: number | null; out: string; err: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'check', ...argv], {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    return { code: status, out: stdout, err: stderr };
  }

  async findings(...argv: string[]): Promise<{ code: number; findings: Finding[]; err: string }> {
    const { code, out, err } = await this.check(['--format', 'json', ...argv]);
    return { code, findings: JSON.parse(out) as Finding[], err };
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
