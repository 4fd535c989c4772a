import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  controlOf,
  offload,
  transfer,
  type Offloaded,
  type OffloadOptions,
} from '../../runtime/off-loop/offload.ts';
import type * as repoModule from './modules/repo.ts';
import { folderOf, run, use } from './program.ts';

type Repo = typeof repoModule;
const url = new URL('./modules/repo.ts', import.meta.url);

function repoOf(t: TestContext, options: OffloadOptions = {}): Offloaded<Repo> {
  const repo = offload<Repo>(url, options);
  t.after(() => controlOf(repo).close(0));
  return repo;
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

for (const host of ['thread', 'process'] as const) {
  describe(`offload, host ${host}`, () => {
    it('runs the module elsewhere, and keeps its state', async (t) => {
      const repo = repoOf(t, { host });
      const { isMainThread, pid } = await repo.where();
      assert.equal(isMainThread, host === 'process');
      assert.equal(pid === process.pid, host === 'thread');
      assert.deepEqual(await Promise.all([repo.increment(), repo.increment(2), repo.increment()]), [1, 3, 4]);
      assert.equal(await repo.later(7), 7);
      assert.equal(controlOf(repo).pending, 0);
    });

    it('carries what structured clone carries', async (t) => {
      const repo = repoOf(t, { host });
      const value = {
        big: 2n ** 70n,
        date: new Date(0),
        map: new Map([[1, new Set(['x'])]]),
        bytes: new Uint8Array([0, 255]),
        none: undefined,
        nan: NaN,
      };
      assert.deepEqual(await repo.echo(value), value);
      assert.deepEqual(await repo.echo([]), []);
      assert.equal(await repo.echo(undefined), undefined);
    });

    it('throws what the module throws, with class, properties, cause and both stacks', async (t) => {
      const repo = repoOf(t, { host });
      async function callerHere(): Promise<unknown> {
        return repo.fail('odd');
      }
      await assert.rejects(callerHere(), (error: Error & { code: string; detail: unknown }) => {
        assert.ok(error instanceof Error);
        assert.deepEqual(
          [error.name, error.message, error.code, error.detail],
          ['RangeError', 'planned', 'ODD', { deep: [1] }],
        );
        assert.ok(error.cause instanceof TypeError && error.cause.message === 'because');
        assert.match(error.stack ?? '', /repo\.ts[^]*off the event loop[^]*callerHere/);
        return true;
      });
      await assert.rejects(
        () => repo.fail('many'),
        (error: AggregateError) =>
          error instanceof AggregateError && (error.errors[0] as Error).message === 'one',
      );
      await assert.rejects(
        () => repo.fail('string'),
        (error) => error === 'just text',
      );
      await assert.rejects(() => repo.rejects(), SyntaxError);
    });

    it('rejects what cannot be carried, there and here, and goes on', async (t) => {
      const repo = repoOf(t, { host });
      await assert.rejects(() => repo.unclonable(), /could not be cloned/);
      await assert.rejects(() => repo.echo(() => 1), /could not be cloned/);
      await assert.rejects(
        async () => (repo as unknown as { nothing(): Promise<void> }).nothing(),
        /exports no function "nothing"/,
      );
      assert.equal(await repo.echo(1), 1);
      assert.equal(controlOf(repo).pending, 0);
    });

    it('streams what a generator yields, sync or async, and what comes before it throws', async (t) => {
      const repo = repoOf(t, { host });
      const seen: number[] = [];
      for await (const n of repo.numbers(1000)) seen.push(n);
      for await (const n of await repo.slowly(3)) seen.push(n);
      assert.deepEqual(seen, [...Array(1000).keys(), 0, 1, 2]);
      let count = 0;
      await assert.rejects(async () => {
        for await (const n of repo.breaks()) count = n;
      }, /in the middle/);
      assert.ok(count >= 255 && count < 1000);
      assert.equal(controlOf(repo).pending, 0);
    });

    it('ends the generator when the reader stops early', async (t) => {
      const repo = repoOf(t, { host });
      for await (const n of repo.numbers(1e9)) if (n === 700) break;
      assert.equal(await repo.increment(0), -1);
      assert.equal(controlOf(repo).pending, 0);
    });

    it('rejects at once when aborted, gives up the stuck host, and loses and repeats nothing else', async (t) => {
      const repo = repoOf(t, { host });
      await repo.increment(0);
      const controller = new AbortController();
      const stuck = controlOf(repo).with({ signal: controller.signal }).forever();
      const behind = Promise.all([repo.increment(1), repo.increment(10), repo.increment(100)]);
      await sleep(20);
      controller.abort(new Error('enough'));
      await assert.rejects(stuck, /enough/);
      assert.deepEqual(await behind, [1, 11, 111]);
      assert.equal(await repo.increment(0), 111);
      await assert.rejects(controlOf<Repo>(repo).with({ signal: AbortSignal.abort() }).where(), {
        name: 'AbortError',
      });
    });

    it('lets go of an aborted call that does not block, and keeps the host', async (t) => {
      const repo = repoOf(t, { host });
      await repo.increment(5);
      const controller = new AbortController();
      const pending = controlOf<Repo>(repo).with({ signal: controller.signal }).later(1);
      controller.abort();
      await assert.rejects(async () => pending, { name: 'AbortError' });
      await sleep(150);
      assert.equal(await repo.increment(0), 5);
    });

    it('rejects what was pending when the host dies, and starts another', async (t) => {
      const repo = repoOf(t, { host });
      await repo.increment(3);
      const answers = await Promise.allSettled([repo.die(), repo.later(1), repo.numbers(1e6)]);
      assert.deepEqual(
        answers.map((each) => (each.status === 'rejected' ? codeOf(each.reason) : 'none')),
        Array(3).fill('ERR_OWNED_SPAWN_HOST_LOST'),
      );
      assert.equal(await repo.increment(0), 0);
    });

    it('refuses more than maxPending, and only that', async (t) => {
      const repo = repoOf(t, { host, maxPending: 2 });
      const answers = await Promise.allSettled([repo.later(1), repo.later(2), repo.later(3)]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected'],
      );
      assert.equal(codeOf((answers[2] as PromiseRejectedResult).reason), 'ERR_OWNED_SPAWN_OVERLOAD');
      assert.equal(await repo.later(4), 4);
    });

    it('closes within its bound, done or not', async (t) => {
      const done = repoOf(t, { host });
      const last = done.later(1);
      assert.equal(await controlOf(done).close(30_000), true);
      assert.equal(await last, 1);
      await assert.rejects(async () => done.where(), { code: 'ERR_OWNED_SPAWN_CLOSED' });
      const stuck = repoOf(t, { host });
      const never = assert.rejects(async () => stuck.forever(), {
        code: 'ERR_OWNED_SPAWN_CLOSED',
      });
      assert.equal(await controlOf(stuck).close(50), false);
      await never;
    });

    it('closes without a bound where it is told so', async (t) => {
      const repo = repoOf(t, { host });
      const last = repo.later(1);
      assert.equal(await controlOf(repo).close(Infinity), true);
      assert.equal(await last, 1);
    });

    it('tries a module that failed to load again', async (t) => {
      const folder = folderOf(t);
      const file = join(folder, 'late.mjs');
      const ready = JSON.stringify(join(folder, 'ready'));
      writeFileSync(
        file,
        `import fs from 'node:fs'; if (!fs.existsSync(${ready})) throw new RangeError('not yet'); export const hi = () => 'hi';`,
      );
      const late = offload<{ hi(): string }>(pathToFileURL(file), { host });
      t.after(() => controlOf(late).close(0));
      const first = await Promise.allSettled([late.hi(), late.hi()]);
      assert.deepEqual(
        first.map((each) => each.status === 'rejected' && (each.reason as Error).message),
        ['not yet', 'not yet'],
      );
      writeFileSync(join(folder, 'ready'), '');
      assert.equal(await late.hi(), 'hi');
    });

    it('lets the program end when nothing is pending, and not before', async (t) => {
      const program = run(
        t,
        folderOf(t),
        `${use('off-loop/offload.ts', 'offload')}
        const repo = offload(${JSON.stringify(url.href)}, { host: '${host}' });
        console.log('ANSWER ' + await repo.later(42));`,
      );
      assert.deepEqual(await program.ended, { code: 0, signal: null }, program.lines.join('\n'));
      assert.deepEqual(program.lines, ['ANSWER 42']);
    });
  });
}

describe('offload', () => {
  it('moves what is marked, both ways', async (t) => {
    const repo = repoOf(t);
    const array = new Uint8Array(1000);
    assert.equal(await repo.lengthOf(transfer(array, [array.buffer])), 1000);
    assert.equal(array.length, 0);
    assert.deepEqual(await repo.bytes(3), new Uint8Array([7, 7, 7]));
  });

  it('leaves the loop free', async (t) => {
    const repo = repoOf(t);
    await repo.increment(0);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await repo.spin(400);
    delay.disable();
    // A busy machine delays us too, yet hardly by the whole of what was off the loop.
    assert.ok(delay.max / 1e6 < 300, `blocked for ${delay.max / 1e6} ms`);
  });

  it('takes paths and URLs, and says what it cannot take', async (t) => {
    const folder = folderOf(t);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${folder}/a.cjs`, 'module.exports = { two: () => 2 };');
    for (const module of [`${folder}/a.cjs`, pathToFileURL(`${folder}/a.cjs`).href]) {
      const two = offload<{ two(): number }>(module);
      assert.equal(await two.two(), 2);
      await controlOf(two).close();
    }
    assert.throws(() => offload('./a.js'), /absolute path or a URL/);
    const missing = offload<Repo>(`${folder}/none.js`);
    await assert.rejects(async () => missing.where(), /none\.js/);
    await controlOf(missing).close();
    assert.throws(() => controlOf({} as Offloaded<Repo>), TypeError);
  });

  it('is no promise, so that await does not call it', async (t) => {
    const repo = repoOf(t);
    assert.equal(await Promise.resolve(repo), repo);
  });

  it('has the types of the module', () => {
    const check = async (repo: Offloaded<Repo>): Promise<void> => {
      const n: number = await repo.increment(1);
      const late: number = await repo.later(n);
      for await (const each of repo.numbers(late)) each.toFixed();
      for await (const each of await repo.slowly(1)) each.toFixed();
      // @ts-expect-error: a constant is no function
      assert.ok(repo.VERSION);
      // @ts-expect-error: a number is asked for
      await repo.increment('1');
    };
    assert.ok(check);
  });
});
