import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { defineCommand, type Context } from '../cli/command.ts';
import { EXIT, UserError } from '../cli/exit.ts';
import { runIfChanged } from '../off-loop/changed.ts';
import { spawnOwned } from '../spawn/spawn-owned.ts';

/** What the install commands of package managers read, make, and where a stamp goes away with what they make. */
const INSTALLS = {
  program: /^(?:npm|pnpm|yarn|bun)$/,
  subcommand: new Set([undefined, 'ci', 'i', 'install']),
  inputs: [
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'yarn.lock',
    '.yarnrc.yml',
    '.npmrc',
    'bun.lock',
    'bun.lockb',
  ],
  present: ['node_modules'],
  stamp: 'node_modules/.owned-spawn-install.json',
};

export const command = defineCommand({
  name: 'run-if-changed',
  summary: 'run a command only if its inputs changed since it last succeeded',
  usage: '[options] -- command [args…]',
  flags: {
    input: { help: 'a file or folder that the command reads; repeatable', value: 'PATH', multiple: true },
    present: {
      help: 'a file or folder that it makes: without it, it runs; repeatable',
      value: 'PATH',
      multiple: true,
    },
    stamp: { help: 'the file that remembers the inputs of the last success', value: 'FILE' },
    force: { help: 'run in any case' },
  },
  examples: [
    ['owned-spawn run-if-changed -- npm ci', 'install only after a change of manifest or lockfile'],
    [
      'owned-spawn run-if-changed --input schema.sql --present db.ts --stamp .cache/db.json -- npm run generate',
      'any command',
    ],
  ],
  async run(values, [file, ...args], context) {
    if (file === undefined) {
      throw new UserError('which command?', 'Give it after --: owned-spawn run-if-changed -- npm ci');
    }
    const subcommand = args.find((arg) => !arg.startsWith('-'));
    const isInstall = INSTALLS.program.test(file) && INSTALLS.subcommand.has(subcommand);
    const inputs = values.input ?? (isInstall ? INSTALLS.inputs : undefined);
    const stamp = values.stamp ?? (isInstall ? INSTALLS.stamp : undefined);
    if (!inputs || stamp === undefined) {
      throw new UserError(
        `what does "${file}" read, and where may its stamp lie?`,
        'Name them: --input PATH --stamp FILE. Only the install commands of npm, pnpm, yarn and bun are known.',
      );
    }
    if (values.force) await rm(resolve(context.cwd, stamp), { force: true });
    let code: number = EXIT.ok;
    try {
      const { ran } = await runIfChanged(
        {
          inputs,
          present: values.present ?? (isInstall ? INSTALLS.present : []),
          stamp,
          cwd: context.cwd,
          key: [process.platform, process.arch, process.versions.modules, file, ...args].join(' '),
        },
        async (reason) => {
          context.err.line(
            context.err.dim(`${[file, ...args].join(' ')} (${values.force ? 'forced' : reason})`),
          );
          code = await runCommand(file, args, context);
          if (code !== 0) throw new Failed();
        },
      );
      if (!ran) context.err.line(context.err.dim(`${[file, ...args].join(' ')}: nothing changed, skipped`));
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
    }
    return code;
  },
});

/** The command failed and has said why. */
class Failed extends Error {}

/** Runs it on our terminal: Ctrl-C reaches it by the terminal, other ends are passed on. Owned, as who finds our lock abandoned runs it again. */
function runCommand(file: string, args: readonly string[], { cwd, env, signal }: Context): Promise<number> {
  return new Promise((done, reject) => {
    const shell = process.platform === 'win32';
    const child = spawnOwned(file, args, { cwd, env, stdio: 'inherit', shell, group: false });
    const pass = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', pass);
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new UserError(`there is no command "${file}"`) : error);
    });
    child.once('exit', (code, by) => {
      signal.removeEventListener('abort', pass);
      done(by ? 128 + constants.signals[by] : (code ?? EXIT.failed));
    });
  });
}
