import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
export const BIN = join(root, 'codemods', 'bin', 'owned-spawn.js');

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export function run(file: string, args: readonly string[], cwd: string): Promise<Run> {
  // Whatever git, CI and terminals say about themselves is none of the tests' business.
  const env = {
    PATH: process.env.PATH,
    HOME: cwd,
    OWNED_SPAWN_TEST_RUN: process.env.OWNED_SPAWN_TEST_RUN,
    NO_COLOR: '1',
  };
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      resolve({ code, stdout, stderr });
    });
  });
}

/** A temporary folder with some files, and the command run in it. */
export class Project {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'owned-spawn-migrate-'));

  constructor(files: Readonly<Record<string, string | Buffer>> = {}) {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  /** The input files of a case. */
  static ofCase(id: string): Project {
    const project = new Project();
    cpSync(join(root, 'test', 'cases', 'inputs', id), project.folder, { recursive: true });
    return project;
  }

  write(name: string, text: string | Buffer): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  /** Runs the command without its gates, which cost a compiler each time and have tests of their own. */
  migrate(...args: string[]): Promise<Run> {
    return this.migrateThroughGates('--no-gates', ...args);
  }

  migrateThroughGates(...args: string[]): Promise<Run> {
    return run(process.execPath, [BIN, 'migrate', ...args], this.folder);
  }

  async git(...args: string[]): Promise<string> {
    const { stdout, stderr, code } = await run(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args],
      this.folder,
    );
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Puts everything under git. */
  async commit(): Promise<void> {
    await this.git('init', '-q');
    await this.git('add', '-A');
    await this.git('commit', '-qm', 'before');
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
