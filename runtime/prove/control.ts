import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Descendant } from './descendants.ts';
import { startProgram, type Program } from './program.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** A bystander: must be at the end what it was before the kill. */
export interface Control {
  program: Program;
  /** The owner and its children as they were before the kill. */
  before: Descendant[];
}

/** Starts the bystander and waits until its children run. */
export async function startControl(
  context: { cwd: string; env: NodeJS.ProcessEnv },
  onStart: (program: Program) => void,
  signal: AbortSignal,
): Promise<Control> {
  // The same file name from source and from dist.
  const owner = fileURLToPath(new URL(`./control-owner${extname(import.meta.url)}`, import.meta.url));
  // Flags such as --import carry over; a debugger's port cannot be shared.
  const flags = process.execArgv.filter((flag) => !flag.startsWith('--inspect'));
  const program = await startProgram(process.execPath, [...flags, owner], context);
  onStart(program);
  await waitUntilReady(program, { text: 'ready', timeoutMs: 60_000 }, signal, () => {});
  return { program, before: [program.descendants.owner, ...program.descendants.living()] };
}

/** Those of the bystander's processes that are alive, out of those that were before the kill. */
export function untouched({ program, before }: Control): Descendant[] {
  program.descendants.scan();
  return before.filter(({ diedAt }) => diedAt === undefined);
}
