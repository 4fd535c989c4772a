import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asker } from './asker.ts';
import type { Command, Context } from './command.ts';
import { EXIT, UserError } from './exit.ts';
import { parseFlags } from './flags.ts';
import { help, overview } from './help.ts';
import { missingPeer } from './missing-peer.ts';
import { nearest } from './nearest.ts';
import { installCommand } from './package-manager.ts';
import { terminal } from './terminal.ts';

/** Which package a command lives in. */
export const COMMANDS: Readonly<Record<string, string>> = {
  init: 'eslint-plugin-owned-spawn',
  check: 'eslint-plugin-owned-spawn',
  markers: 'eslint-plugin-owned-spawn',
  migrate: 'owned-spawn-codemods',
  completion: 'owned-spawn',
  locks: 'owned-spawn',
  orphans: 'owned-spawn',
  prove: 'owned-spawn',
  ps: 'owned-spawn',
  'run-if-changed': 'owned-spawn',
};

/** The bin that was invoked. */
interface Bin {
  url: string;
  load: (url: string) => Promise<unknown>;
}

/** A module of a package as the project sees it, else as the invoked bin's package sees it (pnpm links no indirect bins). */
function resolveFrom(specifier: string, cwd: string, binUrl: string): string | undefined {
  for (const from of [join(cwd, 'package.json'), fileURLToPath(binUrl)]) {
    try {
      return createRequire(from).resolve(specifier);
    } catch {
      // The next place may have it.
    }
  }
  return undefined;
}

async function load(name: string, context: Context, { url, load }: Bin): Promise<Command> {
  const owner = COMMANDS[name];
  if (owner === undefined) {
    const near = nearest(name, Object.keys(COMMANDS));
    throw new UserError(
      `unknown command "${name}"`,
      near ? `Did you mean "${near}"?` : 'owned-spawn --help lists the commands.',
    );
  }
  const path = resolveFrom(`${owner}/commands/${name}`, context.cwd, url);
  if (path === undefined) {
    throw new UserError(
      `the command "${name}" is part of ${owner}, which is not installed here`,
      `Install it: ${installCommand(context.cwd, owner, owner !== 'owned-spawn')}`,
    );
  }
  const { command } = (await load(pathToFileURL(path).href)) as { command: Command };
  return command;
}

async function run(argv: readonly string[], context: Context, bin: Bin): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const commands = await Promise.all(
      Object.entries(COMMANDS).map(async ([each, owner]) => ({
        name: each,
        summary: await load(each, context, bin).then(
          ({ summary }) => summary,
          () => `(in ${owner}, not installed here)`,
        ),
      })),
    );
    context.out.write(overview(commands));
    return name === undefined ? EXIT.failed : EXIT.ok;
  }
  if (name === '--version' || name === '-v') {
    const path = resolveFrom('owned-spawn/package.json', context.cwd, bin.url);
    context.out.line(
      path === undefined ? 'unknown' : (createRequire(path)(path) as { version: string }).version,
    );
    return EXIT.ok;
  }
  const command = await load(name, context, bin);
  const end = rest.indexOf('--');
  if ((end < 0 ? rest : rest.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) {
    context.out.write(help(command));
    return EXIT.ok;
  }
  const { values, positionals } = parseFlags(command.flags, rest);
  const commands = async (): Promise<Command[]> => {
    const all = Object.keys(COMMANDS).map((each) => load(each, context, bin).catch(() => undefined));
    return (await Promise.all(all)).filter((each) => each !== undefined);
  };
  return command.run(values, positionals, { ...context, commands });
}

/** Whether a person sits at the terminal and may be asked. */
const isAttended = (): boolean => process.stdin.isTTY && process.stderr.isTTY && !process.env.CI;

/** Tells a person what went wrong; a stack trace only where it is our fault and was asked for. */
function explain(error: unknown, argv: readonly string[], { err, env }: Context): void {
  const [name] = argv;
  const who = name !== undefined && Object.hasOwn(COMMANDS, name) ? `owned-spawn ${name}` : 'owned-spawn';
  if (error instanceof Error && error.name === 'UserError') {
    err.line(`${err.red(`${who}:`)} ${error.message}`);
    const { next } = error as UserError;
    if (next !== undefined) err.line(next);
    return;
  }
  err.line(
    `${err.red(`${who}: this is a bug in owned-spawn:`)} ${error instanceof Error ? error.message : String(error)}`,
  );
  if (env.OWNED_SPAWN_DEBUG && error instanceof Error) err.line(error.stack);
  else err.line('Run it again with OWNED_SPAWN_DEBUG=1 and report what it prints.');
}

/**
 * Runs the command line of this process and sets its exit code (0 done, 1 the answer is no, 2 could not, 130 interrupted).
 * @param url `import.meta.url` of the bin that was invoked: the second place, after the project, where commands are looked for
 * @param load its `import()`: this file is CommonJS once it is built, and compiles its own to a require()
 */
export async function dispatch(
  url: string,
  load: Bin['load'],
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  // A reader that closed its end ("| head") is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    throw error;
  });
  const context: Context = {
    cwd: process.cwd(),
    env: process.env,
    out: terminal(process.stdout, process.env),
    err: terminal(process.stderr, process.env),
    signal: controller.signal,
    ...(isAttended() && { ask: asker(process.stdin, process.stderr, controller.signal) }),
  };
  try {
    const code = await run(argv, context, { url, load });
    process.exitCode = controller.signal.aborted ? EXIT.interrupted : code;
  } catch (error) {
    if (!controller.signal.aborted) explain(missingPeer(error, context.cwd) ?? error, argv, context);
    process.exitCode = controller.signal.aborted ? EXIT.interrupted : EXIT.failed;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, interrupt);
  }
}
