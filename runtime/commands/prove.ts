import { defineCommand } from '../cli/command.ts';
import { EXIT, UserError } from '../cli/exit.ts';
import { endDescendants, killDescendants } from '../prove/end-descendants.ts';
import { measure } from '../prove/measure.ts';
import { letGo, type Program } from '../prove/program.ts';
import { report } from '../prove/report.ts';
import { isTaken } from '../prove/wait-until-ready.ts';

/** How long TERM may take at the end, in milliseconds. */
const GRACE_MS = 1000;

export const command = defineCommand({
  name: 'prove',
  summary: 'kill a program and count what outlives it',
  usage: '[options] -- command [args…]',
  flags: {
    'ready-port': { help: 'kill once this TCP port is open', value: 'PORT', number: true },
    'ready-text': { help: 'kill once the program has printed this', value: 'TEXT' },
    'ready-timeout': { help: 'give up if it is not ready by then (60)', value: 'SECONDS', number: true },
    by: {
      help: 'how the owner dies: SIGKILL, SIGTERM, SIGSEGV, or SIGKILL as by the out-of-memory killer (kill)',
      value: 'HOW',
      choices: ['kill', 'exit', 'crash', 'oom'],
    },
    wait: { help: 'how long survivors have to end (10)', value: 'SECONDS', number: true },
    leave: { help: 'leave the survivors running and print their pids' },
    verbose: { help: 'show what the program prints' },
    json: { help: 'print the result as JSON' },
  },
  examples: [
    ['owned-spawn prove -- node server.js', 'kill the server once it is quiet'],
    ['owned-spawn prove --ready-port 8080 --json -- npm start', 'kill npm once the port is open'],
    ['owned-spawn prove --by exit --wait 30 -- ./gateway', 'ask it to end, give its children half a minute'],
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

    const started: Program[] = [];
    // A second Ctrl-C ends prove at once, and with it what it started.
    const killAll = (): void => {
      for (const { descendants } of started) killDescendants(descendants);
    };
    process.on('exit', killAll);
    let kept: Program | undefined;
    const left: number[] = [];
    try {
      const outcome = await measure(
        {
          command: words,
          by: values.by ?? 'kill',
          readiness: {
            ...(port !== undefined && { port }),
            ...(text !== undefined && { text }),
            timeoutMs: (values['ready-timeout'] ?? 60) * 1000,
          },
          waitMs: (values.wait ?? 10) * 1000,
        },
        context,
        {
          onStart: (program) => started.push(program),
          onOutput: (printed) => {
            if (values.verbose && printed !== '') err.write(err.dim(printed));
          },
        },
      );
      if (values.leave) kept = started.at(-1);
      if (kept) outcome.left = outcome.survivors.map(({ pid }) => pid);
      if (values.json) out.line(JSON.stringify(outcome, null, 2));
      else report(outcome, out);
      return outcome.verdict === 'clean' ? EXIT.ok : EXIT.no;
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
  },
});
