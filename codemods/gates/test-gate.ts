import { UserError, type Context } from 'owned-spawn/cli';
import { isAborted } from '../apply/is-aborted.ts';
import { changesOf } from '../apply/changes.ts';
import { bring, forget, replaceFiles, withJournal, type Change } from '../apply/journal.ts';
import { runCommand, type Ran } from '../apply/run-command.ts';
import { hasRuntime, installs } from '../plan/installs.ts';
import type { Refusal } from '../plan/plan.ts';
import type { ProjectOptions } from '../plan/project.ts';
import type { Recipe } from '../recipes/recipes.ts';
import { greenSets } from './green-sets.ts';
import type { Ready } from './pass-gates.ts';

/** What the test gate needs besides the plan. */
export interface TestGate {
  /** Runs the project's tests. */
  command: string;
  /** The folder that keeps the journal. */
  root: string;
  /** Install the runtime where it is missing; without it a missing runtime is an error. */
  install: boolean;
}

/**
 * Tries a migration out by the project's own tests: they must pass before; then the files are replaced, the tests run, and
 * the files are put back. Where they fail, the sets to blame are found by halves, and left.
 *
 * @returns the plan of the sets with which the tests pass; the files are as they were
 * @throws {UserError} where the tests fail before, or would not find the runtime
 */
export async function passTests(
  recipe: Recipe,
  options: ProjectOptions,
  ready: Ready,
  { command, root, install }: TestGate,
  { cwd, err, signal }: Context,
): Promise<Ready> {
  const test = async (what: string): Promise<Ran> => {
    err.line(err.dim(`${what}: ${command}`));
    return runCommand(command, cwd, signal);
  };
  const before = await test('before the migration');
  if (isAborted(signal)) return ready;
  if (!before.isGreen)
    throw new UserError(
      `the tests fail before the migration: ${command}\n${before.output}`,
      'Nothing was changed. Give a command that passes now.',
    );
  const sets = setsOf(ready);
  let isInstalled = false;
  let red = '';

  const planOf = async (kept: readonly string[]): Promise<Ready> => {
    const others = sets.filter((set) => !kept.includes(set));
    if (others.length === 0) return ready;
    const left = new Map<string, Refusal>([
      ...ready.refused,
      ...others.map((set) => [set, refusalOf(red)] as const),
    ]);
    const planned = await recipe.plan({ ...options, refused: left, voids: ready.voids });
    return { ...ready, planned, changes: await changesOf(planned, true), refused: left };
  };
  const good = await greenSets(sets, async (some) => {
    if (isAborted(signal)) return false;
    const { changes, planned } = await planOf(some);
    const ran = await tried(root, changes, signal, async () => {
      if (!isInstalled) await installMissing(planned.manifests, install, signal);
      isInstalled = true;
      return test(`with ${some.length} of ${sets.length} sets`);
    });
    if (!ran.isGreen) red = ran.output.split('\n').at(-1) ?? '';
    return ran.isGreen;
  });
  return isAborted(signal) ? ready : planOf(good);
}

const refusalOf = (red: string): Refusal => ({
  reason: 'tests',
  ...(red !== '' && { text: `the project's tests fail with it: ${red.trim().slice(0, 120)}` }),
});

const setsOf = ({ planned }: Ready): string[] => [
  ...new Set(
    Object.values(planned.plan.files).flatMap(({ edits }) => edits.flatMap(({ sets = [] }) => sets)),
  ),
];

/** Replaces files, does something, and puts them back. */
async function tried(
  root: string,
  changes: readonly Change[],
  signal: AbortSignal,
  work: () => Promise<Ran>,
): Promise<Ran> {
  if (!(await withJournal(root, () => replaceFiles(root, changes, signal))))
    return { isGreen: false, output: '' };
  try {
    return await work();
  } finally {
    await withJournal(root, (journal) => {
      if (!journal) return;
      bring(root, journal, 'before');
      forget(root, journal);
    });
  }
}

/** Makes sure that the tests find the runtime. */
async function installMissing(
  manifests: readonly string[],
  isWanted: boolean,
  signal: AbortSignal,
): Promise<void> {
  const missing = manifests.filter((manifest) => !hasRuntime(manifest));
  if (missing.length === 0) return;
  const todo = installs(missing);
  if (!isWanted)
    throw new UserError(
      'the tests would not find the runtime, which is not installed here',
      `Nothing was changed. Add --install, or install it first: ${todo.map(({ command }) => `${command.replace(/install$/, 'add')} owned-spawn`).join('; ')}`,
    );
  await install(missing, signal);
}

/**
 * Installs what manifests ask for.
 * @throws {UserError} with the end of what the package manager said, where it failed
 */
export async function install(manifests: readonly string[], signal: AbortSignal): Promise<void> {
  for (const { folder, command } of installs(manifests)) {
    const { isGreen, output } = await runCommand(command, folder, signal);
    if (!isGreen && !signal.aborted) throw new UserError(`${command} failed in ${folder}:\n${output}`);
  }
}
