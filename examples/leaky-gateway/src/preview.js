import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { answers } from './answers.js';
import { freePort } from './free-port.js';

const programs = join(import.meta.dirname, '../programs');

let child;
let url;

/** Starts the preview server as projects configure it: a command line for a shell. */
export async function startPreview() {
  const port = await freePort(5173);
  url = `http://127.0.0.1:${port}/`;
  child = spawn(`node preview-server.js --port ${port} || echo "the preview server failed" >&2`, {
    shell: true,
    cwd: programs,
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own, so that stopPreview() reaches what the shell has started.
    detached: process.platform !== 'win32',
  });
  await answers(url);
}

export async function fetchPreview() {
  const response = await fetch(url);
  return { url, page: await response.text() };
}

export function stopPreview() {
  if (child) process.kill(-child.pid, 'SIGTERM');
}
