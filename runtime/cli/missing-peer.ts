import { UserError } from './exit.ts';
import { installCommand } from './package-manager.ts';

/** Packages that a project brings itself, with the versions that our packages take. */
const PEERS: Readonly<Record<string, string>> = { eslint: 'eslint@10', typescript: 'typescript@6.0' };

/** What to tell a person whose project lacks a peer of ours; undefined for any other error. */
export function missingPeer(error: unknown, cwd: string): UserError | undefined {
  if (
    !(error instanceof Error) ||
    !/^(?:ERR_)?MODULE_NOT_FOUND$/.test((error as { code?: string }).code ?? '')
  )
    return undefined;
  // Node's words, or those of Yarn's PnP.
  const [, name = ''] =
    /(?:^Cannot find (?:package|module) '|tried to access )([\w@/-]+)/m.exec(error.message) ?? [];
  const wanted = Object.hasOwn(PEERS, name) ? PEERS[name] : undefined;
  return wanted === undefined
    ? undefined
    : new UserError(`${name} is not installed here`, `Install it: ${installCommand(cwd, wanted, true)}`);
}
