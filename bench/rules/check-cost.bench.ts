// CPU time and peak memory of `owned-spawn check`, twice, beside what nobody can do without: a bare parse of the same
// JavaScript, and for a folder with a tsconfig.json (`--folder=PATH`) TypeScript's own check of it.
// `--files=1000`; without a folder the files are JavaScript of this repository's dependencies, in a temporary one.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { numberFlag, report, round, type Row } from '../measure.ts';

const repository = resolve(import.meta.dirname, '../..');
const given = process.argv.find((argument) => argument.startsWith('--folder='))?.slice('--folder='.length);

/** Prints the usage of a process at its end. */
const METER = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => writeSync(2, '\\nUSAGE ' + JSON.stringify(process.resourceUsage())));
`)}`;

/** The CPU seconds and the peak of megabytes of a program of Node, whatever its exit code. */
function usageOf(...argv: string[]): { cpu: number; memory: number } {
  const { stderr } = spawnSync(process.execPath, ['--import', METER, ...argv], {
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const [, usage] = /\nUSAGE (.*)$/.exec(stderr) ?? [];
  if (usage === undefined) throw new Error(`no usage was told:\n${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(usage) as NodeJS.ResourceUsage;
  return { cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 };
}

/** Files as people write them, or as compilers leave them, every n-th, in folders of their own. */
function laid(count: number): string {
  const from = join(repository, 'node_modules');
  const folder = mkdtempSync(join(tmpdir(), 'owned-spawn-check-cost-'));
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?js$/.test(name))
    .sort()
    .filter((name) => {
      const stats = statSync(join(from, name));
      return stats.isFile() && stats.size > 1000 && stats.size < 60_000;
    })
    .filter((name) => !/[^\n]{500}/.test(readFileSync(join(from, name), 'utf8')));
  names
    .filter(
      (_, at) => Math.floor((at * count) / names.length) !== Math.floor(((at - 1) * count) / names.length),
    )
    .forEach((name) => {
      cpSync(join(from, name), join(folder, name.replaceAll('node_modules', 'modules')));
    });
  return folder;
}

const PARSE = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { parse } from ${JSON.stringify(import.meta.resolve('@typescript-eslint/parser'))};
  for (const name of readdirSync(process.argv[1], { recursive: true })) {
    if (!/\\.([cm]?[jt]s|[jt]sx)$/.test(name) || /(^|\\/)node_modules\\//.test(name)) continue;
    try { parse(readFileSync(join(process.argv[1], name), 'utf8'), { filePath: name, sourceType: 'module' }); } catch {}
  }
`;

const folder = given === undefined ? laid(numberFlag('files', 1000)) : resolve(given);
try {
  const parse = usageOf('--input-type=module', '--eval', PARSE, folder);
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  const project = join(folder, 'tsconfig.json');
  const types = existsSync(project) ? usageOf(tsc, '--noEmit', '--project', project) : undefined;
  const check = ['first', 'second'].map((run) => ({
    run,
    ...usageOf(join(repository, 'rules/bin/owned-spawn.js'), 'check', folder, '--format', 'json'),
  }));
  const row = (what: string, { cpu, memory }: { cpu: number; memory: number }): Row => ({
    what,
    'CPU, s': round(cpu),
    'peak, MB': Math.round(memory),
    'over a bare parse, s': round(cpu - parse.cpu),
    'over tsc, s': types ? round(cpu - types.cpu) : '-',
  });
  report(`owned-spawn check of ${given ?? 'JavaScript of dependencies'}`, [
    row('a bare parse', parse),
    ...(types ? [row('tsc --noEmit', types)] : []),
    ...check.map(({ run, ...usage }) => row(`owned-spawn check, ${run} run`, usage)),
  ]);
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}
