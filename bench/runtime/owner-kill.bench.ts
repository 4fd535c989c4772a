// Owners with a child each are killed by SIGKILL: who is left, and how long the last one lives.
// `--runs=200` for owned-spawn; the others, whose outcome does not vary, get a twentieth.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, until, type Family, type Owner } from '../../test/helpers/processes.ts';
import {
  median,
  numberFlag,
  quantile,
  report,
  runAheadOfOthers,
  round,
  WAYS,
  withFamily,
  type Row,
} from '../measure.ts';

runAheadOfOthers();

const BATCH = 8;
/** More than the grace of 3 s. */
const LEAK_MS = 4000;
const runs = numberFlag('runs', 200);

interface Started {
  owner: Owner;
  child: number;
  supervisor: number;
}

async function start(family: Family, name: string): Promise<Started> {
  const { load = '', start = '' } = WAYS[name] ?? {};
  const supervisor = name === 'owned-spawn' ? 'supervisorStatus().pid' : '0';
  const owner = family.owner(
    `${load}
    const child = ${start};
    console.log('CHILD ' + child.pid + ' ' + ${supervisor});
    setInterval(() => {}, 60_000);`,
    { bare: true },
  );
  const [, child, pid] = await owner.line(/CHILD (\d+) (\d+)/);
  return { owner, child: Number(child), supervisor: Number(pid) };
}

/** The milliseconds from the kill to the child's death; polled without a pause, as the loop has nothing else to do. */
function timeOfDeath({ owner, child }: Started): number | undefined {
  const killedAt = performance.now();
  process.kill(owner.pid, 'SIGKILL');
  while (isAlive(child)) if (performance.now() - killedAt > LEAK_MS) return undefined;
  return performance.now() - killedAt;
}

/** What a process alone pays for: smaps_rollup, see proc(5). */
function privateKb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return [...text.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce((sum, [, kb]) => sum + Number(kb), 0);
}

async function measureOwned(): Promise<Row> {
  const times: (number | undefined)[] = [];
  const memory: number[] = [];
  for (let done = 0; done < runs; done += BATCH) {
    await withFamily(async (family) => {
      const size = Math.min(BATCH, runs - done);
      const batch = await Promise.all(Array.from({ length: size }, () => start(family, 'owned-spawn')));
      memory.push(...batch.map(({ supervisor }) => privateKb(supervisor)));
      times.push(...batch.map(timeOfDeath));
      await until('the supervisors end', () => batch.every(({ supervisor }) => !isAlive(supervisor)));
    });
  }
  const known = times.filter((time) => time !== undefined);
  return {
    'started by': 'owned-spawn',
    owners: runs,
    'children left': times.length - known.length,
    'median ms': round(median(known)),
    'p99 ms': round(quantile(known, 0.99)),
    'private kB per owner': median(memory),
  };
}

/** All owners of a tool at once: what is left after the grace is left. */
async function measureOther(name: string): Promise<Row> {
  return withFamily(async (family) => {
    const owners = Math.max(1, Math.round(runs / 20));
    const batch = await Promise.all(Array.from({ length: owners }, () => start(family, name)));
    // What they start besides needs a moment to be what it is.
    await sleep(1000);
    const helpers = family
      .members()
      .filter(({ pid }) => !batch.some(({ owner, child }) => pid === owner.pid || pid === child));
    const memory = helpers.length > 0 ? median(helpers.map(({ pid }) => privateKb(pid))) : 0;
    for (const { owner } of batch) process.kill(owner.pid, 'SIGKILL');
    await sleep(LEAK_MS);
    return {
      'started by': name,
      owners,
      'children left': batch.filter(({ child }) => isAlive(child)).length,
      'private kB per owner': memory,
    };
  });
}

const rows = [await measureOwned()];
for (const name of Object.keys(WAYS).slice(1)) rows.push(await measureOther(name));
report('Owners killed by SIGKILL', rows);
