// Stands in for a browser: a main process with a debugging port and helpers of its own.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const port = Number(process.argv.find((arg) => arg.startsWith('--remote-debugging-port='))?.split('=')[1]);
for (const type of ['gpu-process', 'renderer']) {
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)', `--type=${type}`], { stdio: 'ignore' });
}
createServer((request, response) => response.end('{"Browser":"stand-in"}')).listen(port, '127.0.0.1');
