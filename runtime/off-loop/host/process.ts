import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { readSync } from 'node:fs';
import { spawnDetached } from '../../spawn/spawn-detached.ts';
import { spawnOwned } from '../../spawn/spawn-owned.ts';
import { loaderFlags, type Host, type HostEvents } from './host.ts';

/** The part of the program that knows it runs in a process. The program comes as the first message: a command line is for people. */
const BOOT = `
const fs = require('node:fs');
const cell = Buffer.alloc(8);
let take = ([program, init]) => {
  const early = [];
  take = (message) => early.push(message);
  const port = {
    post: (message) => { if (process.connected) process.send(message); },
    listen: (next) => { take = next; early.splice(0).forEach(next); },
    begin: (id) => {
      cell.writeDoubleLE(id);
      try { fs.writeSync(4, cell, 0, 8, 0); } catch {}
      return true;
    },
  };
  const load = (specifier) => import(specifier);
  void (0, eval)('(' + program + ')')(port, init, require, load);
};
process.on('message', (message) => take(message));
process.on('disconnect', () => process.exit());
`;

/** How a process is started. */
export interface ProcessOptions {
  /** For {@link owned}, and the comment on its command line. */
  label: string;
  /** A reason makes the process outlive its owner: it ends when its channel closes and what it was told is done. */
  outlives?: string;
  /** Whether the program loads modules of the application, which may need its loaders. */
  loads?: boolean;
  /** A file for its descriptor 4: in it the process notes which call it begins, which is to be read also when it is dead. */
  file?: number | undefined;
}

/**
 * Runs a program in a process of its own, which ends with this one.
 * @param program from programOf()
 * @param init handed to the program, copied
 */
export function startProcess(
  program: string,
  init: unknown,
  events: HostEvents,
  { label, outlives, loads = false, file }: ProcessOptions,
): Host {
  const args = [...(loads ? loaderFlags() : []), '--input-type=commonjs', '-e', `/* ${label} */${BOOT}`];
  const output = outlives === undefined ? 'inherit' : 'ignore';
  const options: Omit<SpawnOptions, 'detached'> = {
    stdio: ['ignore', output, output, 'ipc', ...(file === undefined ? [] : [file])],
    serialization: 'advanced',
    // An Electron binary is a Node only by this.
    env: { ...process.env, ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }) },
  };
  const child: ChildProcess =
    outlives === undefined
      ? spawnOwned(process.execPath, args, { ...options, label, graceMs: 500 })
      : spawnDetached(process.execPath, args, { ...options, why: outlives });
  let failure: string | undefined;
  // What it said last may still be in the channel when it is gone.
  let [isGone, isRead] = [false, false];
  const end = (reason: string): void => {
    if (failure === undefined || reason) failure = reason;
    if (isGone && isRead) events.end(failure);
  };
  child.on('message', (message) => {
    events.message(message as never);
  });
  child.on('error', (error) => {
    if (child.pid !== undefined) return;
    [isGone, isRead] = [true, true];
    end(`it could not be started: ${error.message}`);
  });
  child.on('disconnect', () => {
    isRead = true;
    end('');
  });
  child.on('exit', (code, signal) => {
    isGone = true;
    end(signal ? `it was ended by ${signal}` : code === 0 ? '' : `it ended with code ${String(code)}`);
  });
  child.send([program, init], () => {
    // A failed start has its 'error' event.
  });
  return {
    name: `process ${child.pid ?? '?'}`,
    post: (message) => {
      child.send(message as object, () => {
        // A process that has gone has its 'exit' event.
      });
    },
    hold: (isHeld) => {
      if (isHeld) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    begun: () => {
      const cell = Buffer.alloc(8);
      if (file !== undefined) readSync(file, cell, 0, 8, 0);
      return cell.readDoubleLE();
    },
    retire: () => false,
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}
