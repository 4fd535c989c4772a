// Migrates real applications with both recipes and runs their own tests before and after.
//
//   node --import tsx bench/codemods/applications.ts [--only WORD] [--keep] [--corpus DIR] [--mirror DIR]
//
// The sources are those of the corpus (shared/corpus/lay.mjs), or snapshots of public repositories, as git directories. Each
// is copied, installed, tested, migrated through the gates (API changes allowed), given the packed
// runtime as npm installs it, and tested again. Printed are both results; the errors of the project's own `tsc`, where it has
// a tsconfig; the sites; the findings of `check` before, after, and how many of the latter the migration did not list as
// left. Tests run in a PID namespace of their own where there is one, so that nothing of them stays.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { totalsOf, type Plan } from '../../codemods/plan/plan.ts';
import { RECIPES } from '../../codemods/recipes/recipes.ts';
import { APPLICATIONS, INSTALL, type Application } from './applications-list.ts';

/** What installing, or one run of the tests, may take, in milliseconds. */
const PATIENCE = 900_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    corpus: { type: 'string', default: '/tmp/corpus' },
    mirror: { type: 'string', default: '/work/.mirror' },
    /** Keeps the folders and what the tests printed. */
    keep: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-applications-'));

interface Ran {
  code: number;
  out: string;
}

/** Makes what a command leaves behind die with it; needs root on Linux. */
const NAMESPACE = ['--pid', '--fork', '--kill-child', '--mount-proc'];
const hasNamespaces = spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;

function shell(command: string, cwd: string): Ran {
  const bash = ['-c', command];
  const { status, stdout, stderr } = spawnSync(
    hasNamespaces ? 'unshare' : 'bash',
    hasNamespaces ? [...NAMESPACE, 'bash', ...bash] : bash,
    {
      cwd,
      encoding: 'utf8',
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
      env: { ...process.env, CI: '1', NO_COLOR: '1', NODE_TEST_CONTEXT: undefined },
    },
  );
  return { code: status ?? -1, out: stripVTControlCharacters(`${stdout}\n${stderr}`) };
}

/** What test runners say of passed and failed tests: TAP, node:test, mocha, Jest, Vitest, AVA, vows. */
const COUNTS = [
  /^(?:#|ℹ) (?:pass|fail) [1-9]\d*$/gm,
  /^\s*\d+ (?:passing|failing)\b/gm,
  /^ *Tests?:? +.*\b\d+ (?:passed|failed).*$/gm,
  /^\s*\d+ tests? (?:passed|failed)$/gm,
  /\d+ honored/gm,
];

/** The counts that test runners print at their end, without the times. */
function countsOf({ code, out }: Ran): string {
  const counts = COUNTS.flatMap((pattern) => out.match(pattern) ?? []).map((line) =>
    line
      .trim()
      .replace(/^(?:#|ℹ|Tests:?)\s+/, '')
      .replace(/\s+/g, ' ')
      .replaceAll('|', ','),
  );
  return `${counts.join('; ') || 'no counts'}${code === 0 ? '' : `, exit ${code}`}`;
}

/** The errors of the project's own compiler, each without its place in the file. */
function typeErrors(folder: string, { tsconfig }: Application): string[] | undefined {
  if (tsconfig === undefined) return undefined;
  const { out } = shell(`npx --no-install tsc --noEmit --pretty false -p ${tsconfig}`, folder);
  return [...out.matchAll(/^(\S+?)\(\d+,\d+\): (error TS\d+: .*)$/gm)].map(
    ([, file, text]) => `${file} ${text}`,
  );
}

/** What of a list is not in another one, counted. */
function newIn(before: readonly string[], after: readonly string[]): string[] {
  const rest = [...before];
  return after.filter((each) => {
    const at = rest.indexOf(each);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

interface Place {
  file: string;
  line: number;
}

interface Finding extends Place {
  ruleId: string | null;
  /** How a call leads to what blocks; that is the last step. */
  path?: Place[];
}

const RULES = new Set(RECIPES.flatMap(({ rules }) => rules.map((rule) => `owned-spawn/${rule}`)));

/** What `check` finds that a recipe might mend. */
function findings(folder: string): Finding[] {
  const bin = join(root, 'rules/bin/owned-spawn.js');
  const { out } = shell(`node ${bin} check --format json 2>/dev/null`, folder);
  return (JSON.parse(out) as Finding[]).filter(({ ruleId }) => RULES.has(ruleId ?? ''));
}

/** Runs one recipe; its plan. */
function migrate(folder: string, recipe: string, write: boolean): Plan {
  const flags = `--recipe ${recipe} --allow-api-change --report json`;
  const bin = join(root, 'codemods/bin/owned-spawn.js');
  const { code, out } = shell(
    `node ${bin} migrate ${flags} ${write ? '--write --allow-dirty' : ''} 2>migrate-errors.txt`,
    folder,
  );
  if (code !== 0) throw new Error(shell('tail -5 migrate-errors.txt', folder).out.trim());
  return JSON.parse(out) as Plan;
}

/** The places of a plan's sites that are not migrated. */
const leftIn = (plan: Plan): string[] =>
  Object.entries(plan.files).flatMap(([file, { sites }]) =>
    sites.filter(({ status }) => status !== 'migrate').map(({ line }) => `${file}:${line}`),
  );

function packed(): string {
  execFileSync('npm', ['pack', '-w', 'runtime', '--pack-destination', scratch, '--silent'], { cwd: root });
  return join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
}

/** Copies an application's source; false where it is not in reach. */
function lay({ source }: Application, folder: string): boolean {
  if (source.includes('/')) {
    const git = join(values.mirror, source.replace('/', '+'), 'repo');
    if (!existsSync(git)) return false;
    mkdirSync(folder);
    execFileSync('bash', ['-c', `git --git-dir '${git}' archive HEAD | tar x -C '${folder}'`]);
    return true;
  }
  const name = readdirSync(values.corpus).find((each) => each.startsWith(source));
  if (name === undefined) return false;
  const filter = (path: string): boolean => !/[\\/](?:\.git|node_modules)$/.test(path);
  cpSync(join(values.corpus, name), folder, { recursive: true, filter });
  return true;
}

/** One line of the table. */
function row(application: Application, folder: string): string[] {
  const { test, install = INSTALL, prepare } = application;
  // What is built after that is none of its sources.
  shell('git init -q && git add -A .', folder);
  const installed = shell(prepare === undefined ? install : `${install} && ${prepare}`, folder);
  if (installed.code !== 0) return [`cannot be installed: ${installed.out.trim().slice(-200)}`];
  const before = shell(test, folder);
  const typesBefore = typeErrors(folder, application);
  const found = findings(folder).length;
  const totals = RECIPES.map(({ name }) => totalsOf(migrate(folder, name, true)));
  shell(`${INSTALL} --no-save ${tarball}`, folder);
  if (prepare !== undefined) shell(prepare, folder);
  const after = shell(test, folder);
  const typesAfter = typeErrors(folder, application);
  const news = newIn(typesBefore ?? [], typesAfter ?? []);
  const left = new Set(RECIPES.flatMap(({ name }) => leftIn(migrate(folder, name, false))));
  const rest = findings(folder);
  const unlisted = rest.filter(
    (finding) => ![finding, ...(finding.path ?? [])].some(({ file, line }) => left.has(`${file}:${line}`)),
  );
  if (values.keep || after.code !== before.code || countsOf(before) !== countsOf(after))
    console.error(`--- before\n${before.out.slice(-5000)}\n--- after\n${after.out.slice(-12000)}`);
  for (const error of news) console.error(`new: ${error}`);
  for (const { file, line, ruleId } of unlisted) console.error(`unlisted: ${file}:${line} ${ruleId ?? ''}`);
  const reasons = totals.flatMap(({ reasons: counts }) =>
    Object.entries(counts).map(([reason, count]) => `${count} \`${reason}\``),
  );
  return [
    countsOf(before),
    countsOf(after),
    typesBefore === undefined ? '-' : `${news.length} new of ${typesAfter?.length ?? 0}`,
    totals.map(({ migrate: sites }) => sites).join(' + '),
    String(totals.reduce((sum, { files }) => sum + files, 0)),
    reasons.join(', ') || 'none',
    `${found} → ${rest.length}, ${unlisted.length} not listed`,
  ];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tarball = packed();
const HEAD = ['tests before', 'tests after', 'type errors', 'migrated', 'edits in files', 'left', '`check`'];
console.log(line(['application', ...HEAD]));
console.log(line(['---', ...HEAD.map(() => '---')]));
for (const application of APPLICATIONS.filter(({ source }) => source.includes(values.only))) {
  const folder = join(scratch, application.source.replace(/\W+/g, '-'));
  try {
    if (!lay(application, folder)) continue;
    console.log(line([application.source, ...row(application, folder)]));
  } catch (error) {
    console.log(line([application.source, (error as Error).message]));
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
}
if (values.keep) console.error(`kept in ${scratch}`);
else rmSync(scratch, { recursive: true, force: true });
