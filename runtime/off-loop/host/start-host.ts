import { closeSync } from 'node:fs';
import { namelessFile } from '../../files/nameless-file.ts';
import type { Host, HostEvents } from './host.ts';
import { startProcess } from './process.ts';
import { startThread, type ThreadOptions } from './thread.ts';

/** Where a program runs: a thread is near (a call takes some 20 µs), a process can be killed at any moment and crashes alone. */
export type HostKind = 'thread' | 'process';

/**
 * Starts a host for a client.
 * @param label for a process: its name in {@link owned} and on its command line
 */
export function startHost(
  kind: HostKind,
  program: string,
  init: unknown,
  events: HostEvents,
  label: string,
  options: ThreadOptions = {},
): Host {
  if (kind === 'thread') return startThread(program, init, events, options);
  const file = namelessFile();
  const end = (reason: string): void => {
    events.end(reason);
    if (file !== undefined) closeSync(file);
  };
  return startProcess(program, init, { ...events, end }, { label, loads: true, file });
}
