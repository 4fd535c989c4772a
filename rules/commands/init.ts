import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineCommand, EXIT, UserError, type Context } from 'owned-spawn/cli';
import { coloured, unifiedDiff } from '../edits/diff.ts';
import { CONFIG_NAMES } from '../check/config.ts';
import { check } from '../check/run.ts';
import { CI } from '../init/ci.ts';
import { HOOKS } from '../init/hooks.ts';
import { PLUGIN } from '../init/preset-edits.ts';
import { findProject, type FoundProject } from '../init/project.ts';
import { stepsOf, type OfferedStep } from '../init/steps.ts';
import { standText } from '../init/stand.ts';
import { writeFiles } from '../init/write.ts';

const PRESETS = ['recommended', 'recommended-type-checked', 'strict'] as const;

/** What happens to the steps: all that are usual are done, each is asked about, or nothing is written. */
type Mode = 'all' | 'ask' | 'show';

export const command = defineCommand({
  name: 'init',
  summary: 'set up a project: ESLint config, commit hook, CI job',
  usage: '',
  flags: {
    preset: { help: 'which rules (recommended)', value: 'NAME', choices: PRESETS },
    runtime: { help: 'add the runtime to the dependencies too' },
    hook: {
      help: 'check before each commit by this tool (the one that is set up here)',
      value: 'TOOL',
      choices: [...HOOKS, 'none'],
    },
    ci: {
      help: 'write a job for this service (the one that is used here)',
      value: 'SERVICE',
      choices: [...CI, 'none'],
    },
    'dry-run': { help: 'show what would be written, and write nothing', short: 'n' },
    yes: { help: 'ask nothing', short: 'y' },
  },
  examples: [
    ['owned-spawn init', 'Ask about each step; without a terminal only show them'],
    ['owned-spawn init --dry-run', 'Show what would be written'],
    ['owned-spawn init --yes --runtime', 'Do it all, and depend on the runtime too'],
    ['owned-spawn init --yes --hook none --ci github', 'The ESLint config and a workflow of GitHub Actions'],
  ],
  async run(values, positionals, context) {
    const { cwd, out, signal } = context;
    if (positionals.length > 0)
      throw new UserError(
        `init takes no paths, and "${positionals.join(' ')}" is one`,
        'Run it in the folder.',
      );
    const project = findProject(cwd);
    const steps = stepsOf(project, {
      preset: values.preset ?? 'recommended',
      runtime: values.runtime ?? false,
      hook: values.hook,
      ci: values.ci,
    });
    const mode: Mode = values['dry-run'] ? 'show' : values.yes ? 'all' : context.ask ? 'ask' : 'show';
    for (const step of steps) {
      await take(step, mode, project, context);
      if (signal.aborted) return interrupted(context);
    }
    if (mode !== 'show' && project.pending.size > 0) {
      const { commands, byHand } = await writeFiles(project.root, project.pending);
      out.line(out.green(`Written: ${[...project.pending.keys()].join(', ')}`));
      if (commands.length > 0) out.line(`Undo: ${commands.join(' && ')}`);
      if (byHand.length > 0)
        out.line(`git cannot bring back ${byHand.join(', ')}: take out what is shown above.`);
    }
    if (mode === 'show')
      out.line(values['dry-run'] ? 'Nothing was written.' : 'Nothing was written: say --yes to write it.');
    out.line();
    await showStand(project, mode !== 'show' && project.pending.size > 0, context);
    return signal.aborted ? EXIT.interrupted : EXIT.ok;
  },
});

/** Shows one step, and keeps what it comes to if it is wanted. */
async function take(step: OfferedStep, mode: Mode, project: FoundProject, context: Context): Promise<void> {
  const { out, ask } = context;
  if (step.optional && mode !== 'ask') return;
  const outcome = step.run(project);
  if (outcome === 'present') {
    if (!step.optional) out.line(out.dim(`There already: ${step.title}`));
    return;
  }
  if ('unsure' in outcome) {
    out.line(out.yellow(`By hand: ${step.title}`));
    out.line(`  ${outcome.file} is left as it is: ${outcome.unsure}. Add to it:`);
    out.line(outcome.add.replaceAll(/^/gm, '    '));
    out.line();
    return;
  }
  out.line(out.bold(step.title.replace(/^./, (first) => first.toUpperCase())));
  for (const [name, text] of Object.entries(outcome.files)) {
    const diff = unifiedDiff(name, project.read(name) ?? '', text);
    out.write(out.colour ? coloured(diff, out) : diff);
  }
  out.line();
  const isWanted = mode !== 'ask' || isYes(await ask?.(questionOf(step)), !step.optional);
  if (isWanted) for (const [name, text] of Object.entries(outcome.files)) project.pending.set(name, text);
}

const questionOf = ({ title, optional }: OfferedStep): string =>
  `Shall I ${title}? ${optional ? '[y/N]' : '[Y/n]'} `;

/** No answer at all, as at the end of the input, is no. */
const isYes = (answer: string | undefined, usual: boolean): boolean =>
  answer?.trim() === '' ? usual : /^y(?:es)?$/i.test(answer?.trim() ?? '');

function interrupted({ err }: Context): number {
  err.line('Interrupted: nothing was written.');
  return EXIT.interrupted;
}

/** Says what check finds now, and what may be done about it. */
async function showStand(
  { root, config, manager, pending }: FoundProject,
  isWritten: boolean,
  { out, err, signal }: Context,
): Promise<void> {
  const written = [...pending].flatMap(([name, text]) => (CONFIG_NAMES.includes(name) ? text : []));
  const added = isWritten ? pending.get('package.json') : undefined;
  if (added !== undefined && missing(root, added).length > 0)
    out.line(`Now install what package.json has: ${manager.name} install`);
  if (isWritten && missing(root, written.join('')).length > 0) {
    out.line('Then see what there is:            owned-spawn check');
    return;
  }
  const result = await check({
    paths: [],
    cwd: root,
    minified: false,
    ignored: false,
    signal,
    progress: (text) => {
      err.progress(text);
    },
  });
  if (!signal.aborted)
    out.write(standText(result, config ?? [...pending.keys()][0] ?? 'eslint.config.js', out));
}

/** What a text that we wrote names and what its folder has not: npx runs us where nothing is installed yet. */
const missing = (root: string, text: string): string[] =>
  [PLUGIN, 'typescript-eslint', 'owned-spawn'].filter(
    (name) => new RegExp(`['"]${name}['"]`).test(text) && !isInstalled(root, name),
  );

function isInstalled(root: string, name: string): boolean {
  try {
    createRequire(join(root, 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
}
