import { once } from 'node:events';
import { killOwned, spawnOwned } from 'owned-spawn';

/** How a command ended, and the end of what it said. */
export interface Ran {
  isGreen: boolean;
  output: string;
}

const LINES = 20;

/**
 * Runs a command line in a shell; it and all that it starts end with us.
 * @param signal ends the command; it then counts as red
 */
export async function runCommand(command: string, cwd: string, signal: AbortSignal): Promise<Ran> {
  const child = spawnOwned(command, [], { cwd, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const take = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-100_000);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const stop = (): void => void killOwned(child);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return {
      isGreen: code === 0 && !signal.aborted,
      output: output.trimEnd().split('\n').slice(-LINES).join('\n'),
    };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
