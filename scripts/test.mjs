// Runs the test files under node:test, then looks for processes that they left behind.
//
//   node scripts/test.mjs [--all | --steady | --portable] [FILE…]
//
// `*.test.ts` runs always, `*.heavy.ts` with --all; --steady runs the heavy ones that have proved steady (test/steady.json,
// written by scripts/steady.mjs), with fewer repeats, and no others; --portable leaves out what needs Linux: real process
// trees. The RuleTester files run in one process (test/rules/index.ts): starting one for each costs more than the tests.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const all = process.argv.includes('--all');
const steady = process.argv.includes('--steady');
const portable = process.argv.includes('--portable');
const named = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));

const PORTABLE = ['check', 'cli', 'codemods'].map((folder) => join('test', folder));

const files = readdirSync(join(root, 'test'), { recursive: true })
  .map((name) => join('test', name))
  .filter(
    (name) =>
      (/\.test\.ts$/.test(name) && !name.startsWith(join('test', 'rules'))) ||
      (all && /\.heavy\.ts$/.test(name)),
  )
  .filter((name) => !portable || PORTABLE.some((folder) => name.startsWith(folder)))
  .sort();
const whole = () =>
  steady
    ? Object.keys(JSON.parse(readFileSync(join(root, 'test/steady.json'), 'utf8')))
    : [join('test', 'rules', 'index.ts'), ...files];
const selected = named.length > 0 ? named : whole();
// node --test without a file would look for tests by itself.
if (selected.length === 0) process.exit(0);

// A mark that every process the tests start inherits.
const run = randomUUID();
const { status } = spawnSync(
  process.execPath,
  [
    '--import',
    'tsx',
    '--test',
    '--test-concurrency=2',
    // Of a test, and of a file as a whole: what is heavy installs and waits.
    `--test-timeout=${all || steady ? 1_800_000 : 300_000}`,
    ...selected,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, OWNED_SPAWN_TEST_RUN: run, ...(steady && { OWNED_SPAWN_FEW_REPEATS: '1' }) },
  },
);

function left() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(run)) return [];
      return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`];
    } catch {
      return []; // gone, or another user's
    }
  });
}

let leftovers = [];
if (process.platform === 'linux') {
  // A process killed by the last test may still be on its way out.
  for (const deadline = Date.now() + 10_000; (leftovers = left()).length > 0 && Date.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const line of leftovers) console.error(`left behind by the tests: ${line}`);
}
process.exitCode = status === 0 && leftovers.length === 0 ? 0 : 1;
