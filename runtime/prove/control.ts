import { join } from 'node:path';
import { extension, folder } from './folder.cts';
import { startProgram, type Program } from './program.ts';

/** What the control prints once its children run. */
export const CONTROL_IS_READY = 'ready';

/**
 * Starts the control: a bystander, an owner with children of its own, which must be at the end what it was before.
 * @param env what the program gets. Its NODE_OPTIONS are left out: they may name files by relative paths.
 */
export async function startControl(env: NodeJS.ProcessEnv): Promise<Program> {
  const owner = join(folder, `control-owner${extension}`);
  // Flags such as --import carry over; a debugger's port cannot be shared.
  const flags = process.execArgv.filter((flag) => !flag.startsWith('--inspect'));
  return startProgram('the control', [process.execPath, ...flags, owner], {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: undefined },
  });
}
