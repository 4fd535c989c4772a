import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../cli/command.ts';
import { CONTROL_IS_READY, startControl } from './control.ts';
import { stateFolder } from '../spawn/state-folder.ts';
import { killAndWatch } from './kill-and-watch.ts';
import { labelsIn } from './labels.ts';
import { countFamilies, type Outcome } from './outcome.ts';
import { startProgram, type Program } from './program.ts';
import { waitUntilReady, type Readiness } from './wait-until-ready.ts';

/**
 * The signals that end the owner, one after the other. The kernel's out-of-memory killer sends SIGKILL to one process: `oom`
 * is that, to the owner alone. `stop` is an owner that hangs first.
 */
export const BY = {
  kill: ['SIGKILL'],
  term: ['SIGTERM'],
  exit: ['SIGTERM'],
  crash: ['SIGSEGV'],
  oom: ['SIGKILL'],
  stop: ['SIGSTOP', 'SIGKILL'],
} as const satisfies Record<string, readonly NodeJS.Signals[]>;

/** How long an owner hangs before it is killed. */
const HANG_MS = 500;

/** What is to be killed, when and how. */
export interface Experiment {
  /** The program and its arguments. */
  command: readonly string[];
  by: keyof typeof BY;
  readiness: Readiness;
  /** How long the descendants have to end, in milliseconds. */
  waitMs: number;
}

/** Who wants to know what happens meanwhile. */
export interface Observer {
  /** Is to end the program, whatever happens: the measurement itself ends nothing but the owner. */
  onStart: (program: Program) => void;
  onOutput?: (text: string) => void;
}

const CONTROL: Readiness = { text: CONTROL_IS_READY, timeoutMs: 60_000 };

/**
 * Starts a control and the program, kills the program, counts what is left of both.
 * @throws UserError where the program cannot be started, is not ready in time, or does not die.
 */
export async function measure(
  { command, by, readiness, waitMs }: Experiment,
  context: Context,
  { onStart, onOutput }: Observer,
): Promise<Outcome> {
  const { err, env, signal } = context;
  err.progress('starting the control');
  const control = await startControl(env);
  onStart(control);
  await orShowOutput(control, context, () => waitUntilReady(control, CONTROL, signal));
  const bystanders = [control.descendants.owner, ...control.descendants.living()];

  err.progress('starting the program');
  const program = await startProgram('the program', command, context);
  onStart(program);
  const { descendants } = program;
  return orShowOutput(program, context, async () => {
    await waitUntilReady(program, readiness, signal, onOutput);
    descendants.scan();
    const labels = await labelsIn(stateFolder(env));
    const signals: readonly NodeJS.Signals[] = BY[by];
    const last = signals.at(-1) ?? 'SIGKILL';
    for (const each of signals.slice(0, -1)) {
      program.child.kill(each);
      await sleep(HANG_MS, undefined, { signal });
      descendants.scan();
    }
    const before = new Set(descendants.living());
    err.progress(`waiting for ${before.size} processes to end`);
    const killedAt = await killAndWatch(program, last, waitMs, signal);

    const counted = countFamilies(descendants.all, before, killedAt, labels);
    control.descendants.scan();
    const untouched = bystanders.filter(({ diedAt }) => diedAt === undefined);
    return {
      version: 1,
      command: [...command],
      by,
      ...counted,
      control: { before: bystanders.length, after: untouched.length },
      verdict:
        untouched.length < bystanders.length
          ? 'control-touched'
          : counted.survivors.some(({ reason }) => reason === null)
            ? 'survivors'
            : 'clean',
      left: [],
    };
  });
}

const LINES = 20;

/** Shows the end of a program's output where something about it goes wrong. */
async function orShowOutput<T>(
  { name, output }: Program,
  { err, signal }: Context,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    output.read();
    const printed = output.text().trimEnd();
    if (!signal.aborted && printed !== '') {
      err.line(`The last that ${name} printed:`);
      for (const line of printed.split('\n').slice(-LINES)) err.line(err.dim(`  ${line}`));
    }
    throw error;
  }
}
