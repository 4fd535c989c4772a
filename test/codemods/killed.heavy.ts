import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { repeats } from '../helpers/repeats.ts';
import { BIN, Project } from './project.ts';

const RUNS = repeats(50);
const NAMES = Array.from({ length: 150 }, (_, n) => `src/${n}.mjs`);
const BEFORE =
  "import { spawn } from 'node:child_process';\nexport const a = spawn('a', [], { detached: true });\n";
const AFTER = "import { spawnOwned } from 'owned-spawn';\nexport const a = spawnOwned('a', []);\n";

const made = (): Project =>
  new Project({
    'package.json': '{\n  "name": "app"\n}\n',
    ...Object.fromEntries(NAMES.map((name) => [name, BEFORE])),
  });

/**
 * Migrates, and kills at a moment.
 * @param ms how long after the start, or after the first trace of the writing; never where it is left out
 * @returns how long it ran, in milliseconds
 */
async function killed(project: Project, ms?: number, isFromWriting = false): Promise<number> {
  const child = spawn(process.execPath, [BIN, 'migrate', '--write'], {
    cwd: project.folder,
    stdio: 'ignore',
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const start = performance.now();
  const trace = join(project.folder, '.owned-spawn', 'migration');
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  while (isFromWriting && isRunning() && !existsSync(trace)) await sleep(1);
  if (ms !== undefined) {
    await Promise.race([sleep(ms), exited]);
    child.kill('SIGKILL');
  }
  await exited;
  return performance.now() - start;
}

/** What the files hold. */
function stateOf(project: Project): 'old' | 'new' | 'mixture' {
  const texts = new Set(NAMES.map((name) => project.read(name)));
  const manifest = project.read('package.json').includes('owned-spawn') ? AFTER : BEFORE;
  texts.add(manifest);
  for (const text of texts) assert.ok(text === BEFORE || text === AFTER, 'no file is half of anything');
  return texts.size > 1 ? 'mixture' : texts.has(BEFORE) ? 'old' : 'new';
}

describe(`migrate --write killed at ${RUNS} random moments`, () => {
  it('leaves all old, all new, or what --rollback makes all old', { timeout: 1_800_000 }, async () => {
    using whole = made();
    const all = await killed(whole);
    assert.equal(stateOf(whole), 'new');
    const seen = { old: 0, new: 0, mixture: 0 };
    for (let run = 0; run < RUNS; run++) {
      using project = made();
      // Half of them while it writes: most of the time is the planning.
      const isFromWriting = run % 2 === 1;
      await killed(project, Math.random() * (isFromWriting ? all / 6 : all), isFromWriting);
      const state = stateOf(project);
      seen[state]++;
      if (state !== 'mixture') continue;
      const { code, stderr } = await project.migrate('--rollback');
      assert.equal(code, 0, stderr);
      assert.equal(stateOf(project), 'old');
    }
    console.log(
      `${RUNS} runs: ${seen.old} all old, ${seen.new} all new, ${seen.mixture} mixed and rolled back`,
    );
  });
});
