// A stranger gets the number of an owned group while its owner does not look (forced by ns_last_pid, in a pid namespace):
// does it outlive the kill of the owner, and the sweep of the next start? `--runs=10`. Needs root.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtRuntime } from '../../test/helpers/processes.ts';
import { numberFlag, report, withFamily, type Row } from '../measure.ts';

const NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const runs = numberFlag('runs', 10);

/** Its child ends while it is stopped, so that nobody tells the supervisor; the stop is ended by its own death only. */
const OWNER = `
import { spawnOwned, supervisorStatus } from '${builtRuntime()}';
const child = spawnOwned('sleep', ['300'], { stdio: 'ignore' });
setTimeout(() => console.log('CHILD ' + child.pid + ' ' + supervisorStatus().pid), 200);
setInterval(() => {}, 1000);
`;
const NEXT = `
import { sweepOrphans } from '${builtRuntime()}';
console.log('SWEPT ' + (await sweepOrphans()).ended.length);
`;
/** PID 1 of the namespace is a shell, which reaps. */
const judge = (owner: string, next: string, killsBoth: boolean): string => `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync, readFileSync } from 'node:fs';
const line = (child) => new Promise((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
const alive = (pid) => { try { return !/\\) [ZX]/.test(readFileSync('/proc/' + pid + '/stat', 'utf8')); } catch { return false; } };
const owner = spawn('sh', ['-c', process.execPath + ' ${owner} & echo $!; exit'], { stdio: ['ignore', 'pipe', 'inherit'] });
let text = '';
owner.stdout.on('data', (data) => { text += data; });
while (!/CHILD \\d+ \\d+/.test(text)) await new Promise((resolve) => setTimeout(resolve, 10));
const [, pid, supervisor] = /CHILD (\\d+) (\\d+)/.exec(text).map(Number);
const ownerPid = Number.parseInt(text, 10);
process.kill(ownerPid, 'SIGSTOP');
if (${killsBoth}) process.kill(supervisor, 'SIGSTOP');
process.kill(pid, 'SIGKILL');
// The child is a zombie of the stopped owner, which pins its number: only the owner's end frees it.
if (${killsBoth}) {
  process.kill(ownerPid, 'SIGKILL');
  process.kill(supervisor, 'SIGKILL');
} else {
  process.kill(supervisor, 'SIGSTOP');
  process.kill(ownerPid, 'SIGKILL');
}
const end = Date.now() + 5000;
while (Date.now() < end && (() => { try { readFileSync('/proc/' + pid + '/stat'); return true; } catch { return false; } })()) await new Promise((resolve) => setTimeout(resolve, 10));
let stranger;
for (let turn = 0; turn < 400 && stranger?.pid !== pid; turn++) {
  writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
  stranger = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
}
if (${killsBoth}) {
  const next = spawn(process.execPath, ['${next}'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(next, 'exit');
} else {
  process.kill(supervisor, 'SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, 1500));
}
console.log(stranger.pid !== pid ? 'NO REUSE' : alive(pid) ? 'LIVES' : 'KILLED');
process.exit();
`;

async function once(killsBoth: boolean): Promise<string> {
  return withFamily(async (family) => {
    const file = (name: string): string => join(family.folder, name);
    writeFileSync(file('owner.mjs'), OWNER);
    writeFileSync(file('next.mjs'), NEXT);
    // detached-spawn: ok — what it starts ends with the pid namespace
    writeFileSync(file('judge.mjs'), judge(file('owner.mjs'), file('next.mjs'), killsBoth));
    const run = family.start(
      'unshare',
      [...NAMESPACE, 'sh', '-c', `${process.execPath} ${file('judge.mjs')}; true`],
      { env: { OWNED_SPAWN_APP: 'bench' } },
    );
    return (await run.line(/^(LIVES|KILLED|NO REUSE)/))[0];
  });
}

if (process.getuid?.() !== 0 || spawnSync('unshare', [...NAMESPACE, 'true']).status !== 0) {
  console.log('Not run: needs root and unshare(1).');
} else {
  const rows: Row[] = [];
  for (const [what, killsBoth] of [
    ['the supervisor', false],
    ['the next start', true],
  ] as const) {
    const results: string[] = [];
    for (let run = 0; run < runs; run++) results.push(await once(killsBoth));
    const count = (result: string): number => results.filter((each) => each === result).length;
    rows.push({
      'who looks': what,
      runs,
      'number reused': runs - count('NO REUSE'),
      'stranger lives': count('LIVES'),
      'stranger killed': count('KILLED'),
    });
  }
  report('A stranger with the number of an owned group', rows);
}
