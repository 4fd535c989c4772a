// What spawnOwned() costs beside spawn(), in one interleaved run. `--rounds=300`.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { spawnOwned, warm } from '../../runtime/index.ts';
import { median, numberFlag, report, runAheadOfOthers, round, type Row } from '../measure.ts';

runAheadOfOthers();

const WARM_UP = 20;
const rounds = numberFlag('rounds', 300);
const options = { stdio: 'ignore' } as const;

const starts: Record<string, () => ChildProcess> = {
  spawn: () => spawn('/bin/true', options),
  spawnOwned: () => spawnOwned('/bin/true', options),
};
const calls: Record<string, number[]> = { spawn: [], spawnOwned: [] };
const exits: Record<string, number[]> = { spawn: [], spawnOwned: [] };

warm();
for (let turn = -WARM_UP; turn < rounds; turn++) {
  // Neither goes first always.
  for (const name of turn % 2 === 0 ? ['spawn', 'spawnOwned'] : ['spawnOwned', 'spawn']) {
    const startedAt = performance.now();
    const child = starts[name]?.();
    const calledAt = performance.now();
    if (child) await once(child, 'exit');
    if (turn < 0) continue;
    calls[name]?.push(calledAt - startedAt);
    exits[name]?.push(performance.now() - startedAt);
  }
}

const rows = ['spawn', 'spawnOwned'].map((name): Row => {
  const [call, exit] = [median(calls[name] ?? []), median(exits[name] ?? [])];
  return {
    call: name,
    'call, median ms': round(call),
    ratio: round(call / median(calls.spawn ?? [])),
    'to exit, median ms': round(exit),
    'ratio to exit': round(exit / median(exits.spawn ?? [])),
  };
});
report(`One call, ${rounds} interleaved rounds`, rows);
