import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { patchStatus } from '../../runtime/off-loop/status.ts';
import { repeats } from '../helpers/repeats.ts';
import { folderOf, run, use } from './program.ts';

const RUNS = repeats(200);
const importing = use('off-loop/status.ts', 'statusFile', true);

describe('statusFile under kill -9', () => {
  for (const host of ['pool', 'process'] as const) {
    it(
      `is whole, and no older than the last completed flush, in ${RUNS} runs with host ${host}`,
      { timeout: 900_000 },
      async (t) => {
        const folder = folderOf(t);
        for (let i = 0; i < RUNS; i++) {
          const path = join(folder, host === 'pool' ? 'status.json' : `status-${i}.json`);
          const program = run(
            t,
            folder,
            `${importing}
          const status = statusFile(${JSON.stringify(path)}, { host: '${host}', minIntervalMs: 0 });
          for (let n = ${i} * 1e6; ; n++) { status.publish({ n, text: 'x'.repeat(n * 7 % 50_000) }); if (await status.flush(30_000)) console.log('FLUSHED ' + n); }`,
            { built: true },
          );
          await program.line(/FLUSHED/);
          await sleep(Math.random() * 30);
          program.child.kill('SIGKILL');
          await program.ended;
          const flushed = Math.max(
            ...program.lines.map((line) => Number(/FLUSHED (\d+)/.exec(line)?.[1] ?? 0)),
          );
          const { n, text } = JSON.parse(readFileSync(path, 'utf8')) as { n: number; text: string };
          assert.ok(n >= flushed, `run ${i}: ${n} is older than ${flushed}`);
          assert.equal(text.length, (n * 7) % 50_000, `run ${i}`);
        }
      },
    );

    it(`keeps 300 of 300 fields of other processes with host ${host}`, { timeout: 900_000 }, async (t) => {
      const folder = folderOf(t);
      const path = join(folder, 'status.json');
      const program = run(
        t,
        folder,
        `${importing}
        const status = statusFile(${JSON.stringify(path)}, { host: '${host}', minIntervalMs: 0, lockMs: 30_000 });
        let n = 0;
        setInterval(() => { status.publish({ n: ++n }); }, 1);
        console.log('READY');`,
        { built: true },
      );
      await program.line(/READY/);
      for (let i = 0; i < 300; i++) await patchStatus(path, { [`stamp${i}`]: i }, { lockMs: 30_000 });
      const fields = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      assert.equal(Object.keys(fields).filter((name) => name.startsWith('stamp')).length, 300);
    });
  }
});
