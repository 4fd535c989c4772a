import { exec, spawn } from 'node:child_process';

const isWindows = process.platform === 'win32';

export const server = spawn('server', [], { detached: !isWindows, stdio: 'ignore' });

export function stop() {
  process.kill(-server.pid, 'SIGTERM');
}

exec('server --version');
