import assert from 'node:assert/strict';
import type {
  ChildProcess,
  ChildProcessByStdio,
  ChildProcessWithoutNullStreams,
  fork,
  spawn,
  SpawnOptions,
} from 'node:child_process';
import { ChildProcess as ChildProcessClass } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describe, test } from 'node:test';
import {
  adoptSurvivors,
  forkOwned,
  forwardSignals,
  killOwned,
  owned,
  ownProcessGroups,
  shutdownOwned,
  spawnDetached,
  spawnOwned,
  type Survivor,
} from '../../runtime/index.ts';
import { MARK_VARIABLE, parseMarks } from '../../runtime/process/mark.ts';
import { familyOf, kill } from '../helpers/processes.ts';

const VALUE = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };
const TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
const WHY = 'it serves the next run too';

async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
}

describe('spawnOwned', () => {
  test('takes the arguments of spawn and returns a real ChildProcess', async () => {
    assert(spawnOwned('true') instanceof ChildProcessClass);
    assert.equal(await outputOf(spawnOwned('echo', ['a', 'b'])), 'a b\n');
    assert.equal(await outputOf(spawnOwned('echo $0', { shell: true, argv0: 'renamed' })), 'renamed\n');
    assert.equal(await outputOf(spawnOwned('pwd', [], { cwd: '/' })), '/\n');
    assert.equal(
      await outputOf(spawnOwned('sh', ['-c', 'echo $A$B'], { env: { A: '1', PATH: process.env.PATH } })),
      '1\n',
    );
    const inherited = Object.create({ A: '2', PATH: process.env.PATH }) as NodeJS.ProcessEnv;
    assert.equal(await outputOf(spawnOwned('sh', ['-c', 'echo $A'], { env: inherited })), '2\n');
    assert.equal(
      await outputOf(spawnOwned('echo', undefined as never, { stdio: ['ignore', 'pipe', 'inherit'] })),
      '\n',
    );
    const [code] = (await once(spawnOwned('sh', ['-c', 'exit 7']), 'exit')) as [number];
    assert.equal(code, 7);
  });

  test('fails as spawn does', async () => {
    const child = spawnOwned('/no/such/command', ['x']);
    assert.equal(child.pid, undefined);
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    assert.deepEqual([error.code, error.syscall], ['ENOENT', 'spawn /no/such/command']);
    for (const wrong of [5, null, {}, ''] as never[])
      assert.throws(() => spawnOwned(wrong), { name: 'TypeError' });
    assert.throws(() => spawnOwned('true', 5 as never), TYPE);
    for (const wrong of [5, null, 'x', true] as never[])
      assert.throws(() => spawnOwned('true', [], wrong), TYPE);
    assert.throws(() => spawnOwned('true', [], { cwd: 5 as never }), TYPE);
    assert(!owned().some(({ pgid }) => !pgid));
  });

  test('names the option of its own that is wrong', () => {
    for (const graceMs of ['x', null, {}, 3n] as never[]) {
      assert.throws(() => spawnOwned('true', { graceMs }), { ...TYPE, message: /graceMs/ });
    }
    for (const graceMs of [-1, NaN, Infinity, 3_600_001]) {
      assert.throws(() => spawnOwned('true', { graceMs }), { ...VALUE, message: /graceMs/ });
    }
    assert.throws(() => spawnOwned('true', { label: 3 as never }), { ...TYPE, message: /label/ });
    assert.throws(() => forkOwned('x.mjs', { label: 3 as never }), { ...TYPE, message: /label/ });
  });

  test('lists what it owns until that is gone', async () => {
    const child = spawnOwned('sleep', ['300'], { label: 'a sleeper', graceMs: 100 });
    const entry = owned().find(({ pgid }) => pgid === child.pid);
    assert.deepEqual([entry?.label, entry?.graceMs], ['a sleeper', 100]);
    assert.match(entry?.start ?? '', /^\d+$/);
    await killOwned(child);
    assert(!owned().some(({ pgid }) => pgid === child.pid));
  });

  test('marks the environment of the child and of nobody else', async () => {
    const text = await outputOf(
      spawnOwned('sh', ['-c', `echo "$${MARK_VARIABLE}"`], {
        env: { ...process.env, [MARK_VARIABLE]: '7.0123456789ab.1:;' },
      }),
    );
    const [outer, own, ...rest] = parseMarks(text);
    assert.deepEqual([outer?.ownerPid, own?.ownerPid, own?.why, rest], [7, process.pid, undefined, []]);
    assert.equal(process.env[MARK_VARIABLE], undefined);
  });

  test('ignores detached, with one warning', async () => {
    const warnings: string[] = [];
    const listen = ({ code = '' }: NodeJS.ErrnoException): number => warnings.push(code);
    process.on('warning', listen);
    const existing: SpawnOptions = { detached: false, stdio: 'ignore' };
    for (let turn = 0; turn < 3; turn++) {
      const child = spawnOwned('sleep', ['300'], existing);
      assert(owned().some(({ pgid }) => pgid === child.pid));
      await killOwned(child);
    }
    process.off('warning', listen);
    assert.deepEqual(warnings, ['OWNED_SPAWN_DETACHED']);
  });
});

test('forkOwned has the channel of fork', async (t) => {
  const { folder } = familyOf(t);
  const file = join(folder, 'echo.mjs');
  writeFileSync(file, `process.on('message', (message) => process.send([message, process.argv[2]]));`);
  const child = forkOwned(file, ['argument'], { execArgv: [] });
  child.send('hello');
  assert.deepEqual(await once(child, 'message').then(([message]: unknown[]) => message), [
    'hello',
    'argument',
  ]);
  assert(owned().some(({ pgid }) => pgid === child.pid));
  await killOwned(child);
});

describe('spawnDetached', () => {
  test('refuses a reason that is none', () => {
    const start = (why: unknown): ChildProcess => spawnDetached('true', [], { why } as never);
    for (const why of [undefined, null, 5, {}]) assert.throws(() => start(why), { ...TYPE, message: /why/ });
    for (const why of [
      '',
      'ok',
      'two words',
      '-- — !! ??',
      'TODO say why it lives',
      '<why it must outlive its owner>',
    ]) {
      assert.throws(() => start(why), { ...VALUE, message: /why/ }, why);
    }
    assert.throws(() => spawnDetached('true', undefined as never, undefined as never), TYPE);
  });

  test('takes a reason in any language, and does not own the child', async () => {
    for (const why of [WHY, '次の実行でも使われるため', 'Он нужен следующему запуску']) {
      const child = spawnDetached('sleep', ['300'], { why, stdio: 'ignore' });
      assert(!owned().some(({ pgid }) => pgid === child.pid));
      kill(child.pid ?? 0, 'SIGKILL');
      await once(child, 'exit');
    }
  });
});

/** Takes a value of exactly that type, and its assertion of being one. */
const typed =
  <Expected>() =>
  <Actual>(
    value: Actual,
    isExact: [Actual, Expected] extends [Expected, Actual] ? true : false,
  ): unknown[] => [value, isExact];

/** Never called: the compiler is the test. */
export function types(options: SpawnOptions, args: readonly string[]): void {
  typed<ChildProcessWithoutNullStreams>()(spawnOwned('x'), true);
  typed<ChildProcessWithoutNullStreams>()(spawnOwned('x', args, { graceMs: 1, label: 'x', cwd: '/' }), true);
  typed<ChildProcessWithoutNullStreams>()(spawnOwned('x', args, { stdio: 'pipe' }), true);
  typed<ChildProcessByStdio<null, Readable, null>>()(
    spawnOwned('x', args, { stdio: ['ignore', 'pipe', 'inherit'], graceMs: 1 }),
    true,
  );
  typed<ChildProcessByStdio<Writable, null, Readable>>()(
    spawnOwned('x', { stdio: ['pipe', 'ignore', 'pipe'] }),
    true,
  );
  typed<ChildProcess>()(spawnOwned('x', args, { stdio: 'inherit' }), true);
  typed<ChildProcess>()(spawnOwned('x', args, options), true);
  typed<ChildProcessByStdio<null, Readable, null>>()(
    spawnDetached('x', args, { why: WHY, stdio: ['ignore', 'pipe', 'ignore'] }),
    true,
  );
  typed<ChildProcess>()(forkOwned(new URL('file:///x'), args, { silent: true, graceMs: 1 }), true);
  // Where a spawn is wanted, for tests or by injection.
  const asSpawn: typeof spawn = spawnOwned;
  const asFork: typeof fork = forkOwned;
  typed<ChildProcessWithoutNullStreams>()(asSpawn('x'), true);
  typed<ChildProcess>()(asFork('x'), true);
  // @ts-expect-error: why is required
  spawnDetached('x', args, { stdio: 'ignore' });
  // @ts-expect-error: and without options too
  spawnDetached('x', args);
  // @ts-expect-error: no such option
  spawnOwned('x', args, { graceMS: 1 });
  // @ts-expect-error: a number
  spawnOwned('x', args, { graceMs: '1' });
  // Our options leave the streams that stdio gives as they are.
  const { signal } = new AbortController();
  const all = {
    strict: true,
    escapees: 'kill',
    session: true,
    outlives: false,
    label: 'x',
    graceMs: 1,
  } as const;
  typed<ChildProcessWithoutNullStreams>()(spawnOwned('x', args, { ...all, signal, timeout: 5 }), true);
  typed<ChildProcessByStdio<null, Readable, null>>()(
    spawnOwned('x', args, { ...all, stdio: ['ignore', 'pipe', 'ignore'] }),
    true,
  );
  typed<ChildProcess>()(forkOwned('x', args, { ...all, signal }), true);
  // A role that is known at run time only.
  spawnOwned('x', args, { outlives: args.length > 0 ? WHY : false, escapees: undefined, group: false });
  // @ts-expect-error: one of three words
  spawnOwned('x', args, { escapees: 'slay' });
  // @ts-expect-error: a reason, or false
  spawnOwned('x', args, { outlives: true });
  // @ts-expect-error: a boolean
  spawnOwned('x', args, { group: 'no' });
  // @ts-expect-error: a boolean
  forkOwned('x', args, { session: 1 });
  // @ts-expect-error: only where a child is owned
  spawnDetached('x', args, { why: WHY, escapees: 'kill' });
  // @ts-expect-error: an owned child has no reason to outlive
  spawnOwned('x', args, { why: WHY });
  typed<Promise<void>>()(killOwned(spawnOwned('x'), { graceMs: 1 }), true);
  typed<Promise<void>>()(shutdownOwned({ graceMs: 1 }), true);
  typed<Promise<Survivor[]>>()(adoptSurvivors(), true);
  typed<() => void>()(forwardSignals(['SIGINT', 'SIGTSTP']), true);
  ownProcessGroups(new Set([5, spawnOwned('x')]), { session: true, label: 'x', graceMs: 1 });
  // @ts-expect-error: KILL cannot be caught, and so not passed on
  forwardSignals(['SIGKILL']);
  // @ts-expect-error: a group, not its name
  ownProcessGroups('5');
}
