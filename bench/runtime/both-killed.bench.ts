// Owner and supervisor are killed together: how much is left, before and after the next start of the application?
// `--runs=20` `--children=10`.
import { until } from '../../test/helpers/processes.ts';
import { median, numberFlag, report, round, withFamily } from '../measure.ts';

const [runs, children] = [numberFlag('runs', 20), numberFlag('children', 10)];
const env = { OWNED_SPAWN_APP: 'bench' };

interface Run {
  before: number;
  after: number;
  ms: number;
}

async function once(): Promise<Run> {
  return withFamily(async (family) => {
    const sleepers = (): number => family.members().filter(({ comm }) => comm === 'sleep').length;
    const owner = family.owner(
      `for (let i = 0; i < ${children}; i++) spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      console.log('SUPERVISOR ' + supervisorStatus().pid);
      setInterval(() => {}, 60_000);`,
      { env },
    );
    const [, supervisor] = await owner.line(/SUPERVISOR (\d+)/);
    process.kill(Number(supervisor), 'SIGKILL');
    process.kill(owner.pid, 'SIGKILL');
    await owner.exited;
    const before = sleepers();
    const startedAt = performance.now();
    const next = family.owner(`warm(); console.log('UP'); setInterval(() => {}, 60_000);`, { env });
    await next.line(/UP/);
    await until('nobody is left', () => sleepers() === 0, 10_000).catch(() => undefined);
    return { before, after: sleepers(), ms: performance.now() - startedAt };
  });
}

const results: Run[] = [];
for (let run = 0; run < runs; run++) results.push(await once());
const sum = (of: (run: Run) => number): number => results.reduce((total, run) => total + of(run), 0);
report('Owner and supervisor killed together', [
  {
    runs,
    'children each': children,
    'left before the next start': sum(({ before }) => before),
    'left after it': sum(({ after }) => after),
    'median ms from the next start': round(median(results.map(({ ms }) => ms))),
  },
]);
