/** Another thread or process that runs a program for us. */
export interface Host {
  /** For messages to people: `thread 3`, `process 4711`. */
  readonly name: string;
  /** @throws DataCloneError for what cannot be copied to the host, such as a function */
  post(message: unknown, transfer?: readonly unknown[]): void;
  /** Whether the host keeps this process alive; at first it does. */
  hold(isHeld: boolean): void;
  /** The call that has begun last; 0 before the first. */
  begun(): number;
  /**
   * Begins no call any more.
   * @returns whether calls behind {@link begun} can be done elsewhere at once: a process must be dead first
   */
  retire(): boolean;
  /** Ends the host now: a process at once, a thread as soon as it is back from the call that it is in. */
  kill(): void;
}

/** What a host tells. */
export interface HostEvents {
  message(message: never): void;
  /** The host is gone: once, with the reason where it did not end by itself. */
  end(reason: string): void;
}

/** Flags of node that change how modules are found and read, which a host must share with us; the others may be invalid there. */
const LOADER_FLAGS =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C|--enable-source-maps|--preserve-symlinks|--(?:no-)?experimental-(?:strip-types|transform-types|sqlite|require-module))(?:=|$)/;
const TAKES_VALUE = /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C)$/;

/** The flags of this process that a host needs too: a setup module may be TypeScript under tsx. */
export function loaderFlags(flags: readonly string[] = process.execArgv): string[] {
  return flags.flatMap((flag, i) => {
    if (!LOADER_FLAGS.test(flag)) return [];
    return TAKES_VALUE.test(flag) ? [flag, flags[i + 1] ?? ''] : [flag];
  });
}
