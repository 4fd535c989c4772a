// Owners with many children each are killed by SIGKILL: who is left, and how long the last one lives.
// `--runs=20` `--children=1,10,500`.
import { isAlive } from '../../test/helpers/processes.ts';
import {
  listFlag,
  median,
  numberFlag,
  quantile,
  report,
  round,
  runAheadOfOthers,
  withFamily,
} from '../measure.ts';

runAheadOfOthers();

/** Well over the grace of 3 s. */
const LEAK_MS = 20_000;
const runs = numberFlag('runs', 20);

/** The milliseconds from the kill to the last child's death; undefined where one is left. */
async function once(children: number): Promise<number | undefined> {
  return withFamily(async (family) => {
    const owner = family.owner(
      `const pids = Array.from({ length: ${children} }, () => spawnOwned('sleep', ['300'], { stdio: 'ignore' }).pid);
      console.log('PIDS ' + pids.join(' '));
      setInterval(() => {}, 60_000);`,
    );
    const [, text = ''] = await owner.line(/PIDS (.*)/);
    let left = text.split(' ').map(Number);
    const killedAt = performance.now();
    process.kill(owner.pid, 'SIGKILL');
    while ((left = left.filter(isAlive)).length > 0)
      if (performance.now() - killedAt > LEAK_MS) return undefined;
    return performance.now() - killedAt;
  });
}

const rows = [];
for (const children of listFlag('children', [1, 10, 500])) {
  const times: (number | undefined)[] = [];
  for (let run = 0; run < runs; run++) times.push(await once(children));
  const known = times.filter((time) => time !== undefined);
  rows.push({
    'children each': children,
    kills: runs,
    'kills that leave one': times.length - known.length,
    'median ms': round(median(known)),
    'p99 ms': round(quantile(known, 0.99)),
  });
}
report('Owners with many children killed by SIGKILL', rows);
