import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { builtRuntime, familyOf, type Family } from '../test/helpers/processes.ts';

/** One line of a report: a name and its figures. */
export type Row = Record<string, string | number>;

const resolve = (name: string): string => JSON.stringify(import.meta.resolve(name));

/** How one `sleep` is started so that it ends with its owner, by the tools that a user would pick. */
export const WAYS: Record<string, { load: string; start: string }> = {
  'owned-spawn': {
    load: `import { spawnOwned, supervisorStatus } from ${JSON.stringify(builtRuntime())};`,
    start: `spawnOwned('sleep', ['300'], { stdio: 'ignore' })`,
  },
  child_process: {
    load: `import { spawn } from 'node:child_process';`,
    start: `spawn('sleep', ['300'], { stdio: 'ignore' })`,
  },
  'foreground-child watchdog': {
    load: `import { spawn } from 'node:child_process'; import { watchdog } from ${resolve('foreground-child/watchdog')};`,
    start: `(() => { const child = spawn('sleep', ['300'], { stdio: 'ignore' }); watchdog(child); return child })()`,
  },
  'execa cleanup': {
    load: `import { execa } from ${resolve('execa')};`,
    start: `(() => { const child = execa('sleep', ['300'], { stdio: 'ignore', cleanup: true }); child.catch(() => {}); return child })()`,
  },
};

const REALTIME = 'OWNED_SPAWN_BENCH_REALTIME';

/**
 * Runs this program again ahead of all other work (SCHED_RR, sched(7)) where that is allowed, and ends with it: on a
 * machine that is busy with something else, times are otherwise those of the scheduler. Ratios stay fair: children inherit it.
 */
export function runAheadOfOthers(): void {
  if (process.env[REALTIME] || spawnSync('chrt', ['-r', '1', 'true']).status !== 0) return;
  const { status } = spawnSync(
    'chrt',
    ['-r', '1', process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    {
      stdio: 'inherit',
      env: { ...process.env, [REALTIME]: '1' },
    },
  );
  process.exit(status ?? 1);
}

/** The value below which the given share of the sorted values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** To two digits after the point. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** Runs with a family whose members are killed at the end. */
export async function withFamily<T>(run: (family: Family) => Promise<T>): Promise<T> {
  const cleanups: (() => Promise<void>)[] = [];
  try {
    return await run(familyOf({ after: (clean) => void cleanups.push(clean) }));
  } finally {
    for (const clean of cleanups) await clean();
  }
}

/** The number in a flag of the command line, as in `--runs=20`. */
export function numberFlag(name: string, fallback: number): number {
  const start = `--${name}=`;
  const value = Number(process.argv.find((argument) => argument.startsWith(start))?.slice(start.length));
  return value > 0 ? value : fallback;
}

/** The numbers in a flag of the command line, as in `--children=1,10`. */
export function listFlag(name: string, fallback: number[]): number[] {
  const start = `--${name}=`;
  const text = process.argv.find((argument) => argument.startsWith(start))?.slice(start.length);
  return text === undefined ? fallback : text.split(',').map(Number);
}

/** Prints a table, or with --json one JSON object. */
export function report(title: string, rows: readonly Row[]): void {
  const machine = `${cpus()[0]?.model ?? process.arch}, ${cpus().length} cores, Node ${process.version}${process.env[REALTIME] ? ', SCHED_RR' : ''}`;
  if (process.argv.includes('--json')) {
    console.log(JSON.stringify({ title, machine, rows }));
    return;
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  console.log(`\n${title}\n${machine}\n`);
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
