import { closeSync } from 'node:fs';
import { namelessFile } from '../../files/nameless-file.ts';
import type { Host, HostEvents } from './host.ts';
import { startProcess } from './process.ts';
import { startThread } from './thread.ts';

/** Where a program runs: a thread is near (a call takes a tenth of a millisecond), a process can be killed at any moment and crashes alone. */
export type HostKind = 'thread' | 'process';

/**
 * Starts a host for a client.
 * @param label for a process: its name in {@link owned} and on its command line
 * @param parkMs for a thread: how long it waits for the next message before it looks at anything else
 */
export function startHost(
  kind: HostKind,
  program: string,
  init: unknown,
  events: HostEvents,
  label: string,
  parkMs = 0,
): Host {
  if (kind === 'thread') return startThread(program, init, events, parkMs);
  const file = namelessFile();
  const end = (reason: string): void => {
    events.end(reason);
    if (file !== undefined) closeSync(file);
  };
  return startProcess(program, init, { ...events, end }, { label, loads: true, file });
}
