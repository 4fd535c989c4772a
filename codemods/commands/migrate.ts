import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defineCommand, EXIT, installCommand, UserError, type Context } from 'owned-spawn/cli';
import { setImmediate } from 'node:timers/promises';
import { baseOf } from 'eslint-plugin-owned-spawn/api';
import { changesOf } from '../apply/changes.ts';
import { gitState } from '../apply/git.ts';
import { hasJournal, journalRoot, replaceFiles, withJournal, type Change } from '../apply/journal.ts';
import type { Ready } from '../gates/pass-gates.ts';
import { refuseHalf, resume, rollback } from '../apply/undo.ts';
import { totalsOf } from '../plan/plan.ts';
import type { Planned, ProjectOptions } from '../plan/project.ts';
import { selection } from '../plan/selection.ts';
import { RECIPES, recipeNamed, type Recipe } from '../recipes/recipes.ts';
import { overviewOf } from '../report/overview.ts';
import { reports } from '../report/reports.ts';

const FORMATS = ['text', 'json', 'md', 'html', 'sarif'] as const satisfies (keyof typeof reports)[];

/** Refuses what git could not undo. */
async function checkGit(changes: readonly Change[], allowDirty: boolean, { err }: Context): Promise<void> {
  const { dirty, outside } = await gitState(changes.map(({ path }) => path));
  if (dirty.length > 0 && !allowDirty) {
    const some = dirty.slice(0, 3).join(', ') + (dirty.length > 3 ? `, … (${dirty.length})` : '');
    throw new UserError(
      `the git tree has uncommitted changes: ${some}`,
      'Commit or stash them first, so that git can undo the migration; or say --allow-dirty. Nothing was changed.',
    );
  }
  if (outside)
    err.line(
      err.dim('Not all of these files are in a git repository: git cannot undo this migration there.'),
    );
}

async function write(
  root: string,
  changes: readonly Change[],
  allowDirty: boolean,
  context: Context,
): Promise<boolean> {
  if (changes.length === 0) return true;
  await checkGit(changes, allowDirty, context);
  return withJournal(root, () => replaceFiles(root, changes, context.signal));
}

export const command = defineCommand({
  name: 'migrate',
  summary: 'move child processes onto the owned-spawn runtime',
  usage: '[paths…]',
  flags: {
    write: { help: 'edit the files; without it the diff is only shown', short: 'w' },
    rollback: { help: 'take the last migration back, whole or cut off' },
    resume: { help: 'bring a migration that was cut off to its end' },
    check: { help: 'exit with 1 if there is something to migrate' },
    recipe: { help: 'what to migrate', value: 'NAME', choices: RECIPES.map(({ name }) => name) },
    outliving: {
      help: 'what to do where a child seems meant to outlive its owner (leave)',
      value: 'WHAT',
      choices: ['leave', 'own', 'detach'],
    },
    'allow-api-change': { help: 'off-loop: make exported functions async too' },
    everywhere: { help: 'off-loop: move calls too that nothing on the event loop leads to' },
    only: { help: 'plan these only: a reason, a path or glob, the rule', value: 'WHAT', multiple: true },
    skip: { help: 'plan all but these: a reason, a path or glob, the rule', value: 'WHAT', multiple: true },
    'insert-markers': {
      help: 'put a marker, its reason still to be written, above each child left as outliving',
    },
    'insert-todos': { help: 'put a comment with the reason above each other site that is left' },
    'no-gates': { help: 'neither type-check nor lint the edited code' },
    'allow-dirty': { help: 'write although the git tree has uncommitted changes' },
    'max-left': { help: 'exit with 1 if more sites are left alone', value: 'N', number: true },
    config: {
      help: 'take the settings from this ESLint config, whatever it names',
      value: 'FILE',
      short: 'c',
    },
    plan: { help: 'write the plan, with every site and edit, to a file', value: 'FILE' },
    report: { help: 'how to report', value: 'FORMAT', choices: FORMATS },
  },
  examples: [
    ['owned-spawn migrate', 'Show the diff of the current folder, and what is left alone and why'],
    ['owned-spawn migrate src --write', 'Edit the files below src'],
    [
      'owned-spawn migrate --outliving detach --write',
      'Write spawnDetached, with its reason to be filled in, for daemons',
    ],
    [
      'owned-spawn migrate --only outlives --outliving own --write',
      'Edit only where a child seems meant to outlive its owner',
    ],
    ['owned-spawn migrate --check --max-left 0', 'Fail in CI while something is left to do'],
  ],
  async run(values, paths, context) {
    const { cwd, out, err, signal } = context;
    if (values.write && values.check) throw new UserError('--write and --check exclude each other');
    const base = baseOf(paths.length > 0 ? paths : ['.'], cwd);
    const root = journalRoot(base);
    if (values.rollback) return rollback(root, context);
    if (values.resume) return resume(root, context);
    if (hasJournal(root)) await refuseHalf(root);
    const maxLeft = values['max-left'] ?? Infinity;
    if (values['max-left'] !== undefined && !Number.isInteger(maxLeft))
      throw new UserError(`--max-left takes a whole number, not "${maxLeft}"`);
    const recipe = recipeNamed(values.recipe ?? RECIPES[0].name);
    const options: ProjectOptions = {
      paths,
      cwd,
      config: values.config,
      signal,
      progress: (text) => {
        err.progress(text);
      },
      allowApiChange: values['allow-api-change'],
      everywhere: values.everywhere,
      outliving: values.outliving ?? 'leave',
      selected: selection(recipe.rules, values.only, values.skip),
      markers: values['insert-markers'] ?? false,
      todos: values['insert-todos'] ?? false,
    };
    const first = await recipe.plan(options);
    if (signal.aborted) return interrupted(context);
    if (first.files === 0) err.line('No source files here: nothing to migrate.');
    const drafted = { planned: first, changes: await changesOf(first, values.write ?? false) };
    const { planned, changes } = values['no-gates'] ? drafted : await gated(recipe, options, drafted);
    if (isAborted(signal)) return interrupted(context);
    const { plan, failures, notes } = planned;
    if (values.plan !== undefined) writePlan(resolve(cwd, values.plan), plan);
    const written =
      values.write === true && (await write(root, changes, values['allow-dirty'] ?? false, context));
    if (values.write && !written) return interrupted(context);

    out.write(reports[values.report ?? 'text'](overviewOf(planned, written), out));
    for (const note of notes) err.line(err.yellow(note));
    for (const failure of failures) err.line(err.red(failure));
    if (planned.manifests.length > 0) {
      const command = installCommand(dirname(planned.manifests[0] ?? cwd), 'owned-spawn', false);
      err.line(
        written
          ? `Now install the runtime: ${command}`
          : `--write also adds owned-spawn to the dependencies; then install it: ${command}`,
      );
    }
    if (written && changes.length > 0) err.line(err.dim('migrate --rollback takes it back.'));
    // A signal that came while the files were replaced, which nothing can interrupt, is seen only now.
    await setImmediate();
    if (isAborted(signal)) return interrupted(context, written ? changes.length : 0);
    if (failures.length > 0) return EXIT.failed;
    return (values.check && changes.length > 0) || totalsOf(plan).left > maxLeft ? EXIT.no : EXIT.ok;
  },
});

/** Loaded on demand: the gates bring the compiler, and mostly there is nothing to migrate. */
async function gated(recipe: Recipe, options: ProjectOptions, ready: Ready): Promise<Ready> {
  if (ready.changes.length === 0) return ready;
  const { passGates } = await import('../gates/pass-gates.ts');
  return passGates(recipe, options, ready);
}

/** The signal changes its mind behind the compiler's back. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

function interrupted({ err }: Context, files = 0): number {
  err.line(
    files === 0
      ? 'Interrupted: nothing was changed.'
      : `Interrupted, but all ${files} files are migrated: migrate --rollback takes it back.`,
  );
  return EXIT.interrupted;
}

function writePlan(path: string, plan: Planned['plan']): void {
  try {
    writeFileSync(path, `${JSON.stringify(plan, undefined, 2)}\n`);
  } catch (error) {
    throw new UserError(
      `cannot write the plan to ${path}: ${(error as NodeJS.ErrnoException).code ?? ''}`,
      'Nothing was changed.',
    );
  }
}
