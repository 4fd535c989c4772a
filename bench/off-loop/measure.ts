import { performance } from 'node:perf_hooks';

/** The value below which a share of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Runs something and says how long it took and for how long at most the loop stood still, both in milliseconds. */
export async function watched<T>(
  work: () => Promise<T> | T,
): Promise<{ value: T; ms: number; blockedMs: number }> {
  let blockedMs = 0;
  let last = performance.now();
  let isOver = false;
  const look = (): void => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const startedAt = performance.now();
  const value = await work();
  const ms = performance.now() - startedAt;
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return { value, ms, blockedMs };
}

/** A number for a table: three digits are enough. */
export const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** Prints rows in columns. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  for (const row of rows)
    console.log(
      `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`,
    );
}
