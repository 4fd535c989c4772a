import { defineCommand, EXIT, UserError, type Terminal } from 'owned-spawn/cli';
import { byPosition, exceptionsOf, type ListedException } from '../check/exceptions.ts';
import { baseOf } from '../check/files.ts';
import { lineHistory, mergeBase } from '../check/history.ts';
import { lintFiles, type LintedFile } from '../check/lint-files.ts';
import { exceptionReports } from '../check/report/exception-reports.ts';

const FORMATS = ['table', 'json', 'sarif'] as const satisfies (keyof typeof exceptionReports)[];

interface FileExceptions {
  /** Absolute. */
  path: string;
  exceptions: ListedException[];
}

const MENTION = /(?:detached-spawn|blocking-call)\s*:|(?:eslint|oxlint)-disable/i;

/** Why a file that seems to hold exceptions cannot be read as code. */
const unparsed = ({ text, linted: { messages } }: LintedFile): string | undefined =>
  MENTION.test(text) ? messages.find(({ fatal }) => fatal)?.message : undefined;

/** Writes into each exception when its line was committed; returns those that are not older than a revision. */
async function withHistory(
  { path, exceptions }: FileExceptions,
  revision: string | undefined,
): Promise<ListedException[]> {
  if (exceptions.length === 0) return [];
  const lines = [...new Set(exceptions.map(({ line }) => line))];
  const now = await lineHistory(path, lines);
  const then = revision === undefined ? undefined : await lineHistory(path, lines, revision);
  return exceptions
    .map((exception) => ({ ...exception, since: now?.get(exception.line)?.since ?? null }))
    .filter(({ line }) => then?.get(line)?.isOld !== true);
}

const isExpired = ({ until }: ListedException): boolean =>
  until !== null && /^\d{4}-\d{2}-\d{2}$/.test(until) && until < new Date().toISOString().slice(0, 10);

function checkedMax(max: number | undefined): number {
  if (max !== undefined && !Number.isInteger(max))
    throw new UserError(`--max takes a whole number, not "${max}"`);
  return max ?? Infinity;
}

function noteHistory(listed: readonly ListedException[], err: Terminal): void {
  if (listed.length > 0 && listed.every(({ since }) => since === null))
    err.line(err.dim('git knows none of these lines (no repository, or not committed): no dates.'));
}

/** Tells of groups in the settings that excuse nothing any more, by their reasons. */
function noteIdleGroups(groups: ReadonlySet<string>, files: readonly FileExceptions[], err: Terminal): void {
  const used = new Set(
    files.flatMap(({ exceptions }) =>
      exceptions.filter(({ kind }) => kind === 'allow').map(({ reason }) => reason),
    ),
  );
  for (const reason of groups) {
    if (!used.has(reason))
      err.line(err.yellow(`A group of settings['owned-spawn'].allow covers nothing here: "${reason}"`));
  }
}

export const command = defineCommand({
  name: 'markers',
  summary: 'list what is excused from the rules, and why',
  usage: '[paths…]',
  flags: {
    format: { help: 'how to report', value: 'FORMAT', choices: FORMATS },
    expired: { help: 'list those whose `until` is past; exit with 1 if there are any' },
    since: { help: 'list those that were added since the branch left REV', value: 'REV' },
    rollout: { help: 'list those that are `ok — for-rollout`' },
    max: { help: 'exit with 1 if more are listed', value: 'N', number: true },
    config: { help: 'use this ESLint config, whatever it names', value: 'FILE', short: 'c' },
    minified: { help: 'read minified files too' },
    'include-ignored': { help: 'read files that git ignores too' },
  },
  examples: [
    ['owned-spawn markers', 'List every exception below the current folder with its reason'],
    ['owned-spawn markers --since origin/main', 'What a pull request adds'],
    ['owned-spawn markers --rollout --max 12', 'Fail in CI when bulk markers grow again'],
    ['owned-spawn markers --expired', 'Fail in CI when a marker has outlived its date'],
    ['owned-spawn markers --format sarif > exceptions.sarif', 'Report to a code scanner'],
  ],
  async run(values, paths, { cwd, out, err, signal }) {
    const max = checkedMax(values.max);
    const base = baseOf(paths.length > 0 ? paths : ['.'], cwd);
    const revision = values.since === undefined ? undefined : await mergeBase(base, values.since);
    const files: FileExceptions[] = [];
    const failures: string[] = [];
    const groups = new Set<string>();
    await lintFiles(
      {
        paths,
        cwd,
        config: values.config,
        minified: values.minified ?? false,
        ignored: values['include-ignored'] ?? false,
        signal,
        progress: (text) => {
          err.progress(text);
        },
      },
      (file) => {
        for (const { reason } of file.linted.settings.allow ?? []) groups.add(reason);
        const why = unparsed(file);
        if (why !== undefined) failures.push(`${file.shown} cannot be parsed: ${why}`);
        files.push({ path: file.path, exceptions: exceptionsOf(file) });
      },
      (shown, error) => {
        const { code, message } = error as NodeJS.ErrnoException;
        failures.push(`${shown} cannot be read: ${code ?? message}`);
      },
    );
    const listed: ListedException[] = [];
    if (paths.length === 0) noteIdleGroups(groups, files, err);
    for (const file of files) {
      if (signal.aborted) return EXIT.interrupted;
      err.progress(`asking git about ${file.path}`);
      listed.push(...(await withHistory(file, revision)));
    }
    err.progress('');
    const shown = listed
      .filter((exception) => !values.rollout || exception.rollout)
      .filter((exception) => !values.expired || isExpired(exception))
      .sort(byPosition);
    out.write(exceptionReports[values.format ?? 'table'](shown, out));
    noteHistory(shown, err);
    for (const failure of failures) err.line(err.red(failure));
    if (shown.length > max) err.line(err.red(`${shown.length} listed, at most ${max} allowed.`));
    if (failures.length > 0) return EXIT.failed;
    return shown.length > max || (values.expired && shown.length > 0) ? EXIT.no : EXIT.ok;
  },
});
