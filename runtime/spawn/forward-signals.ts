import { jobGroups, trySignalGroup } from '../process/group.ts';
import { registry } from './registry.ts';

/** Signals that can be passed on. */
export type ForwardedSignal =
  'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGTERM' | 'SIGUSR1' | 'SIGUSR2' | 'SIGWINCH' | 'SIGTSTP' | 'SIGCONT';

/**
 * What a child gets for a signal. The kernel drops SIGTSTP in a group that no shell looks after (an orphaned one, as a
 * group in a session of its own is: setpgid(2)); SIGSTOP it does not.
 */
const sent = (signal: ForwardedSignal): NodeJS.Signals => (signal === 'SIGTSTP' ? 'SIGSTOP' : signal);

/**
 * Passes signals that this process gets on to every owned group. For an owner that handles them and lives on: one that
 * dies of them needs nothing, its children end with it. As with any handler, the signal then does nothing else here:
 * whoever wants to end must say so. SIGTSTP stops the children and then this process; with SIGCONT they go on. Children
 * with `group: false` get the terminal's signals by themselves, and are left out.
 * @returns takes the handlers away again
 */
export function forwardSignals(signals: readonly ForwardedSignal[]): () => void {
  const handlers = [...new Set(signals)].map((signal) => {
    const handle = (): void => {
      passOn(sent(signal));
      if (signal === 'SIGTSTP') process.kill(process.pid, 'SIGSTOP');
    };
    process.on(signal, handle);
    return [signal, handle] as const;
  });
  return () => {
    for (const [signal, handle] of handlers) process.off(signal, handle);
  };
}

function passOn(signal: NodeJS.Signals): void {
  for (const { pgid, extent } of registry.groups.values()) {
    if (extent === 'process') continue;
    trySignalGroup(pgid, signal);
    if (extent === 'session') void passOnToJobs(pgid, signal);
  }
}

async function passOnToJobs(sid: number, signal: NodeJS.Signals): Promise<void> {
  for (const pgid of await jobGroups(sid)) trySignalGroup(pgid, signal);
}
