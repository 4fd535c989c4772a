// Heavy searches while another request pings: how long does the ping take, on the loop and off it, and with what a user
// would pick instead. Each way is a server process of its own; the client runs in this one.
import { spawn } from 'node:child_process';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openDatabase } from '../../runtime/dist/off-loop/sqlite.js';
import { rivals } from '../../test/helpers/on-demand.ts';
import { BetterSqlite3, resolveFrom, SEARCH, searchDatabase, searchWord } from './database.ts';
import { median, printTable, quantile, shown } from './measure.ts';

type Search = (word: string) => Promise<unknown[]>;

const SECONDS = Number(process.env.BENCH_SECONDS ?? 15);
const file = fileURLToPath(import.meta.url);
const [, , role, path = ''] = process.argv;

/** Each way to answer a search. */
const ways: Record<string, () => Search> = {
  'better-sqlite3, on the loop': () => {
    const search = new BetterSqlite3(path).prepare(SEARCH);
    return (word) => Promise.resolve(search.all(word));
  },
  'owned-spawn/sqlite, thread': () => {
    const search = openDatabase(path, { driver: 'better-sqlite3', resolveFrom }).prepare(SEARCH);
    return (word) => search.all(word);
  },
  'owned-spawn/sqlite, process': () => {
    const search = openDatabase(path, { driver: 'better-sqlite3', resolveFrom, host: 'process' }).prepare(
      SEARCH,
    );
    return (word) => search.all(word);
  },
  'piscina, 2 threads': () => {
    const { Piscina } = createRequire(join(rivals(), 'x.js'))('piscina') as {
      Piscina: new (o: object) => { run(task: unknown): Promise<unknown[]> };
    };
    const pool = new Piscina({
      filename: new URL('./piscina-worker.cjs', pathToFileURL(file)).href,
      maxThreads: 2,
      workerData: { path, driver: createRequire(resolveFrom).resolve('better-sqlite3') },
    });
    return (word) => pool.run({ sql: SEARCH, params: [word] });
  },
  'sqlite3 (the package)': () => {
    const { Database } = createRequire(join(rivals(), 'x.js'))('sqlite3') as {
      Database: new (p: string) => {
        all(sql: string, p: unknown[], done: (error: Error | null, rows: unknown[]) => void): void;
      };
    };
    const db = new Database(path);
    return (word) =>
      new Promise((resolve, reject) => {
        db.all(SEARCH, [word], (error, rows) => {
          if (error) reject(error);
          else resolve(rows);
        });
      });
  },
};

function serve(search: Search): void {
  let n = 0;
  const server = createServer((request, response) => {
    if (request.url === '/ping') response.end('pong');
    else void search(searchWord(n++)).then((rows) => response.end(JSON.stringify(rows)));
  });
  // A blocked loop fires this late and cuts connections: not what is measured.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => {
    console.log(`PORT ${(server.address() as AddressInfo).port}`);
  });
}

const ask = (port: number, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get({ port, host: '127.0.0.1', path: url, agent: false }, (response) => {
      response.resume().once('end', () => {
        resolve(performance.now() - startedAt);
      });
    }).once('error', reject);
  });

async function measure(name: string, database: string): Promise<{ pings: number[]; searches: number[] }> {
  const child = spawn(process.execPath, ['--import', 'tsx', file, name, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.stdout.on('data', (text: Buffer) => {
        resolve(Number(/PORT (\d+)/.exec(String(text))?.[1]));
      });
      child.once('exit', reject);
    });
    await ask(port, '/search');
    const end = performance.now() + SECONDS * 1000;
    const pings: Promise<number>[] = [];
    const searches: number[] = [];
    const timer = setInterval(() => {
      pings.push(ask(port, '/ping'));
    }, 20);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        while (performance.now() < end) searches.push(await ask(port, '/search'));
      }),
    );
    clearInterval(timer);
    return { pings: await Promise.all(pings), searches };
  } finally {
    child.kill('SIGKILL');
  }
}

if (role !== undefined && !role.startsWith('-'))
  serve(ways[role]?.() ?? (() => Promise.reject(new Error(role))));
else {
  const database = searchDatabase();
  const rows = [
    [
      'ping while 4 searches run',
      'p50 ms',
      'p99 ms',
      'max ms',
      'p99 on loop / this',
      'search p50 ms',
      'searches',
    ],
  ];
  let base = NaN;
  for (const name of Object.keys(ways)) {
    const { pings, searches } = await measure(name, database);
    const p99 = quantile(pings, 0.99);
    if (Number.isNaN(base)) base = p99;
    rows.push([
      name,
      shown(median(pings)),
      shown(p99),
      shown(Math.max(...pings)),
      shown(base / p99),
      shown(median(searches)),
      String(searches.length),
    ]);
  }
  printTable(rows);
}
