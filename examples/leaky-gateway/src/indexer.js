import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../programs/index-worker.js');

let worker;
let lastId = 0;

export async function startIndexer() {
  worker = fork(script, [], { detached: true });
  await once(worker, 'message');
}

/** The files whose name holds a text. */
export function search(text) {
  const id = ++lastId;
  worker.send({ id, text });
  return new Promise((resolve) => {
    worker.on('message', function answer(message) {
      if (message.id !== id) return;
      worker.off('message', answer);
      resolve(message.files);
    });
  });
}

export function stopIndexer() {
  if (worker) process.kill(-worker.pid, 'SIGTERM');
}
