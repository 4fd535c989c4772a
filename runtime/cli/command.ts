import type { Ask } from './asker.ts';
import type { Flags, Values } from './flags.ts';
import type { Terminal } from './terminal.ts';

/** What a command may touch of the outside world; tests hand in their own. */
export interface Context {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Results. */
  out: Terminal;
  /** Progress, warnings and errors. */
  err: Terminal;
  /** Asks whoever sits at the terminal; absent where nobody does. */
  ask?: Ask;
  /** All commands that are installed here. */
  commands?: () => Promise<readonly Command[]>;
  /** Aborted by the first Ctrl-C, SIGTERM or SIGHUP: undo or finish, then return. A second one ends the process at once. */
  signal: AbortSignal;
}

/** A command of `owned-spawn`: a row of data and a function that returns the exit code. */
export interface Command<F extends Flags = Flags> {
  name: string;
  /** An imperative phrase without a full stop. */
  summary: string;
  /** What follows the name: `[paths…]`. */
  usage: string;
  flags: F;
  examples: readonly (readonly [command: string, does: string])[];
  run(values: Values<F>, positionals: string[], context: Context): Promise<number>;
}

/** Types a command by its own flags. */
export const defineCommand = <const F extends Flags>(command: Command<F>): Command => command;
