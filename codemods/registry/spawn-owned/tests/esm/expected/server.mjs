import { exec } from 'node:child_process';
import { killOwned, spawnOwned } from 'owned-spawn';

export const server = spawnOwned('server', [], { stdio: 'ignore' });

export function stop() {
  void killOwned(server);
}

exec('server --version');
