// The supervisor: killed again and again, at rest, told nonsense, and stopped while its owner goes on.
// `--kills=20` `--idle=20` (seconds).
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, until } from '../../test/helpers/processes.ts';
import { numberFlag, report, round, runAheadOfOthers, withFamily, type Row } from '../measure.ts';

runAheadOfOthers();

const [kills, idleSeconds] = [numberFlag('kills', 20), numberFlag('idle', 20)];
const CHILDREN = 10;

/** Of its own: pages that nobody shares (proc_pid_smaps(5)); ticks of a hundredth of a second and switches of the scheduler. */
function usage(pid: number): { privateKb: number; ticks: number; switches: number } {
  const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const sum = (text: string, pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  const fields = read('stat').split(') ')[1]?.split(' ') ?? [];
  return {
    privateKb: sum(read('smaps_rollup'), /^Private_\w+:\s+(\d+) kB/gm),
    ticks: Number(fields[11]) + Number(fields[12]),
    switches: sum(read('status'), /ctxt_switches:\s+(\d+)/g),
  };
}

/** Each new supervisor must know all children: in the end the owner is killed. */
async function killed(): Promise<Row> {
  return withFamily(async (family) => {
    const owner = family.owner(
      `const pids = Array.from({ length: ${CHILDREN} }, () => spawnOwned('sleep', ['300'], { stdio: 'ignore' }).pid);
      console.log('PIDS ' + pids.join(' '));
      let seen = 0;
      setInterval(() => {
        const { starts, pid, state } = supervisorStatus();
        if (starts !== seen && state === 'running') console.log('START ' + (seen = starts) + ' ' + pid);
      }, 1);`,
    );
    const pids = ((await owner.line(/PIDS (.*)/))[1] ?? '').split(' ').map(Number);
    let last = 0;
    for (let start = 1; start <= kills + 1; start++) {
      last = Number((await owner.line(new RegExp(`START ${start} (\\d+)`)))[1]);
      if (start <= kills) process.kill(last, 'SIGKILL');
    }
    const lived = pids.filter(isAlive).length;
    owner.child.kill('SIGKILL');
    const isEmpty = (): boolean => !pids.some(isAlive);
    await until('nobody is left', isEmpty, 10_000).catch(() => undefined);
    await until('the supervisor ends', () => !isAlive(last));
    return { kills, 'children before': lived, 'children left after the owner': pids.filter(isAlive).length };
  });
}

async function idle(): Promise<Row> {
  return withFamily(async (family) => {
    const owner = family.owner(
      `for (let i = 0; i < ${CHILDREN}; i++) spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      console.log('PID ' + supervisorStatus().pid);
      setInterval(() => {}, 60_000);`,
    );
    const pid = Number((await owner.line(/PID (\d+)/))[1]);
    await sleep(1000);
    const before = usage(pid);
    await sleep(idleSeconds * 1000);
    const after = usage(pid);
    return {
      seconds: idleSeconds,
      'CPU ticks': after.ticks - before.ticks,
      'context switches': after.switches - before.switches,
      'private kB': after.privateKb,
    };
  });
}

/** Lines that would hit others, written to the supervisor behind the owner's back. */
const HOSTILE = `[0, 1, -1, '-0', '01', '007', 4294967297, 2147483648, 99999999, '$(id)', '\`id\`', '*', '/etc/*', '', ' ', 'x', '1 1', '1;2', '\\\\', '"', "'", '0x10', '1e3', '+5', '\${PATH}']`;

async function hostile(): Promise<Row> {
  return withFamily(async (family) => {
    const bystander = family.start('sleep', ['300'], { leadsGroup: true });
    const owner = family.owner(
      `const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
      const { stdin } = globalThis[Symbol.for('owned-spawn/1')].supervisor.child;
      const hostile = ${HOSTILE};
      for (const id of hostile) stdin.write('+ ' + id + ' 0 30\\n');
      for (const id of [process.pid, supervisorStatus().pid]) stdin.write('+ ' + id + ' 0 30\\n');
      stdin.write('+ ${bystander.pid}');
      console.log('SENT ' + hostile.length + ' ' + child.pid);
      setInterval(() => {}, 60_000);`,
      { leadsGroup: true },
    );
    const [count, child] = (await owner.line(/SENT (\d+) (\d+)/)).slice(1).map(Number);
    // In the owner's group: must live on.
    owner.child.kill('SIGKILL');
    await until('the child ends', () => !isAlive(child ?? 0));
    await sleep(500);
    return {
      'hostile lines': (count ?? 0) + 3,
      'bystanders hit': isAlive(bystander.pid) ? 0 : 1,
      'own child ended': isAlive(child ?? 0) ? 'no' : 'yes',
    };
  });
}

/** The longest turn of a loop that starts a child and takes and releases one every few milliseconds, in three ways. */
async function stopped(way: 'spawn' | 'spawnOwned' | 'spawnOwned, supervisor stopped'): Promise<Row> {
  return withFamily(async (family) => {
    const owner = family.owner(
      `const { spawn } = await import('node:child_process');
      const start = ${way === 'spawn' ? `() => spawn('true', { stdio: 'ignore' })` : `() => spawnOwned('true', { stdio: 'ignore' })`};
      const held = ${way === 'spawn' ? 'undefined' : `spawn('sleep', ['300'], { stdio: 'ignore', detached: true })`};
      warm();
      await new Promise((resolve) => setTimeout(resolve, 300));
      if (${way.includes('stopped')}) process.kill(supervisorStatus().pid, 'SIGSTOP');
      let [longest, calls, last, turns] = [0, 0, performance.now(), 0];
      const tick = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        if (++turns > 30_000) {
          console.log('LONGEST ' + longest.toFixed(2) + ' ' + calls + ' ' + supervisorStatus().queuedBytes);
          return;
        }
        if (turns % 300 === 0) start();
        if (held && turns % 10 === 0) { ownProcessGroups(held); calls++; if (turns % 100 === 0) releaseProcessGroups(held); }
        last = now;
        setImmediate(tick);
      };
      tick();
      setInterval(() => {}, 60_000);`,
    );
    const [longest = 0, , queued = 0] = (await owner.line(/LONGEST (\S+) (\d+) (\d+)/)).slice(1).map(Number);
    return { way, 'longest turn, ms': round(longest), 'bytes queued': queued };
  });
}

report(`The supervisor killed ${kills} times`, [await killed()]);
report('At rest', [await idle()]);
report('Hostile lines', [await hostile()]);
report('The owner’s loop, 100 children started in it', [
  await stopped('spawn'),
  await stopped('spawnOwned'),
  await stopped('spawnOwned, supervisor stopped'),
]);
