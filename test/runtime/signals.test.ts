import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readStat } from '../../runtime/process/identity.ts';
import { familyOf, isAlive, until } from '../helpers/processes.ts';

const STAY = 'setInterval(() => {}, 1000);';
const HEARS = `sh', ['-c', 'trap "echo HEARD" INT HUP USR1; trap "echo TERM; exit" TERM; echo UP $$; while :; do sleep 0.1; done'], { stdio: ['ignore', 'inherit', 'ignore']`;

describe('forwardSignals', () => {
  test('passes on what is asked for, and takes its handlers away', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`
      spawnOwned('${HEARS} });
      const stop = forwardSignals(['SIGINT', 'SIGUSR1', 'SIGINT']);
      console.log('LISTENERS ' + process.listenerCount('SIGINT') + process.listenerCount('SIGHUP') + process.listenerCount('SIGTERM'));
      process.once('SIGUSR2', () => { stop(); console.log('AFTER ' + process.listenerCount('SIGINT') + process.listenerCount('SIGUSR1')); });
      ${STAY}`);
    await owner.line(/LISTENERS 100/);
    await owner.line(/UP/);
    const heard = (): number => owner.lines.filter((line) => line === 'HEARD').length;
    for (const [count, signal] of [
      [1, 'SIGINT'],
      [2, 'SIGUSR1'],
      [3, 'SIGINT'],
    ] as const) {
      owner.child.kill(signal);
      await until(`it has heard ${count}`, () => heard() === count);
    }
    assert(isAlive(owner.pid), 'the owner lives on');
    owner.child.kill('SIGUSR2');
    await owner.line(/AFTER 00/);
    owner.child.kill('SIGINT');
    assert.equal((await owner.exited).signal, 'SIGINT');
    await owner.line(/TERM/);
    assert.equal(heard(), 3);
  });

  test('stops and continues the children with their owner', async (t) => {
    const family = familyOf(t);
    // Not a shell: one that is stopped in the middle of vfork(2) is in state D.
    const owner = family.owner(`
      const { pid } = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      forwardSignals(['SIGTSTP', 'SIGCONT']);
      console.log('READY ' + pid); ${STAY}`);
    const [, child] = await owner.line(/READY (\d+)/);
    const states = (): string => [owner.pid, Number(child)].map((pid) => readStat(pid)?.state).join('');
    owner.child.kill('SIGTSTP');
    await until('both are stopped', () => states() === 'TT');
    owner.child.kill('SIGCONT');
    await until('both go on', () => !states().includes('T'));
  });

  test('no handler is installed unasked', async (t) => {
    const owner = familyOf(t).owner(`
      const names = () => process.eventNames().filter((name) => String(name).startsWith('SIG')).join();
      warm();
      spawnOwned('true');
      console.log('NAMES [' + names() + ']');`);
    await owner.line(/NAMES \[\]/);
  });
});

describe('shutdownOwned', () => {
  test('ends all at once, and leaves what is not owned', async (t) => {
    const family = familyOf(t);
    const owner = family.owner(`
      spawnOwned('${HEARS} });
      const stubborn = ['-c', 'trap "" TERM; echo UP; while :; do sleep 0.1; done'];
      for (let i = 0; i < 3; i++) spawnOwned('sh', stubborn, { stdio: ['ignore', 'inherit', 'ignore'], graceMs: 600_000 });
      spawnOwned('sleep', ['300'], { stdio: 'ignore', group: false });
      spawnDetached('sleep', ['300'], { stdio: 'ignore', why: 'it serves the next run too' });
      process.once('SIGUSR2', async () => { await shutdownOwned({ graceMs: 300 }); console.log('DONE ' + owned().length); });
      console.log('READY'); ${STAY}`);
    await owner.line(/READY/);
    await until('all are up', () => owner.lines.filter((line) => line.startsWith('UP')).length === 4);
    owner.child.kill('SIGUSR2');
    await owner.line(/DONE 0/);
    await owner.line(/TERM/);
    await until('the owner and the detached one are left', () => family.members().length === 2);
  });

  test('does nothing where nothing is owned, and refuses a wrong grace', async (t) => {
    const owner = familyOf(t).owner(`
      await shutdownOwned();
      await shutdownOwned({ graceMs: -1 }).catch(({ code }) => console.log(code));`);
    await owner.line(/ERR_INVALID_ARG_VALUE/);
    assert.equal((await owner.exited).code, 0);
  });
});
