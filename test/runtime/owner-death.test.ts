import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { MARK_VARIABLE, parseMarks } from '../../runtime/process/mark.ts';
import { builtRuntime, familyOf, isAlive, until, type Owner } from '../helpers/processes.ts';

/** What an owner starts, and how many processes that makes at least, itself included. */
const CHILDREN: Record<string, [code: string, processes: number]> = {
  'a plain child': [`spawnOwned('sleep', ['300'], { stdio: 'ignore' })`, 2],
  'a child that ignores TERM': [
    `spawnOwned('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], { stdio: 'ignore', graceMs: 300 })`,
    3,
  ],
  'a child with grandchildren': [
    `spawnOwned('sh', ['-c', 'sleep 300 & sleep 301 & wait'], { stdio: 'ignore' })`,
    4,
  ],
  'a grandchild whose parent has ended': [
    `spawnOwned('sh', ['-c', 'sleep 300 & exit 0'], { stdio: 'ignore' })`,
    2,
  ],
  'a shell command line': [`spawnOwned('sleep 300 && echo done', { shell: true, stdio: 'ignore' })`, 3],
  'an unreferenced child': [`spawnOwned('sleep', ['300'], { stdio: 'ignore' }).unref()`, 2],
  'a stopped child': [`spawnOwned('sleep', ['300'], { stdio: 'ignore' }).kill('SIGSTOP')`, 2],
  'a forked child': [`forkOwned(process.env.IDLE)`, 2],
  'a child of an owned owner': [`forkOwned(process.env.NESTED)`, 3],
  'an adopted child': [
    `const { spawn } = await import('node:child_process');
    ownProcessGroups(spawn('sleep', ['300'], { detached: true, stdio: 'ignore' }))`,
    2,
  ],
};

/** How an owner ends by itself. */
const ENDS: Record<string, string> = {
  'process.exit()': `process.exit(3)`,
  'an uncaught error': `throw new Error('on purpose')`,
  'a rejection that nobody handles': `Promise.reject(new Error('on purpose'))`,
  SIGTERM: `process.kill(process.pid, 'SIGTERM')`,
  SIGINT: `process.kill(process.pid, 'SIGINT')`,
  SIGHUP: `process.kill(process.pid, 'SIGHUP')`,
  'SIGKILL right after the spawn': `process.kill(process.pid, 'SIGKILL')`,
  'its natural end': `child.unref()`,
};

/** The groups that the owner has registered. */
async function groupsOf(owner: Owner): Promise<number[]> {
  const [, text] = await owner.line(/^OWNED (.*)$/);
  return JSON.parse(text ?? '') as number[];
}

const REPORT = `console.log('OWNED ' + JSON.stringify(owned().map(({ pgid }) => pgid)))`;

function modulesIn(folder: string): NodeJS.ProcessEnv {
  const [idle, nested] = [join(folder, 'idle.mjs'), join(folder, 'nested.mjs')];
  writeFileSync(idle, 'setInterval(() => {}, 1000)');
  writeFileSync(
    nested,
    `import { spawnOwned } from '${builtRuntime()}';
    spawnOwned('sleep', ['300'], { stdio: 'ignore' });
    setInterval(() => {}, 1000);`,
  );
  return { IDLE: idle, NESTED: nested };
}

describe('when its owner is killed', () => {
  for (const [name, [code, processes]] of Object.entries(CHILDREN)) {
    test(`${name} ends`, async (t) => {
      const family = familyOf(t);
      const control = familyOf(t);
      const program = `${code};\n${REPORT}; setInterval(() => {}, 1000)`;
      const [owner, bystander] = [family, control].map((each) =>
        each.owner(program, { env: modulesIn(each.folder) }),
      ) as [Owner, Owner];
      assert.equal((await groupsOf(owner)).length, 1);
      await groupsOf(bystander);
      await until('all have started', () =>
        [family, control].every((each) => each.members().length >= processes),
      );
      const before = control.members();
      owner.child.kill('SIGKILL');
      await until('nobody is left', () => family.members().length === 0);
      assert(before.every(({ pid }) => isAlive(pid)));
    });
  }
});

describe('an owned child ends with', () => {
  for (const [name, code] of Object.entries(ENDS)) {
    test(name, async (t) => {
      const family = familyOf(t);
      const control = familyOf(t);
      const start = `const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
        const free = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
        releaseProcessGroups(free);
        free.unref();
        console.log('PIDS ' + child.pid + ' ' + free.pid);`;
      const bystander = control.owner(`${start} setInterval(() => {}, 1000)`);
      const [, kept] = await bystander.line(/PIDS (\d+)/);
      const owner = family.owner(`${start} ${code}`, { quiet: true });
      await owner.exited;
      const [, child, free] = await owner.line(/PIDS (\d+) (\d+)/);
      await until('the child ends', () => !isAlive(Number(child)));
      assert(isAlive(Number(free)), 'a released child outlives its owner');
      assert(isAlive(Number(kept)), 'the child of the control lives');
    });
  }
});

test('a kill in the middle of a spawn leaves nobody', async (t) => {
  const family = familyOf(t);
  const control = familyOf(t).owner(
    `spawnOwned('sleep', ['300'], { stdio: 'ignore' }); ${REPORT}; setInterval(() => {}, 1000)`,
  );
  const [kept = 0] = await groupsOf(control);
  for (let run = 0; run < 10; run++) {
    const owner = family.owner(`
      const loop = () => { spawnOwned('sleep', ['300'], { stdio: 'ignore' }); setImmediate(loop); };
      loop(); console.log('READY');`);
    await owner.line(/READY/);
    // A moment that neither side chooses.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    owner.child.kill('SIGKILL');
    await owner.exited;
    await until(`run ${run} leaves nobody`, () => family.members().length === 0);
  }
  assert(isAlive(kept));
});

test('the kill of the whole group of the owner leaves nobody', async (t) => {
  const family = familyOf(t);
  // detached-spawn: ok — the owner leads a group that the test kills
  const owner = family.start('setsid', [
    '-w',
    process.execPath,
    '-e',
    `
    import('${builtRuntime()}').then(({ spawnOwned }) => {
      const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      console.log('READY ' + process.pid);
      setInterval(() => {}, 1000);
    })`,
  ]);
  const [, pid] = await owner.line(/READY (\d+)/);
  process.kill(-Number(pid), 'SIGKILL');
  await until('nobody is left', () => family.members().length === 0);
});

test("the reader of the owner's output sees its end at once, and the owner leaves no mark in its own environment", async (t) => {
  const family = familyOf(t);
  const owner = family.owner(`
    const stdio = ['ignore', 'pipe', 'ignore'];
    const stubborn = 'trap "" TERM; echo up; while :; do sleep 1; done';
    spawnOwned('sh', ['-c', stubborn], { stdio, graceMs: 600_000 }).stdout.once('data', () => {
      console.log('MARK ' + process.env.OWNED_SPAWN_MARK);
      process.exit();
    });`);
  await owner.line(/MARK undefined/);
  // The child still has ten minutes of grace.
  await owner.closed;
  assert(family.members().length > 0);
});

test('a child that outlives its owner on purpose carries the reason', async (t) => {
  const family = familyOf(t);
  const owner = family.owner(`
    const child = spawnDetached('sleep', ['300'], { why: 'it serves the next run too', stdio: 'ignore' });
    child.unref();
    const owns = spawnOwned('sleep', ['301'], { stdio: 'ignore' });
    console.log('PIDS ' + child.pid + ' ' + owns.pid);
    setInterval(() => {}, 1000)`);
  const [, detached, owned] = await owner.line(/PIDS (\d+) (\d+)/);
  owner.child.kill('SIGKILL');
  await until('the owned one ends', () => !isAlive(Number(owned)));
  assert(isAlive(Number(detached)));
  const environment = readFileSync(`/proc/${detached}/environ`, 'utf8').split('\0');
  const mark = environment.find((entry) => entry.startsWith(`${MARK_VARIABLE}=`));
  assert.deepEqual(
    parseMarks(mark).map(({ ownerPid, why }) => [ownerPid, why]),
    [[owner.pid, 'it serves the next run too']],
  );
});
