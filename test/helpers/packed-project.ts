import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CheckProject } from './check-project.ts';

const root = resolve(import.meta.dirname, '../..');
/** A temporary project into which our packed packages are installed, as a user does, and others with them. */
export class PackedProject extends CheckProject {
  /** @param packages from the registry, with their versions */
  install(
    packages: readonly string[],
    ours: readonly ('runtime' | 'rules' | 'codemods')[] = ['runtime', 'rules'],
  ): void {
    const tarballs = mkdtempSync(join(tmpdir(), 'owned-spawn-tarballs-'));
    try {
      for (const folder of ours)
        execFileSync('npm', ['pack', '--pack-destination', tarballs], {
          cwd: join(root, folder),
          stdio: 'pipe',
        });
      const files = readdirSync(tarballs).map((name) => join(tarballs, name));
      // The lock would name the tarballs, which are gone then.
      const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock', '--save-dev'];
      execFileSync('npm', ['install', ...flags, ...files, ...packages], { cwd: this.folder, stdio: 'pipe' });
    } finally {
      rmSync(tarballs, { recursive: true });
    }
  }

  /** Runs a command of the project, as `npx` does. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): { status: number | null; output: string } {
    const { status, stdout, stderr } = spawnSync('npx', ['--no-install', ...argv], {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', ...env },
    });
    return { status, output: stdout + stderr };
  }
}
