// Runs heavy suites many times in a row, one run after the other, and prints each run's result and time.
//
//   npm run steady -- FILE… [--runs 20] [--record]
//
// What passes 20 times in a row on a busy machine may join `.ci/run`: --record keeps the passes in test/steady.json, from
// which `npm run test:steady` takes its suites, and takes out of it what failed. The output of a run that failed is kept
// under .cache/steady/.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ENOUGH = 20;
const root = fileURLToPath(new URL('..', import.meta.url));
const record = join(root, 'test/steady.json');
const logs = join(root, '.cache/steady');
const { values, positionals: suites } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: String(ENOUGH) }, record: { type: 'boolean', default: false } },
});
const runs = Number(values.runs);
if (suites.length === 0 || !(runs >= 1)) {
  console.error('usage: npm run steady -- FILE… [--runs 20] [--record]');
  process.exit(2);
}

/** How many tests a summary counts, of node:test's `tap` or `spec` reporter. */
const count = (what, output) => Number(new RegExp(`^(?:#|ℹ) ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);

/** Runs a suite once and prints how it went; undefined if it failed, or if nothing in it ran. */
function runOnce(suite, run) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test.mjs'), '--steady', suite],
    { cwd: root, encoding: 'utf8', maxBuffer: 1e9 },
  );
  const seconds = Math.round((performance.now() - start) / 1000);
  const [passed, skipped] = ['pass', 'skipped'].map((what) => count(what, stdout));
  const isPassed = status === 0 && passed > 0;
  const load = loadavg()[0]?.toFixed(1);
  console.log(
    `${suite} ${run}/${runs}: ${isPassed ? 'passed' : 'FAILED'} in ${seconds} s, ${passed} tests, ${skipped} skipped, load ${load}`,
  );
  if (isPassed) return { seconds, passed, skipped };
  const log = join(logs, `${basename(suite)}.${run}.log`);
  mkdirSync(logs, { recursive: true });
  writeFileSync(log, stdout + stderr);
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
  const passes = Array.from({ length: runs }, (_, i) => runOnce(suite, i + 1)).filter(Boolean);
  const times = passes.map(({ seconds }) => seconds).sort((a, b) => a - b);
  const [fastest, median, slowest] = [times[0], times[times.length >> 1], times.at(-1)];
  console.log(`${suite}: ${passes.length} of ${runs} passed, ${fastest} to ${slowest} s, median ${median} s`);
  const isSteady = passes.length === runs;
  if (!isSteady) process.exitCode = 1;
  if (!values.record) continue;
  if (!isSteady) keep(suite, undefined);
  else if (runs >= ENOUGH) keep(suite, { passes: runs, seconds: { fastest, median, slowest } });
}
