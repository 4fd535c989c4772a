// 300 publishes while the disk stalls for 1.5 s, and an exit in the middle of a stall. As root the stall is real (fsfreeze of
// a loop mount); otherwise fsync is delayed, which says nothing about the exit.
import { execFileSync, spawn } from 'node:child_process';
import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { patchStatus, statusFile } from '../../runtime/dist/off-loop/status.js';
import { printTable, shown, watched } from './measure.ts';

const STALL_MS = 1500;
const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-bench-'));
const mounted = join(scratch, 'disk');
const [, , role, target = ''] = process.argv;

if (role === 'exit') {
  const host = process.argv[4] as 'pool' | 'process';
  const status = statusFile(target, { host });
  status.publish({ a: 1 });
  await status.flush(20_000);
  console.log('READY');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  status.publish({ a: 2 });
  console.log(`EXIT ${Date.now()}`);
  await status.exitWithin(500, 0);
}

function mount(): boolean {
  try {
    mkdirSync(mounted);
    execFileSync(
      'sh',
      [
        '-ec',
        'dd if=/dev/zero of="$1" bs=1M count=32 status=none; mkfs.ext4 -q "$1"; mount -o loop "$1" "$2"',
        'sh',
        join(scratch, 'image'),
        mounted,
      ],
      { stdio: 'ignore' },
    );
    return true;
  } catch {
    return false;
  }
}

const isReal = mount();
const folder = isReal ? mounted : scratch;
const freeze = (on: boolean): void => void execFileSync('fsfreeze', [on ? '-f' : '-u', mounted]);

async function stalled<T>(work: () => Promise<T>): Promise<T> {
  if (isReal) {
    freeze(true);
    const thaw = spawn('sh', ['-c', `sleep ${STALL_MS / 1000}; fsfreeze -u "$1"`, 'sh', mounted], {
      stdio: 'ignore',
    });
    const thawed = new Promise((resolve) => thaw.once('exit', resolve));
    const value = await work();
    await thawed;
    return value;
  }
  const original = fs.fsync;
  let isFirst = true;
  fs.fsync = ((file: number, done: fs.NoParamCallback) => {
    setTimeout(
      () => {
        original(file, done);
      },
      isFirst ? STALL_MS : 0,
    );
    isFirst = false;
  }) as typeof fs.fsync;
  const value = await work();
  fs.fsync = original;
  return value;
}

/** Counts replacements of a file by its inode, seen from outside: each is a new one. */
function countWrites(path: string): () => number {
  const seen = new Set<number>();
  let isOver = false;
  const look = (): void => {
    fs.stat(path, (_, stats?: fs.Stats) => {
      if (stats) seen.add(stats.mtimeMs);
      if (!isOver) setTimeout(look, 2);
    });
  };
  look();
  return () => {
    isOver = true;
    return seen.size;
  };
}

/** One each 5 ms, by the clock: a busy machine makes them come in bunches, not later. */
async function publish300(each: (n: number) => void): Promise<void> {
  const startedAt = performance.now();
  for (let n = 1; n <= 300; n++) {
    const restMs = startedAt + n * 5 - performance.now();
    if (restMs > 0) await sleep(restMs);
    each(n);
  }
}

const rows = [
  [
    `300 publishes in a stall of ${STALL_MS} ms${isReal ? ' (fsfreeze)' : ' (fsync delayed)'}`,
    'writes',
    'longest block ms',
    'last one on the disk',
  ],
];
for (const host of ['pool', 'process'] as const) {
  const path = join(folder, `${host}.json`);
  const status = statusFile<{ n: number }>(path, { host });
  status.publish({ n: 0 });
  await status.flush(20_000);
  const writes = countWrites(path);
  const { blockedMs } = await watched(() =>
    stalled(() =>
      publish300((n) => {
        status.publish({ n });
      }),
    ),
  );
  await status.flush(20_000);
  rows.push([
    `statusFile(), host ${host}`,
    String(writes() - 1),
    shown(blockedMs),
    String((JSON.parse(readFileSync(path, 'utf8')) as { n: number }).n),
  ]);
  await status.close();
}
if (isReal) {
  const path = join(folder, 'sync.json');
  const { blockedMs } = await watched(() =>
    stalled(() =>
      publish300((n) => {
        writeFileSync(path, JSON.stringify({ n }));
        const file = fs.openSync(path, 'r');
        fs.fsyncSync(file);
        fs.closeSync(file);
      }),
    ),
  );
  rows.push([
    'writeFileSync and fsyncSync',
    '300',
    shown(blockedMs),
    (JSON.parse(readFileSync(path, 'utf8')) as { n: number }).n.toString(),
  ]);
}
printTable(rows);

const path = join(folder, 'fields.json');
const status = statusFile(path, { minIntervalMs: 0 });
const timer = setInterval(() => {
  status.publish({ at: performance.now() });
}, 1);
for (let i = 0; i < 300; i++) await patchStatus(path, { [`stamp${i}`]: i }, { lockMs: 30_000 });
clearInterval(timer);
await status.flush(20_000);
const kept = Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object).filter((name) =>
  name.startsWith('stamp'),
).length;
console.log(`\n  fields of 300 patches beside a publisher: ${kept} kept\n`);

if (isReal) {
  const exits = [['exitWithin(500) in a stall of 4 s', 'ms to the exit', 'code']];
  for (const host of ['pool', 'process'] as const) {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(import.meta.url), 'exit', join(folder, `exit-${host}.json`), host],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    let text = '';
    const line = (pattern: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = pattern.exec(text)?.[0];
          if (found !== undefined) resolve(found);
        };
        child.stdout.on('data', (chunk: Buffer) => {
          text += String(chunk);
          look();
        });
        look();
      });
    const exited = new Promise<[number, number | string]>((resolve) =>
      child.once('exit', (code, signal) => {
        resolve([Date.now(), code ?? String(signal)]);
      }),
    );
    await line(/READY/);
    freeze(true);
    const thaw = sleep(4000).then(() => {
      freeze(false);
    });
    child.stdin.write('go');
    const startedAt = Number((await line(/EXIT \d+/)).slice(5));
    const [endedAt, code] = await exited;
    await thaw;
    exits.push([`host ${host}`, String(endedAt - startedAt), String(code)]);
  }
  printTable(exits);
}

await sleep(300);
if (isReal) execFileSync('umount', [mounted]);
rmSync(scratch, { recursive: true, force: true });
process.exit();
