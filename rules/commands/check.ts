import { defineCommand, EXIT, UserError, type Terminal } from 'owned-spawn/cli';
import { reports } from '../check/report/reports.ts';
import type { Skip } from '../check/lint-files.ts';
import { check, type CheckResult } from '../check/run.ts';

const FORMATS = ['stylish', 'json', 'sarif', 'github'] as const satisfies (keyof typeof reports)[];

/** How standard error tells of files that were left out. */
const SKIPS: Readonly<Record<Skip, string>> = {
  minified: 'minified (--minified takes them)',
  binary: 'not text',
  unhandled: 'of a kind that only an ESLint config with its parser handles',
};

function notes({ files, skipped }: CheckResult, err: Terminal): void {
  if (files === 0) err.line('No source files here: nothing to check.');
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
    minified: { help: 'check minified files too' },
    'include-ignored': { help: 'check files that git ignores too' },
  },
  examples: [
    ['owned-spawn check', 'Check every source file below the current folder'],
    ['owned-spawn check src dist/server.js', 'Check a folder and a file'],
    ['owned-spawn check --format json > findings.json', 'Report to a program'],
    ['owned-spawn check --format sarif > check.sarif', 'Report to a code scanner'],
  ],
  async run(values, paths, { cwd, out, err, signal }) {
    const maxWarnings = values['max-warnings'] ?? Infinity;
    if (values['max-warnings'] !== undefined && !Number.isInteger(maxWarnings))
      throw new UserError(`--max-warnings takes a whole number, not "${maxWarnings}"`);
    const result = await check({
      paths,
      cwd,
      config: values.config,
      minified: values.minified ?? false,
      ignored: values['include-ignored'] ?? false,
      excused: values.format === 'sarif',
      signal,
      progress: (text) => {
        err.progress(text);
      },
    });
    if (signal.aborted) return EXIT.interrupted;
    notes(result, err);
    const errors = result.findings.filter(({ severity }) => severity === 2);
    const findings = values.quiet ? errors : result.findings;
    out.write(reports[values.format ?? 'stylish']({ ...result, findings }, out));
    if (result.failed) return EXIT.failed;
    return errors.length > 0 || result.findings.length - errors.length > maxWarnings ? EXIT.no : EXIT.ok;
  },
});
