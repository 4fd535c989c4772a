import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { onFirst } from '../../runtime/off-loop/lazy.ts';

describe('onFirst', () => {
  it('does nothing before the first call, and its work once for all', async () => {
    let runs = 0;
    const warm = onFirst(() => ++runs);
    assert.equal(runs, 0);
    assert.deepEqual(await Promise.all([warm(), warm(), warm()]), [1, 1, 1]);
    assert.equal(await warm(), 1);
  });

  it('does its work once for each key, however many ask at once', async () => {
    const started: string[] = [];
    const connect = onFirst(
      async ({ name }: { name: string }) => {
        await turn();
        started.push(name);
        return name;
      },
      { keyOf: ({ name }) => name },
    );
    await Promise.all(Array.from({ length: 20 }, (_, i) => connect({ name: `tool-${i % 2}` })));
    assert.deepEqual(started.sort(), ['tool-0', 'tool-1']);
  });

  it('starts so many at a time, and all in the end, though some fail', async () => {
    let [inside, most, done] = [0, 0, 0];
    const start = onFirst(
      async (name: number) => {
        most = Math.max(most, ++inside);
        await turn();
        inside--;
        done++;
        if (name % 3 === 0) throw new Error('planned');
      },
      { atOnce: 4 },
    );
    await Promise.allSettled(Array.from({ length: 12 }, (_, i) => start(i)));
    assert.deepEqual([most, done], [4, 12]);
    await Promise.allSettled(Array.from({ length: 4 }, (_, i) => start(100 + i)));
    assert.equal(inside, 0);
  });

  it('tries again after a failure, thrown or rejected; those who asked together fail together', async () => {
    for (const fail of [
      () => {
        throw new Error('planned');
      },
      () => Promise.reject(new Error('planned')),
    ]) {
      let runs = 0;
      const start = onFirst(() => (++runs === 1 ? fail() : runs));
      const first = await Promise.allSettled([start(), start()]);
      assert.deepEqual(
        first.map(({ status }) => status),
        ['rejected', 'rejected'],
      );
      assert.equal(await start(), 2);
      assert.equal(await start(), 2);
    }
  });

  it('rejects where the key cannot be told', async () => {
    const start = onFirst((server: { name: string }) => server.name, { keyOf: (server) => server.name });
    const asked = start(undefined as never);
    await assert.rejects(asked, TypeError);
  });

  it('forgets one, or all', async () => {
    let runs = 0;
    const start = onFirst((name: string) => `${name} ${++runs}`);
    assert.deepEqual([await start('a'), await start('b')], ['a 1', 'b 2']);
    start.forget('a');
    assert.deepEqual([await start('a'), await start('b')], ['a 3', 'b 2']);
    start.forget();
    assert.deepEqual([await start('a'), await start('b')], ['a 4', 'b 5']);
  });

  it('refuses a bound that would let nobody in', () => {
    for (const atOnce of [0, NaN]) assert.throws(() => onFirst(() => 1, { atOnce }), RangeError);
  });
});
