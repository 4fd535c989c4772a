import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { everyCadence, sameProcess, startTimeOf } from '../../runtime/off-loop/cadence.ts';
import { run, folderOf, use } from './program.ts';

const until = async (ask: () => boolean): Promise<void> => {
  while (!ask()) await sleep(2);
};

describe('everyCadence', () => {
  it('runs at once and again, never twice at a time', async () => {
    let [inside, most, runs] = [0, 0, 0];
    const cadence = everyCadence(
      async () => {
        most = Math.max(most, ++inside);
        runs++;
        await sleep(10);
        inside--;
      },
      { everyMs: 1 },
    );
    assert.equal(runs, 1);
    await until(() => runs >= 4);
    await cadence.stop();
    assert.equal(inside, 0);
    assert.equal(most, 1);
    const after = runs;
    await sleep(20);
    assert.equal(runs, after);
  });

  it('rests while nobody looks, and runs once when somebody does', async () => {
    let [isShown, asked, runs] = [false, 0, 0];
    let changed = (): void => undefined;
    const cadence = everyCadence(() => ++runs, {
      everyMs: 60_000,
      visible: () => {
        asked++;
        return isShown;
      },
      onVisibilityChange: (callback) => {
        changed = callback;
        return () => {
          changed = () => {
            throw new Error('told after the end');
          };
        };
      },
    });
    assert.deepEqual([runs, asked], [0, 1]);
    isShown = true;
    changed();
    changed();
    assert.equal(runs, 1);
    isShown = false;
    changed();
    isShown = true;
    changed();
    assert.equal(runs, 1, 'no run is due yet');
    await cadence.stop();
    assert.throws(() => {
      changed();
    }, /told after the end/);
  });

  it('finds by itself that somebody looks again', async () => {
    let [isShown, runs] = [false, 0];
    const cadence = everyCadence(() => ++runs, { everyMs: 5, visible: () => isShown });
    await sleep(20);
    assert.equal(runs, 0);
    isShown = true;
    await until(() => runs > 1);
    await cadence.stop();
  });

  it('looks when it is told to', async () => {
    let [isShown, runs] = [false, 0];
    const cadence = everyCadence(() => ++runs, { everyMs: 60_000, visible: () => isShown });
    isShown = true;
    cadence.check();
    assert.equal(runs, 1);
    await cadence.stop();
  });

  it('goes on after a failure, of the work or of visible', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const cadence = everyCadence(
      () => {
        if (++runs < 3) throw new Error(`run ${runs}`);
      },
      {
        everyMs: 1,
        onError: (error) => errors.push((error as Error).message),
        visible: () => {
          if (errors.length === 1) {
            errors.push('asked');
            throw new Error('visible');
          }
          return true;
        },
      },
    );
    await until(() => runs >= 3);
    await cadence.stop();
    assert.deepEqual(errors, ['run 1', 'asked', 'visible', 'run 2']);
  });

  it('ends with its signal, hands it to the work, and does not begin under an aborted one', async () => {
    const controller = new AbortController();
    let [runs, wasAborted] = [0, false];
    everyCadence(
      async (signal) => {
        runs++;
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        wasAborted = true;
      },
      { everyMs: 1, signal: controller.signal },
    );
    controller.abort();
    await until(() => wasAborted);
    everyCadence(() => runs++, { everyMs: 1, signal: controller.signal });
    await sleep(10);
    assert.equal(runs, 1);
  });

  it('rests while the page is hidden, whatever visible says', async (t) => {
    const listeners = new Set<() => void>();
    const page = {
      visibilityState: 'hidden',
      addEventListener: (_: string, each: () => void) => listeners.add(each),
      removeEventListener: (_: string, each: () => void) => listeners.delete(each),
    };
    Object.assign(globalThis, { document: page });
    t.after(() => {
      Reflect.deleteProperty(globalThis, 'document');
    });
    let runs = 0;
    const cadence = everyCadence(() => ++runs, { everyMs: 60_000, visible: () => true });
    assert.equal(runs, 0);
    page.visibilityState = 'visible';
    for (const listener of listeners) listener();
    assert.equal(runs, 1);
    await cadence.stop();
    assert.equal(listeners.size, 0);
  });

  it('lets a process end where it is told so', async (t) => {
    const program = run(
      t,
      folderOf(t),
      `${use('off-loop/cadence.ts', 'everyCadence')}everyCadence(() => {}, { everyMs: 100_000, keepsAlive: false });`,
    );
    assert.deepEqual(await program.ended, { code: 0, signal: null });
  });

  it('waits for longer than a timer can', async (t) => {
    const timers = t.mock.method(globalThis, 'setTimeout');
    for (const everyMs of [2 ** 31, Infinity]) {
      const cadence = everyCadence(() => undefined, { everyMs });
      await turn();
      await cadence.stop();
    }
    const asked = timers.mock.calls.map((call) => Number(call.arguments[1]));
    assert.ok(asked.length > 0 && Math.max(...asked) < 2 ** 31, String(asked));
  });

  it('refuses an interval that would be a busy loop', () => {
    for (const everyMs of [0, -1, NaN])
      assert.throws(() => everyCadence(() => undefined, { everyMs }), RangeError);
  });
});

describe('sameProcess', { skip: process.platform === 'win32' }, () => {
  it('knows itself, and neither the dead nor a stranger with the same pid', async () => {
    const own = await startTimeOf(process.pid);
    assert.ok(own);
    assert.equal(await sameProcess(process.pid, own), true);
    assert.equal(await sameProcess(process.pid, `${own}0`), false);
    assert.equal(await sameProcess(process.pid, undefined), false);
    const child = spawn(process.execPath, ['-e', '']);
    const start = await startTimeOf(child.pid ?? 0);
    await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(await sameProcess(child.pid ?? 0, start), false);
    for (const pid of [0, -1, NaN, 1.5]) assert.equal(await startTimeOf(pid), undefined);
  });
});
