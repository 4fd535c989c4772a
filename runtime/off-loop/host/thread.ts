import { Worker, type Transferable } from 'node:worker_threads';
import { loaderFlags, type Host, type HostEvents } from './host.ts';

/** The part of the program that knows it runs in a thread. */
const BOOT = `
const { parentPort, workerData: { init } } = require('node:worker_threads');
const port = {
  post: (message, transfer) => parentPort.postMessage(message, transfer),
  listen: (take) => parentPort.on('message', take),
  close: () => parentPort.close(),
};
const load = (specifier) => import(specifier);
`;

/**
 * Runs a program in a thread of its own.
 * @param program from programOf()
 * @param init handed to the program, copied
 */
export function startThread(program: string, init: unknown, events: HostEvents): Host {
  const worker = new Worker(`${BOOT}\nvoid (${program})(port, init, require, load);`, {
    eval: true,
    workerData: { init },
    execArgv: loaderFlags(),
    name: 'owned-spawn',
  });
  let reason = '';
  worker.on('message', (message: unknown) => {
    events.message(message as never);
  });
  worker.on('messageerror', (error) => {
    reason = `a message could not be read: ${error.message}`;
    void worker.terminate();
  });
  worker.on('error', (error: unknown) => {
    reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  });
  worker.on('exit', (code) => {
    events.end(reason || (code === 0 ? '' : `it ended with code ${code}`));
  });
  return {
    name: `thread ${worker.threadId}`,
    post: (message, transfer = []) => {
      worker.postMessage(message, transfer as Transferable[]);
    },
    hold: (isHeld) => {
      if (isHeld) worker.ref();
      else worker.unref();
    },
    kill: () => {
      void worker.terminate();
    },
  };
}
