import { spawn } from 'node:child_process';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../programs/thumbnail-job.js');
const background = { stdio: 'ignore', detached: true };

let job;

/** Makes thumbnails in the background for as long as the gateway runs. */
export function startThumbnails() {
  job = spawn(process.execPath, [script], { ...background, cwd: import.meta.dirname });
}

export function stopThumbnails() {
  if (job) process.kill(-job.pid, 'SIGTERM');
}
