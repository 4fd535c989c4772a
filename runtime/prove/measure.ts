import type { Context } from '../cli/command.ts';
import { startControl, untouched } from './control.ts';
import { killAndWatch } from './kill-and-watch.ts';
import { countFamilies, type Outcome } from './outcome.ts';
import { startProgram, type Program } from './program.ts';
import { waitUntilReady, type Readiness } from './wait-until-ready.ts';

/** How the owner dies. The kernel's out-of-memory killer sends SIGKILL to one process: `oom` is that, to the owner alone. */
export const BY = { kill: 'SIGKILL', exit: 'SIGTERM', crash: 'SIGSEGV', oom: 'SIGKILL' } as const;

/** What is to be killed, when and how. */
export interface Experiment {
  file: string;
  args: readonly string[];
  by: keyof typeof BY;
  readiness: Readiness;
  /** How long the descendants have to end, in milliseconds. */
  waitMs: number;
}

/** Who wants to know what happens meanwhile. */
export interface Observer {
  /** Is to end the program, whatever happens: the measurement itself ends nothing but the owner. */
  onStart(program: Program): void;
  onOutput(text: string): void;
}

const LINES = 20;

/**
 * Starts a control and the program, kills the program, counts what is left of both.
 * @throws UserError where the program cannot be started, is not ready in time, or does not die.
 */
export async function measure(
  { file, args, by, readiness, waitMs }: Experiment,
  context: Context,
  { onStart, onOutput }: Observer,
): Promise<Outcome> {
  const { err, signal } = context;
  err.progress('starting the control');
  const control = await startControl(context, onStart, signal);

  const program = await startProgram(file, args, context);
  onStart(program);
  const { descendants, output } = program;
  try {
    err.progress('waiting until the program is ready');
    await waitUntilReady(program, readiness, signal, onOutput);
    descendants.scan();
    const before = new Set(descendants.living());
    err.progress(`killing the owner of ${before.size} processes`);
    const ownerDiedAt = await killAndWatch(program, BY[by], waitMs, signal);

    const counted = countFamilies(descendants.all, before, ownerDiedAt);
    const controlCount = { before: control.before.length, after: untouched(control).length };
    return {
      version: 1,
      command: [file, ...args],
      by,
      ...counted,
      control: controlCount,
      verdict:
        controlCount.after < controlCount.before
          ? 'control-touched'
          : counted.survivors.some(({ reason }) => reason === null)
            ? 'survivors'
            : 'clean',
      left: [],
    };
  } catch (error) {
    output.read();
    const printed = output.text().trimEnd();
    if (!signal.aborted && printed !== '') {
      err.line('The last that it printed:');
      for (const line of printed.split('\n').slice(-LINES)) err.line(err.dim(`  ${line}`));
    }
    throw error;
  }
}
