// Owners that start children in a tight loop are killed at a random moment: in how many runs is somebody left?
// `--runs=60` for owned-spawn; the others, which leak every time, get a twentieth.
import { setTimeout as sleep } from 'node:timers/promises';
import { until, type Owner } from '../../test/helpers/processes.ts';
import { numberFlag, report, WAYS, withFamily, type Row } from '../measure.ts';

const LATEST_KILL_MS = 80;
/** More than the grace of 3 s. */
const LEAK_MS = 6000;
const runs = numberFlag('runs', 60);

async function isLeaking(name: string): Promise<boolean> {
  return withFamily(async (family) => {
    const { load = '', start = '' } = WAYS[name] ?? {};
    const owner: Owner = family.owner(
      `${load}
      const loop = () => { ${start}; setImmediate(loop); };
      console.log('READY');
      loop();`,
      { bare: true },
    );
    await owner.line(/READY/);
    await sleep(Math.random() * LATEST_KILL_MS);
    owner.child.kill('SIGKILL');
    await owner.exited;
    return until('nobody is left', () => family.members().length === 0, LEAK_MS).then(
      () => false,
      () => true,
    );
  });
}

async function measure(name: string, count: number): Promise<Row> {
  let leaks = 0;
  for (let run = 0; run < count; run++) if (await isLeaking(name)) leaks++;
  return { 'started by': name, runs: count, 'runs that leak': leaks };
}

const rows: Row[] = [];
for (const name of Object.keys(WAYS)) {
  rows.push(await measure(name, name === 'owned-spawn' ? runs : Math.max(1, Math.round(runs / 20))));
}
report('A kill in the middle of a spawn loop', rows);
