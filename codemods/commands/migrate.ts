import { resolve } from 'node:path';
import { defineCommand, EXIT, UserError, type Context } from 'owned-spawn/cli';
import { setImmediate } from 'node:timers/promises';
import { baseOf, shownPath } from 'eslint-plugin-owned-spawn/api';
import { changesOf } from '../apply/changes.ts';
import { isAborted } from '../apply/is-aborted.ts';
import { gitState } from '../apply/git.ts';
import { hasJournal, journalRoot, replaceFiles, withJournal, type Change } from '../apply/journal.ts';
import type { Ready } from '../gates/pass-gates.ts';
import { refuseHalf, resume, rollback } from '../apply/undo.ts';
import { installs } from '../plan/installs.ts';
import { knownDecisions, readPlan, replayed, writePlan } from '../plan/plan-file.ts';
import { totalsOf, type Plan, type Refusal } from '../plan/plan.ts';
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

export const command = defineCommand({
  name: 'migrate',
  summary: 'move child processes and blocking calls onto the owned-spawn runtime',
  usage: '[paths…]',
  flags: {
    write: { help: 'edit the files; without it the diff is only shown', short: 'w' },
    rollback: { help: 'take the last migration back, whole or cut off' },
    resume: { help: 'bring a migration that was cut off to its end' },
    check: { help: 'exit with 1 if there is something to migrate' },
    recipe: {
      help: 'what to migrate: one recipe, or several together',
      value: 'NAME',
      choices: RECIPES.map(({ name }) => name),
      multiple: true,
    },
    outliving: {
      help: 'what to do where a child seems meant to outlive its owner (leave)',
      value: 'WHAT',
      choices: ['leave', 'own', 'detach'],
    },
    'allow-api-change': { help: 'off-loop: make exported functions async too' },
    twins: {
      help: 'off-loop: where a function must stay as it is for others, write an async twin beside it for callers on the loop',
    },
    everywhere: { help: 'off-loop: move calls too that nothing on the event loop leads to' },
    'despite-doubles': {
      help: 'migrate calls too that a test replaces by a double, and note it: adapt the tests',
    },
    only: {
      help: 'plan these only: a reason, a path or glob, a site (file:line), the rule',
      value: 'WHAT',
      multiple: true,
    },
    skip: {
      help: 'plan all but these: a reason, a path or glob, a site (file:line), the rule',
      value: 'WHAT',
      multiple: true,
    },
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
    interactive: { help: 'show each set and ask whether to migrate it', short: 'i' },
    test: {
      help: 'try it out by the tests: they must pass before, and pass with what is migrated',
      value: 'COMMAND',
    },
    install: { help: 'install the runtime after --write, by the package manager of the lockfile' },
    plan: {
      help: 'write the plan, with every site and edit, to a file; what it says was decided holds',
      value: 'FILE',
    },
    from: { help: 'take this plan as it is instead of planning', value: 'FILE' },
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
    for (const flag of ['test', 'install'] as const)
      if (values[flag] !== undefined && !values.write) throw new UserError(`--${flag} goes with --write`);
    const base = baseOf(paths.length > 0 ? paths : ['.'], cwd);
    const root = journalRoot(base);
    if (values.rollback) return rollback(root, context);
    if (values.resume) return resume(root, context);
    if (hasJournal(root)) await refuseHalf(root);
    const maxLeft = values['max-left'] ?? Infinity;
    if (values['max-left'] !== undefined && !Number.isInteger(maxLeft))
      throw new UserError(`--max-left takes a whole number, not "${maxLeft}"`);
    const recipe = recipeNamed(...(values.recipe ?? []));
    const options: ProjectOptions = {
      paths,
      cwd,
      config: values.config,
      signal,
      progress: (text) => {
        err.progress(text);
      },
      allowApiChange: values['allow-api-change'],
      despiteDoubles: values['despite-doubles'],
      twins: values.twins,
      everywhere: values.everywhere,
      outliving: values.outliving ?? 'leave',
      selected: selection(recipe.rules, values.only, values.skip),
      markers: values['insert-markers'] ?? false,
      todos: values['insert-todos'] ?? false,
    };
    const planFile = values.plan === undefined ? undefined : resolve(cwd, values.plan);
    const drafted =
      values.from === undefined
        ? await planned(recipe, options, planFile, values.interactive === true, context)
        : { planned: replayed(readPlan(resolve(cwd, values.from)), base), decisions: {} };
    if (!drafted || isAborted(signal)) return interrupted(context);
    if (drafted.planned.files === 0) err.line('No source files here: nothing to migrate.');
    const { refused = new Map<string, Refusal>() } = drafted;
    let ready: Ready = {
      planned: drafted.planned,
      refused,
      changes: await changesOf(drafted.planned, values.write === true),
    };
    if (ready.changes.length > 0 && values.from === undefined && !values['no-gates']) {
      // Loaded on demand: the gates bring the compiler, and mostly there is nothing to migrate.
      const { passGates } = await import('../gates/pass-gates.ts');
      ready = await passGates(recipe, options, ready);
    }
    if (values.write && ready.changes.length > 0) {
      await checkGit(ready.changes, values['allow-dirty'] ?? false, context);
      if (values.test !== undefined) {
        const { passTests } = await import('../gates/test-gate.ts');
        const gate = { command: values.test, root, install: values.install ?? false };
        ready = await passTests(recipe, options, ready, gate, context);
      }
    }
    if (isAborted(signal)) return interrupted(context);
    const { changes } = ready;
    const { plan, failures, notes, manifests } = ready.planned;
    if (Object.keys(drafted.decisions).length > 0) plan.decisions = drafted.decisions;
    if (planFile !== undefined) await writePlan(planFile, plan);
    const written =
      values.write === true &&
      (changes.length === 0 || (await withJournal(root, () => replaceFiles(root, changes, signal))));
    if (values.write && !written) return interrupted(context);

    out.write(reports[values.report ?? 'text'](overviewOf(ready.planned, written), out));
    for (const note of notes) err.line(err.yellow(note));
    for (const failure of failures) err.line(err.red(failure));
    if (written && changes.length > 0) err.line(err.dim('migrate --rollback takes it back.'));
    if (manifests.length > 0) await installRuntime(manifests, written, values.install === true, context);
    // A signal that came while the files were replaced, which nothing can interrupt, is seen only now.
    await setImmediate();
    if (isAborted(signal)) return interrupted(context, written ? changes.length : 0);
    if (failures.length > 0) return EXIT.failed;
    return (values.check && changes.length > 0) || totalsOf(plan).left > maxLeft ? EXIT.no : EXIT.ok;
  },
});

interface Drafted {
  planned: Planned;
  decisions: NonNullable<Plan['decisions']>;
  refused?: ProjectOptions['refused'];
}

/** Plans by what was decided in an earlier run, and is decided now; undefined where it was interrupted. */
async function planned(
  recipe: Recipe,
  options: ProjectOptions,
  planFile: string | undefined,
  isInteractive: boolean,
  { out, signal }: Context,
): Promise<Drafted | undefined> {
  const known = planFile === undefined ? {} : knownDecisions(planFile);
  const first = await recipe.plan({ ...options, refused: declined(known, []) });
  if (!isInteractive || isAborted(signal))
    return { planned: first, decisions: known, refused: declined(known, []) };
  const { interview, onTerminal } = await import('../plan/interview.ts');
  const { sets } = overviewOf(first, false);
  let decisions;
  try {
    decisions = await onTerminal(signal, (ask) => interview(sets, known, ask, out));
  } catch (error) {
    if (isAborted(signal)) return undefined;
    throw error;
  }
  const open = sets.map(({ name }) => name).filter((name) => decisions[name] !== 'yes');
  const refused = declined(decisions, open);
  const next = open.length === 0 ? first : await recipe.plan({ ...options, refused });
  return { planned: next, decisions, refused };
}

/** The sets that a person said no to, and those that nobody has decided about yet. */
const declined = (
  decisions: NonNullable<Plan['decisions']>,
  open: readonly string[],
): ReadonlyMap<string, Refusal> =>
  new Map<string, Refusal>([
    ...open.map((name) => [name, { reason: 'declined', text: 'not decided yet' }] as const),
    ...Object.entries(decisions).flatMap(([name, said]) =>
      said === 'no' ? [[name, { reason: 'declined' }] as const] : [],
    ),
  ]);

/** Installs the runtime where that was asked for; else says how. */
async function installRuntime(
  manifests: readonly string[],
  isWritten: boolean,
  isWanted: boolean,
  { cwd, err, signal }: Context,
): Promise<void> {
  const todo = installs(manifests).map(({ folder, command }) =>
    folder === cwd ? command : `${command} (in ${shownPath(folder, cwd)})`,
  );
  if (!isWritten) {
    err.line(`--write also adds owned-spawn to the dependencies; then install it: ${todo.join(', ')}`);
    return;
  }
  if (!isWanted) {
    err.line(`Now install the runtime: ${todo.join(', ')}`);
    return;
  }
  err.line(err.dim(todo.join(', ')));
  const { install } = await import('../gates/test-gate.ts');
  await install(manifests, signal);
}

function interrupted({ err }: Context, files = 0): number {
  err.line(
    files === 0
      ? 'Interrupted: nothing was changed.'
      : `Interrupted, but all ${files} files are migrated: migrate --rollback takes it back.`,
  );
  return EXIT.interrupted;
}
