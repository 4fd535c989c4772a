import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where ledgers lie: OWNED_SPAWN_STATE_DIR, else `owned-spawn` in the user's state folder (XDG Base Directory Specification). */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.OWNED_SPAWN_STATE_DIR) return resolve(env.OWNED_SPAWN_STATE_DIR);
  const base = env.XDG_STATE_HOME;
  // The specification: a relative path is to be ignored.
  return join(base?.startsWith('/') ? base : join(homedir(), '.local', 'state'), 'owned-spawn');
}
