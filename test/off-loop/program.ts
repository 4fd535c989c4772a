import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/processes.ts';

/** A program under test and what it printed. */
export interface Program {
  child: ChildProcess;
  lines: string[];
  /** Resolves with the first line that matches, past or to come. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Imports for the head of a test program, of sources under runtime/: `use('off-loop/status.ts', 'statusFile')`.
 * @param built whether to take what was compiled, which starts in a tenth of the time
 */
export function use(file: string, names: string, built = false): string {
  const name = built ? `dist/${file.replace(/ts$/, 'js')}` : file;
  return `import { ${names} } from ${JSON.stringify(new URL(`../../runtime/${name}`, import.meta.url).href)};\n`;
}

/** A temporary folder that ends with the test. */
export function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-off-loop-'));
  // A writer that was told to outlive its owner may be at its last write.
  t.after(() => removeFolder(folder));
  return folder;
}

const tsx = fileURLToPath(import.meta.resolve('tsx'));

/** Runs the code of a module in a process of its own, which ends with the test. Tests import the sources: tsx is loaded. */
export function run(
  t: TestContext,
  folder: string,
  code: string,
  {
    env = {},
    node = process.execPath,
    args = [],
    built = false,
  }: { env?: NodeJS.ProcessEnv; node?: string; args?: readonly string[]; built?: boolean } = {},
): Program {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.${built ? 'mjs' : 'mts'}`);
  writeFileSync(file, code);
  const child = spawn(node, [...(built ? [] : ['--import', tsx]), file, ...args], {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      for (const look of [...waiting]) look();
    });
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  return {
    child,
    lines,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.map((line) => pattern.exec(line)).find(Boolean);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then(() => {
          look();
          reject(new Error(`no ${String(pattern)} in:\n${lines.join('\n')}`));
        });
      }),
  };
}
