import { defineCommand, EXIT, UserError, type Terminal } from 'owned-spawn/cli';
import { answer } from '../check/answer.ts';
import { applyBaseline, type BaselineResult } from '../check/baseline-file.ts';
import { changesSince } from '../check/changes.ts';
import { baseOf, shownPath } from '../check/files.ts';
import { reports } from '../check/report/reports.ts';
import type { Skip } from '../check/lint-files.ts';
import { check, type CheckResult } from '../check/run.ts';
import { findingsSince } from '../check/since.ts';
import { stagedIn } from '../check/staged.ts';

const FORMATS = ['stylish', 'json', 'sarif', 'github', 'junit'] as const satisfies (keyof typeof reports)[];

/** How standard error tells of files that were left out. */
const SKIPS: Readonly<Record<Skip, string>> = {
  minified: 'minified (--minified takes them)',
  binary: 'not text',
  unhandled: 'of a kind that only an ESLint config with its parser handles',
};

/** Numbers that count things: the flag says which. */
function whole(flag: string, value: number | undefined): number {
  if (value !== undefined && !Number.isInteger(value))
    throw new UserError(`--${flag} takes a whole number, not "${value}"`);
  return value ?? Infinity;
}

/** `2/4` */
function shardOf(value: string | undefined): { part: number; of: number } | undefined {
  if (value === undefined) return undefined;
  const [, part = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number);
  if (part < 1 || part > of)
    throw new UserError(`--shard takes a part and how many there are, such as 1/4, not "${value}"`);
  return { part, of };
}

/** Whether this is CI: nobody would commit what is written there. */
const isCi = ({ CI = '' }: NodeJS.ProcessEnv): boolean => !['', '0', 'false'].includes(CI);

const BASELINE_NOTES: Readonly<Record<BaselineResult['change'], (size: number) => string>> = {
  none: (size) => `holds ${size}`,
  made: (size) => `was made and holds ${size}`,
  shrunk: (size) => `shrank and holds ${size}`,
  outdated: (size) => `holds what is gone: run the command outside of CI and commit it, it will hold ${size}`,
  missing: () => 'is not there: all findings are new',
};

function noteNothing({ files }: CheckResult, err: Terminal): void {
  if (files === 0) err.line('No source files here: nothing to check.');
}

function notes({ skipped, uncrossed, faults }: CheckResult, base: string, err: Terminal): void {
  if (uncrossed !== undefined) {
    const [why] = (uncrossed instanceof Error ? uncrossed.message : '').split('\n');
    err.line(err.red(`Calls were followed within each file only, by a bug of ours: ${why ?? ''}`));
  }
  for (const { file, line, why } of faults) {
    const place = [shownPath(file, base), line].filter((part) => part !== undefined).join(':');
    err.line(err.red(`${place} is broken: ${why} Imports that it maps to other files may not be followed.`));
  }
  for (const [skip, why] of Object.entries(SKIPS)) {
    const names = skipped[skip as Skip];
    if (names.length === 0) continue;
    const some = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
    err.line(err.dim(`${names.length} file${names.length === 1 ? '' : 's'} skipped, ${why}: ${some}`));
  }
}

export const command = defineCommand({
  name: 'check',
  summary: 'find child processes that outlive their owner',
  usage: '[paths…]',
  flags: {
    format: { help: 'how to report', value: 'FORMAT', choices: FORMATS },
    config: { help: 'use this ESLint config, whatever it names', value: 'FILE', short: 'c' },
    quiet: { help: 'report errors only', short: 'q' },
    'max-warnings': { help: 'exit with 1 if there are more warnings', value: 'N', number: true },
    baseline: { help: 'report what this file does not know; made where it is missing', value: 'FILE' },
    max: { help: 'exit with 1 if more findings are in the baseline', value: 'N', number: true },
    since: { help: 'report what was changed since the branch left REV', value: 'REV' },
    staged: { help: 'check what is staged, and report what the commit adds or touches' },
    shard: { help: 'check one part of the files of several: 1/4', value: 'PART/PARTS' },
    explain: { help: 'say why a call is reported, with every way to it, or is not', value: 'FILE:LINE' },
    'print-context': { help: 'say what counts as off the event loop here, and why' },
    minified: { help: 'check minified files too' },
    'include-ignored': { help: 'check files that git ignores too' },
  },
  examples: [
    ['owned-spawn check', 'Check every source file below the current folder'],
    ['owned-spawn check src dist/server.js', 'Check a folder and a file'],
    ['owned-spawn check --format json > findings.json', 'Report to a program'],
    ['owned-spawn check --baseline baseline.json', 'Report only what is new; old findings get fewer'],
    ['owned-spawn check --since origin/main', 'Report what a pull request adds or touches'],
    ['owned-spawn check --staged', 'Refuse a commit, in a hook of git'],
    ['owned-spawn check --format sarif > check.sarif', 'Report to a code scanner'],
    ['owned-spawn check --explain src/git.ts:12', 'Say why a blocking call is reported, or is not'],
  ],
  async run(values, paths, { cwd, env, out, err, signal }) {
    const answered = await answer(values, paths, { cwd, out, err, signal });
    if (answered !== undefined) return answered;
    const maxWarnings = whole('max-warnings', values['max-warnings']);
    const max = whole('max', values.max);
    if (values.max !== undefined && values.baseline === undefined)
      throw new UserError('--max is about the baseline', 'Say --baseline FILE too.');
    const shard = shardOf(values.shard);
    if (shard && values.baseline !== undefined)
      throw new UserError(
        '--shard and --baseline exclude each other',
        'A part does not see all of the baseline.',
      );
    if (values.staged && values.since !== undefined)
      throw new UserError('--staged and --since exclude each other');
    const base = baseOf(paths.length > 0 ? paths : ['.'], cwd);
    const staged = values.staged ? await stagedIn(paths, cwd) : undefined;
    const changes =
      staged?.changes ?? (values.since === undefined ? undefined : await changesSince(base, values.since));
    const result = await check({
      paths,
      cwd,
      config: values.config,
      minified: values.minified ?? false,
      ignored: values['include-ignored'] ?? false,
      excused: values.format === 'sarif',
      staged,
      shard,
      signal,
      progress: (text) => {
        err.progress(text);
      },
    });
    if (signal.aborted) return EXIT.interrupted;
    if (!staged) noteNothing(result, err);
    notes(result, base, err);
    const baseline =
      values.baseline === undefined
        ? undefined
        : await applyBaseline(result, {
            file: values.baseline,
            cwd,
            paths,
            frozen: isCi(env) || staged !== undefined,
            max,
          });
    if (baseline && !staged)
      err.line(
        err.dim(`The baseline ${values.baseline ?? ''} ${BASELINE_NOTES[baseline.change](baseline.size)}.`),
      );
    const fresh = baseline?.fresh ?? result.findings;
    const reported = changes ? findingsSince(fresh, base, changes) : fresh;
    const errors = reported.filter(({ severity }) => severity === 2);
    const findings = values.quiet ? errors : reported;
    out.write(reports[values.format ?? 'stylish']({ ...result, findings }, out));
    if (result.failed) return EXIT.failed;
    const isTooBig = baseline !== undefined && baseline.size > max;
    if (isTooBig) err.line(err.red(`The baseline has ${baseline.size}, at most ${max} allowed.`));
    return errors.length > 0 || reported.length - errors.length > maxWarnings || isTooBig ? EXIT.no : EXIT.ok;
  },
});
