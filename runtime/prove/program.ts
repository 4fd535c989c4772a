import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { UserError } from '../cli/exit.ts';
import { formatMark, markNeedle, MARK_VARIABLE } from '../process/mark.ts';
import { ownProcessGroups, releaseProcessGroups } from '../spawn/groups.ts';
import { spawnOwned } from '../spawn/spawn-owned.ts';
import { followDescendants, type Descendants } from './descendants.ts';
import { collectOutput, type Output } from './output.ts';

/** A program that prove started: the owner whose descendants are counted. */
export interface Program {
  /** What messages call it. */
  name: string;
  child: ChildProcess;
  descendants: Descendants;
  output: Output;
}

const nonce = randomBytes(6).toString('hex');
let started = 0;

const WHY_NOT: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such command',
  EACCES: 'the file may not be executed',
};

/**
 * Starts a program as an owner: in a session of its own, so that a Ctrl-C reaches prove alone, with an open and empty
 * stdin, and with a mark by which its descendants are known.
 * @throws UserError where it cannot be started.
 */
export async function startProgram(
  name: string,
  [command = '', ...args]: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Program> {
  const mark = { ownerPid: process.pid, nonce, seq: ++started };
  const output = collectOutput();
  try {
    const child: ChildProcess = spawnOwned(command, args, {
      cwd,
      env: { ...env, [MARK_VARIABLE]: `${env[MARK_VARIABLE] ?? ''}${formatMark(mark)}` },
      stdio: ['pipe', output.fd, output.fd],
    });
    child.stdin?.on('error', () => {
      // It may close its stdin, or die before us.
    });
    if (child.pid === undefined) await once(child, 'error').then(([error]) => Promise.reject(error as Error));
    const descendants = ownFound(followDescendants(child.pid ?? 0, markNeedle(mark)));
    return { name, child, descendants, output };
  } catch (error) {
    output.close();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UserError(`could not start "${command}": ${WHY_NOT[code ?? ''] ?? message}`);
  }
}

/** How a program ended, in words; undefined while it runs. */
export function howItEnded({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (signalCode !== null) return `by ${signalCode}`;
  return exitCode === null ? undefined : `with code ${exitCode}`;
}

const groupsOf = ({ living }: Descendants): number[] => [...new Set(living().map(({ row }) => row.pgid))];

/** Makes every group that a scan finds end with prove, however prove ends. */
function ownFound(descendants: Descendants): Descendants {
  const known = new Set<number>();
  return {
    ...descendants,
    scan() {
      descendants.scan();
      for (const group of groupsOf(descendants)) {
        if (known.has(group)) continue;
        known.add(group);
        try {
          ownProcessGroups(group);
        } catch {
          // Its leader joined another group, which is found as well.
        }
      }
    },
  };
}

/** Lets what is left of a program outlive prove. */
export function letGo({ descendants }: Program): void {
  releaseProcessGroups(groupsOf(descendants));
}
