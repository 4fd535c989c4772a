// Round trips, 100,000 rows, and updates that depend on what was read.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openDatabase, type Database } from '../../runtime/dist/off-loop/sqlite.js';
import { rivals } from '../../test/helpers/on-demand.ts';
import { BetterSqlite3, resolveFrom } from './database.ts';
import { median, printTable, shown, watched } from './measure.ts';

const ROWS = 100_000;
const REPEATS = 5;
const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-bench-'));
const path = join(folder, 'a.db');
const direct = new BetterSqlite3(path);
direct.pragma('journal_mode = wal');
direct.exec(
  `create table t (id integer primary key, a text, b real, c integer); with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) insert into t select i, 'row ' || i, i / 3.0, i * 7 from n`,
);
const open = (host: 'thread' | 'process'): Database =>
  openDatabase(path, { driver: 'better-sqlite3', resolveFrom, host });
const [thread, process_] = [open('thread'), open('process')];

/** The floor: a message to a thread and back, without anything else. */
const echo = new Worker(
  `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m));`,
  { eval: true },
);
const waiting: ((value: unknown) => void)[] = [];
echo.on('message', (value) => waiting.shift()?.(value));
const echoed = (value: unknown): Promise<unknown> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    echo.postMessage(value);
  });

const { Piscina } = createRequire(join(rivals(), 'x.js'))('piscina') as {
  Piscina: new (o: object) => { run(task: unknown): Promise<unknown>; destroy(): Promise<void> };
};
const pool = new Piscina({
  filename: new URL('./piscina-worker.cjs', import.meta.url).href,
  maxThreads: 1,
  workerData: { path, driver: createRequire(resolveFrom).resolve('better-sqlite3') },
});
const sql = 'select * from t where id = ?';

type Call = (i: number) => Promise<unknown>;

/** Microseconds a call, `inFlight` at a time. */
async function perCall(call: Call, inFlight: number, count: number): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < count) await call(next++);
    }),
  );
  return ((performance.now() - startedAt) * 1000) / count;
}

/** The fastest of rounds in which the ways take turns: what else the machine does, and where it wakes a thread, only adds. */
async function compared(ways: [string, Call][], inFlight: number, count = 500): Promise<number[]> {
  const rounds: number[][] = ways.map(() => []);
  for (let round = 0; round < 8 * REPEATS; round++) {
    for (const [i, [, call]] of ways.entries()) rounds[i]?.push(await perCall(call, inFlight, count));
  }
  return rounds.map((its) => Math.min(...its));
}

const [onLoop, inThread, inProcess] = [direct.prepare(sql), thread.prepare(sql), process_.prepare(sql)];
const trips: [string, Call][] = [
  ['raw echo of a row (the floor)', (i) => echoed({ id: i, a: 'row', b: 1.5, c: 7 })],
  ['owned-spawn/sqlite, thread', (i) => inThread.get(i)],
  ['owned-spawn/sqlite, process', (i) => inProcess.get(i)],
  ['piscina, 1 thread', (i) => pool.run({ sql, params: [i], method: 'get' })],
  ['better-sqlite3, on the loop', (i) => Promise.resolve(onLoop.get(i))],
];
const serial = await compared(trips, 1);
const flying = await compared(trips, 64);
const [floor = NaN] = serial;
printTable([
  ['get by key', 'µs', 'x floor', 'µs, 64 in flight'],
  ...trips.map(([name], i) => [
    name,
    shown(serial[i] ?? NaN),
    shown((serial[i] ?? NaN) / floor),
    shown(flying[i] ?? NaN),
  ]),
]);
const all = 'select * from t';
const batch = Array.from({ length: 100 }, (_, i) => inThread.of(i));
const perBatch = await perCall(() => thread.batch(batch), 1, 100);
console.log(`  batch() of 100: ${shown(perBatch / 100)} µs a statement\n`);

const ways: [string, () => Promise<unknown>][] = [
  ['better-sqlite3, on the loop', () => Promise.resolve(direct.prepare(all).all())],
  ['owned-spawn/sqlite, thread', () => thread.prepare(all).all()],
  ['owned-spawn/sqlite, process', () => process_.prepare(all).all()],
  [
    'owned-spawn/sqlite, iterate()',
    async () => {
      let n = 0;
      for await (const row of thread.prepare(all).iterate()) if (row) n++;
      return n;
    },
  ],
  ['piscina, one message', () => pool.run({ sql: all, params: [] })],
];
const table = [['100,000 rows of 4 columns', 'ms', 'longest block ms', 'median of blocks']];
for (const [name, work] of ways) {
  const runs = [];
  await work();
  for (let i = 0; i < REPEATS; i++) runs.push(await watched(work));
  table.push([
    name,
    shown(Math.min(...runs.map(({ ms }) => ms))),
    shown(Math.min(...runs.map(({ blockedMs }) => blockedMs))),
    shown(median(runs.map(({ blockedMs }) => blockedMs))),
  ]);
}
printTable(table);

direct.exec('create table c (n integer); insert into c values (0)');
const read = thread.prepare('select n from c').pluck();
const write = thread.prepare('update c set n = ?');
const increment = async (): Promise<void> => {
  await write.run(Number(await read.get()) + 1);
};
await Promise.all(Array.from({ length: 500 }, increment));
const naive = Number(await read.get());
await write.run(0);
const startedAt = performance.now();
await Promise.all(Array.from({ length: 500 }, () => thread.transaction(increment)()));
const tookMs = performance.now() - startedAt;
console.log('');
printTable([
  ['500 concurrent get, then run(n + 1)', 'result', 'µs each'],
  ['await added to each, nothing else', String(naive), ''],
  ['transaction()', String(await read.get()), shown((tookMs * 1000) / 500)],
]);

await Promise.all([thread.close(), process_.close(), pool.destroy(), echo.terminate()]);
direct.close();
rmSync(folder, { recursive: true });
