// The bystander that prove starts beside the program: an owner with an owned and two plain children, which nothing that
// happens to the program may touch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { spawnOwned } from '../index.ts';

const DAY = ['86400'];
const children = [
  spawnOwned('sleep', DAY, { stdio: 'ignore' }),
  spawn('sleep', DAY, { stdio: 'ignore' }),
  spawn('sh', ['-c', 'sleep 86400; exit'], { stdio: 'ignore' }),
];
void Promise.all(children.map((child) => once(child, 'spawn'))).then(() => {
  console.log('ready');
});
