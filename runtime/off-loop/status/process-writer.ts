import fs from 'node:fs';
import { lockOwner, type LockOwner } from '../../files/lock.ts';
import { namelessFile } from '../../files/nameless-file.ts';
import { runStepsSync } from '../../files/steps.ts';
import type { Host } from '../host/host.ts';
import { startProcess } from '../host/process.ts';
import { programOf, type Port, type Surroundings } from '../host/program.ts';
import { PATCH_TOOLS, patchSteps, type Patch, type PatchTools, type Patched } from './patch.ts';
import type { Writer } from './writer.ts';

interface Job {
  id: number;
  /** A patch as JSON: what cannot be told in JSON does not reach the file either. */
  text: string;
}

interface Answer {
  id: number;
  patched?: Patched;
  error?: { message: string; code?: string };
}

/** Descriptor on which the process counts finished jobs: a byte each, which needs no loop to be read. */
const COUNTER = 4;
/** What a socket of the kernel takes at once for certain, in bytes; more than this is written here at exit. */
const MAX_HANDOVER = 48_000;

/** The program: writes what it is told, in order, and ends with its channel. Blocking is what it is for. */
// blocking-call: ok — its source runs in the writer's process
function main(
  port: Port,
  { owner, counter }: { owner: LockOwner; counter: number },
  tools: Surroundings & PatchTools & { patchSteps: typeof patchSteps; runStepsSync: typeof runStepsSync },
): void {
  const files = tools.require('node:fs') as typeof fs;
  // What ends the owner, Ctrl-C in its terminal too, must not cut the last write off.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  port.listen(({ id, text }: Job) => {
    let answer: Answer;
    try {
      const patch = JSON.parse(text) as Patch;
      answer = {
        id,
        patched: tools.runStepsSync(files, tools.patchSteps(tools, patch, { ...owner, pid: process.pid })),
      };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      answer = { id, error: { message, ...(code && { code }) } };
    }
    try {
      files.writeSync(counter, '.');
    } catch {
      // It was not to be had.
    }
    port.post(answer);
  });
}

/**
 * Writes by a process of its own, which outlives this one until the last write is done: only so does process.exit() not
 * wait for a disk that stalls. Costs 10 to 14 MB.
 */
export function processWriter(): Writer {
  const owner = { ...lockOwner(), start: '' };
  const waiting = new Map<number, { done: (patched: Patched) => void; fail: (error: Error) => void }>();
  const counter = namelessFile();
  let host: Host | undefined;
  // Jobs handed over, and those of them that died with their process.
  let [sent, lost] = [0, 0];

  const start = (): Host => {
    const program = programOf(main, { ...PATCH_TOOLS, patchSteps, runStepsSync });
    const started = startProcess(
      program,
      { owner, counter: COUNTER },
      {
        message: ({ id, patched, error }: Answer) => {
          const call = waiting.get(id);
          waiting.delete(id);
          host?.hold(waiting.size > 0);
          if (patched) call?.done(patched);
          else call?.fail(Object.assign(new Error(error?.message), error?.code && { code: error.code }));
        },
        end: (reason) => {
          if (host === started) host = undefined;
          lost = sent - finished();
          for (const { fail } of waiting.values()) fail(new Error(`the status writer is gone: ${reason}`));
          waiting.clear();
        },
      },
      {
        label: 'owned-spawn status writer',
        outlives: 'finishes the last write of a status file and then ends',
        file: counter,
      },
    );
    return started;
  };
  const finished = (): number => (counter === undefined ? Infinity : fs.fstatSync(counter).size);
  const post = (text: string): number => {
    host ??= start();
    host.post({ id: ++sent, text } satisfies Job);
    return sent;
  };

  return {
    write: (patch) =>
      new Promise((done, fail) => {
        const id = post(JSON.stringify(patch));
        waiting.set(id, { done, fail });
        host?.hold(true);
      }),
    writeLast: (patch, withinMs) => {
      const text = JSON.stringify(patch);
      if (text.length > MAX_HANDOVER) {
        runStepsSync(fs, patchSteps(PATCH_TOOLS, patch, owner));
        return;
      }
      post(text);
      const end = performance.now() + withinMs;
      const pause = new Int32Array(new SharedArrayBuffer(4));
      while (finished() + lost < sent && performance.now() < end) Atomics.wait(pause, 0, 0, 2);
    },
  };
}
