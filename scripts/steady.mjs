// Runs heavy suites many times and prints each run's result and time.
//
//   npm run steady -- FILE… [--runs 20] [--at-once 1] [--record]
//
// What passes 20 times in a row on a busy machine may join `.ci/run`: --record keeps the passes in test/steady.json, from
// which `npm run test:steady` takes its suites, and takes out of it what failed. Runs at once make a machine busy that is
// not. The output of a run that failed is kept under .cache/steady/.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ENOUGH = 20;
const USAGE = 'usage: npm run steady -- FILE… [--runs 20] [--at-once 1] [--record]';
const root = fileURLToPath(new URL('..', import.meta.url));
const record = join(root, 'test/steady.json');
const logs = join(root, '.cache/steady');
const { values, positionals: suites } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: String(ENOUGH) },
    'at-once': { type: 'string', default: '1' },
    record: { type: 'boolean', default: false },
  },
});
const [runs, atOnce] = [Number(values.runs), Number(values['at-once'])];
if (suites.length === 0 || !(runs >= 1) || !(atOnce >= 1)) {
  console.error(USAGE);
  process.exit(2);
}

/** How many tests a summary counts, of node:test's `tap` or `spec` reporter. */
const count = (what, output) => Number(new RegExp(`^(?:#|ℹ) ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);

/** Runs a suite as CI does. */
const test = (suite) =>
  new Promise((resolve) => {
    const args = [join(root, 'scripts/test.mjs'), '--steady', suite];
    execFile(process.execPath, args, { cwd: root, maxBuffer: 1e9 }, (error, stdout, stderr) => {
      resolve({ isGreen: !error, stdout, output: stdout + stderr });
    });
  });

/** Runs a suite once and prints how it went. @returns the seconds; undefined if it failed, or if nothing in it ran */
async function runOnce(suite, run) {
  const start = performance.now();
  const { isGreen, stdout, output } = await test(suite);
  const seconds = Math.round((performance.now() - start) / 1000);
  const [passed, skipped] = ['pass', 'skipped'].map((what) => count(what, stdout));
  const isPassed = isGreen && passed > 0;
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `${suite} ${run}/${runs}: ${isPassed ? 'passed' : 'FAILED'} in ${seconds} s, ${passed} tests, ${skipped} skipped, load ${load}`,
  );
  if (isPassed) return seconds;
  const log = join(logs, `${basename(suite)}.${run}.log`);
  mkdirSync(logs, { recursive: true });
  writeFileSync(log, output);
  console.log(`  see ${log}`);
  return undefined;
}

/** Writes a suite's row, or takes it out. Read anew each time: another suite may be measured meanwhile. */
function keep(suite, row) {
  const rows = { ...JSON.parse(readFileSync(record, 'utf8')), [suite]: row };
  const sorted = Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(record, `${JSON.stringify(sorted, null, 2)}\n`);
}

for (const suite of suites) {
  const results = [];
  let run = 0;
  const lane = async () => {
    while (run < runs) results.push(await runOnce(suite, ++run));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const times = results.filter((seconds) => seconds !== undefined).sort((a, b) => a - b);
  const [fastest, median, slowest] = [times[0], times[times.length >> 1], times.at(-1)];
  console.log(`${suite}: ${times.length} of ${runs} passed, ${fastest} to ${slowest} s, median ${median} s`);
  const isSteady = times.length === runs;
  if (!isSteady) process.exitCode = 1;
  if (!values.record) continue;
  if (!isSteady) keep(suite, undefined);
  else if (runs >= ENOUGH) keep(suite, { passes: runs, seconds: { fastest, median, slowest } });
}
