// Three owners that start children at the same time: how many rows do their ledgers have, and what does a row cost?
// `--runs=20` `--children=15`.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsOf } from '../../test/helpers/ledgers.ts';
import { until } from '../../test/helpers/processes.ts';
import { record } from '../../runtime/spawn/ledger.ts';
import { median, numberFlag, report, round, withFamily, type Row } from '../measure.ts';

const OWNERS = 3;
const [runs, children] = [numberFlag('runs', 20), numberFlag('children', 15)];

/** The rows about children that the owners' ledgers have in the end. */
async function rowsOfOneRun(): Promise<number> {
  return withFamily(async (family) => {
    const owners = Array.from({ length: OWNERS }, () =>
      family.owner(
        `for (let i = 0; i < ${children}; i++) spawnOwned('sleep', ['300'], { stdio: 'ignore', label: process.pid + ' ' + i });
        console.log('READY'); setInterval(() => {}, 60_000);`,
      ),
    );
    await Promise.all(owners.map((owner) => owner.line(/READY/)));
    const count = (): number => new Set(rowsOf(family).flatMap(({ label }) => label ?? [])).size;
    await until('all rows', () => count() === OWNERS * children, 5000).catch(() => undefined);
    return count();
  });
}

const rows = [];
for (let run = 0; run < runs; run++) rows.push(await rowsOfOneRun());

/** The median of many calls, in microseconds. */
function cost(call: () => void): number {
  const times = Array.from({ length: 1000 }, () => {
    const startedAt = performance.now();
    call();
    return (performance.now() - startedAt) * 1000;
  });
  return round(median(times));
}

const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-bench-'));
process.env.OWNED_SPAWN_STATE_DIR = folder;
const row = { pgid: 4711, start: '1', argv: ['sleep', '300'], seq: 1 };
record('spawn', row);
const text = `${JSON.stringify({ ...row, more: 'x'.repeat(400) })}\n`;
const costs: Row[] = [
  {
    what: 'a row, in the call',
    'median µs': cost(() => {
      record('spawn', row);
    }),
  },
  {
    what: 'one appendFileSync',
    'median µs': cost(() => {
      appendFileSync(join(folder, 'plain'), text);
    }),
  },
];
// What is still being written must not find its folder gone.
await new Promise((resolve) => setTimeout(resolve, 500));
rmSync(folder, { recursive: true, force: true });

report(`Rows of ${OWNERS} owners with ${children} children each`, [
  {
    runs,
    'rows wanted': OWNERS * children,
    'fewest rows': Math.min(...rows),
    'runs with all': rows.filter((count) => count === OWNERS * children).length,
  },
]);
report('What a row costs', costs);
