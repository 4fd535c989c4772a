import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { defineCommand, type Context } from '../cli/command.ts';
import { EXIT, UserError } from '../cli/exit.ts';
import { terminal, type Terminal } from '../cli/terminal.ts';
import { replaceFile } from '../files/replace.ts';
import { endDescendants, killDescendants } from '../prove/end-descendants.ts';
import { junit } from '../prove/junit.ts';
import { markdown } from '../prove/markdown.ts';
import { measure, type Experiment } from '../prove/measure.ts';
import type { Outcome } from '../prove/outcome.ts';
import { letGo, type Program } from '../prove/program.ts';
import { report, reportRuns } from '../prove/report.ts';
import { summarize } from '../prove/summary.ts';
import { isTaken } from '../prove/wait-until-ready.ts';

/** How long TERM may take at the end, in milliseconds. */
const GRACE_MS = 1000;
const PORT_LOOK_MS = 100;
const MOST_PORT_MS = 10_000;

export const command = defineCommand({
  name: 'prove',
  summary: 'kill a program and count what outlives it',
  usage: '[options] -- command [args…]',
  flags: {
    'ready-port': { help: 'kill once this TCP port is open', value: 'PORT', number: true },
    'ready-text': { help: 'kill once the program has printed this', value: 'TEXT' },
    'ready-timeout': { help: 'give up if it is not ready by then (60)', value: 'SECONDS', number: true },
    by: {
      help: 'how the owner dies: SIGKILL, SIGTERM (term or exit), SIGSEGV, SIGKILL as by the out-of-memory killer, or SIGSTOP and then SIGKILL (kill)',
      value: 'HOW',
      choices: ['kill', 'term', 'exit', 'crash', 'oom', 'stop'],
    },
    runs: { help: 'start and kill it so many times (1)', value: 'N', number: true },
    wait: { help: 'how long survivors have to end (10)', value: 'SECONDS', number: true },
    leave: { help: 'leave the survivors running and print their pids' },
    verbose: { help: 'show what the program prints' },
    json: { help: 'print the result as JSON' },
    format: {
      help: 'print text, JSON, a Markdown table for a pull request, or a JUnit file (text)',
      value: 'FORMAT',
      choices: ['text', 'json', 'markdown', 'junit'],
    },
    output: { help: 'write the result to a file instead of stdout', value: 'FILE' },
  },
  examples: [
    ['owned-spawn prove -- node server.js', 'kill the server once it is quiet'],
    ['owned-spawn prove --ready-port 8080 --json -- node server.js', 'kill it once the port is open'],
    ['owned-spawn prove --by term --wait 30 -- ./gateway', 'ask it to end, give its children half a minute'],
    [
      'owned-spawn prove --runs 20 --format junit --output prove.xml -- node server.js',
      'twenty kills, for CI',
    ],
  ],
  async run(values, words, context) {
    const { out, err } = context;
    const [port, text] = [values['ready-port'], values['ready-text']];
    if (process.platform === 'win32')
      throw new UserError('prove needs a POSIX system: Windows has no process groups');
    if (words.length === 0)
      throw new UserError('which program?', 'Give it after --: owned-spawn prove -- node server.js');
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
      throw new UserError(`--ready-port takes a port from 1 to 65535, not ${port}`);
    if (port !== undefined && (await isTaken(port)))
      throw new UserError(`port ${port} is taken already, so it cannot tell when the program is ready`);

    const runs = values.runs ?? 1;
    if (!(Number.isInteger(runs) && runs >= 1))
      throw new UserError(`--runs takes a whole number from 1, not ${runs}`);
    if (values.leave && runs > 1) throw new UserError('--leave takes one run');
    const format = values.json ? 'json' : (values.format ?? 'text');

    const experiment: Experiment = {
      command: words,
      by: values.by ?? 'kill',
      readiness: {
        ...(port !== undefined && { port }),
        ...(text !== undefined && { text }),
        timeoutMs: (values['ready-timeout'] ?? 60) * 1000,
      },
      waitMs: (values.wait ?? 10) * 1000,
    };
    const outcomes: Outcome[] = [];
    for (let run = 1; run <= runs; run++) {
      if (run > 1 && port !== undefined) await untilFree(port, context.signal);
      outcomes.push(
        await runOnce(
          experiment,
          { leave: values.leave === true, verbose: values.verbose === true },
          context,
        ),
      );
      if (runs > 1 && format === 'text') err.progress(`${run} of ${runs} runs`);
    }
    err.progress('');
    const summary = summarize(outcomes);
    const print = (to: Terminal): void => {
      if (runs === 1 && outcomes[0]) report(outcomes[0], to);
      else reportRuns(summary, to);
    };
    if (format === 'text' && values.output === undefined) print(out);
    else {
      const text = {
        text: () => textOf(print),
        json: () => JSON.stringify(runs === 1 ? outcomes[0] : summary, null, 2),
        markdown: () => markdown(summary),
        junit: () => junit(summary),
      }[format]();
      if (values.output === undefined) out.line(text);
      else await write(resolve(context.cwd, values.output), text);
    }
    return summary.verdict === 'clean' ? EXIT.ok : EXIT.no;
  },
});

/** Starts the program and its control, kills it, and ends all that is left but what is to be left. */
async function runOnce(
  experiment: Experiment,
  { leave, verbose }: { leave: boolean; verbose: boolean },
  context: Context,
): Promise<Outcome> {
  const { err } = context;
  const started: Program[] = [];
  // A second Ctrl-C ends prove at once, and with it what it started.
  const killAll = (): void => {
    for (const { descendants } of started) killDescendants(descendants);
  };
  process.on('exit', killAll);
  let kept: Program | undefined;
  const left: number[] = [];
  try {
    const outcome = await measure(experiment, context, {
      onStart: (program) => started.push(program),
      onOutput: (printed) => {
        if (verbose && printed !== '') err.write(err.dim(printed));
      },
    });
    if (leave) kept = started.at(-1);
    if (kept) outcome.left = outcome.survivors.map(({ pid }) => pid);
    return outcome;
  } finally {
    err.progress('ending what is left');
    for (const program of started.filter((each) => each !== kept)) {
      const stubborn = await endDescendants(program.descendants, GRACE_MS);
      left.push(...stubborn.map(({ row }) => row.pid));
    }
    for (const { child, output } of started) {
      child.stdin?.destroy();
      output.close();
    }
    process.off('exit', killAll);
    err.progress('');
    if (left.length > 0) err.line(err.red(`Could not end: ${left.join(' ')}`));
    if (kept) letGo(kept);
  }
}

/** What the last run has left was ended a moment ago. */
async function untilFree(port: number, signal: AbortSignal): Promise<void> {
  for (let waited = 0; await isTaken(port); waited += PORT_LOOK_MS) {
    if (waited > MOST_PORT_MS) throw new UserError(`port ${port} is still taken after the run before`);
    await pause(PORT_LOOK_MS, undefined, { signal });
  }
}

function textOf(print: (out: Terminal) => void): string {
  let text = '';
  print(terminal({ write: (part: string) => (text += part) }, { NO_COLOR: '1' }));
  return text.trimEnd();
}

async function write(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, `${text}\n`, { durable: false });
  } catch (error) {
    throw new UserError(`cannot write ${path}: ${(error as Error).message}`);
  }
}
