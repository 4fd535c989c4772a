/** What has to be done before this process ends. */
export interface EndHook {
  /** In an 'exit' handler: only what is synchronous. */
  exit(): void;
  /** At a signal that would end the process: resolves when it may. */
  signal(): Promise<unknown>;
}

interface Hooks {
  readonly all: Set<EndHook>;
  isEnding: boolean;
  readonly onExit: () => void;
  readonly onSignal: (signal: NodeJS.Signals) => void;
}

const KEY = Symbol.for('owned-spawn/end-hooks/1');
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** One listener a signal, however many hooks and copies of this package there are: listeners are counted to tell whether others take the signal. */
const hooks = ((globalThis as Partial<Record<symbol, Hooks>>)[KEY] ??= {
  all: new Set(),
  isEnding: false,
  onExit,
  onSignal,
});

/** Runs a hook before the process ends, until {@link removeEndHook}. Exit code and signal stay what they would have been. */
export function addEndHook(hook: EndHook): void {
  if (hooks.all.size === 0) {
    process.on('exit', hooks.onExit);
    for (const signal of SIGNALS) process.on(signal, hooks.onSignal);
  }
  hooks.all.add(hook);
}

/** Takes a hook back; the last one takes the listeners along, so that signals end the process by themselves again. */
export function removeEndHook(hook: EndHook): void {
  if (!hooks.all.delete(hook) || hooks.all.size > 0) return;
  stopListening();
}

function stopListening(): void {
  process.off('exit', hooks.onExit);
  for (const signal of SIGNALS) process.off(signal, hooks.onSignal);
}

function onExit(): void {
  for (const hook of hooks.all) hook.exit();
}

function onSignal(signal: NodeJS.Signals): void {
  // Somebody else decides what the signal means; if it means exit(), the hooks run there.
  if (process.listenerCount(signal) - 1 > politeListeners()) return;
  const raise = (): void => {
    stopListening();
    hooks.all.clear();
    process.kill(process.pid, signal);
  };
  // A second Ctrl-C is not patient.
  if (hooks.isEnding) {
    raise();
    return;
  }
  hooks.isEnding = true;
  void Promise.all([...hooks.all].map((hook) => hook.signal())).then(raise);
}

/** signal-exit (in half of all command line tools) waits for others to take the signal, as we do: two who wait are a process that nobody can end. */
function politeListeners(): number {
  const ofV4 = (globalThis as Record<symbol, { count?: number } | undefined>)[
    Symbol.for('signal-exit emitter')
  ];
  const ofV3 = (process as { __signal_exit_emitter__?: { count?: number } }).__signal_exit_emitter__;
  return (ofV4 === ofV3 ? 0 : (ofV4?.count ?? 0)) + (ofV3?.count ?? 0);
}
