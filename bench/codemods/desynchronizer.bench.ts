// Compares the recipe `off-loop` with Desynchronizer (Gokhale, Turcotte, Tip: "Automatic Migration from Synchronous to
// Asynchronous JavaScript APIs", OOPSLA 2021, table 1), on the projects of its evaluation that are in reach.
//
//   node --import tsx bench/codemods/desynchronizer.bench.ts [NAME=FOLDER…]
//
// By default bonescript, useragent and ember-watson are fetched from npm. The package of ember-watson lacks its tests, where
// most of its calls are: name a checkout to have them, `ember-watson=/path`. Projects by other names are measured too.
// All calls count, on the loop or not, as in the paper. What the gates refuse, by the types and the lint of the edited code,
// does not count as accepted. With --test the own tests of the projects named are run before and after, which needs their
// dependencies installed; --reasons says of each site why it is left, and where.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { PlannedSite } from '../../codemods/plan/plan.ts';
import type { Planned, ProjectOptions } from '../../codemods/plan/project.ts';
import { changesOf } from '../../codemods/apply/changes.ts';
import { passGates } from '../../codemods/gates/pass-gates.ts';
import { recipeNamed } from '../../codemods/recipes/recipes.ts';

const run = promisify(execFile);

/** Calls that the paper's analysis found and those that it transformed; seconds to build its call graph. */
const PAPER: Readonly<Record<string, { detected: number; transformed: number; seconds: number }>> = {
  bonescript: { detected: 11, transformed: 11, seconds: 83 },
  useragent: { detected: 2, transformed: 2, seconds: 486 },
  'ember-watson': { detected: 96, transformed: 96, seconds: 89 },
  deepforge: { detected: 14, transformed: 13, seconds: 222 },
  'meteor-desktop': { detected: 22, transformed: 18, seconds: 380 },
  adapt_authoring: { detected: 19, transformed: 8, seconds: 1120 },
};

const VERSIONS: Readonly<Record<string, string>> = {
  bonescript: '0.7.3',
  useragent: '2.3.0',
  'ember-watson': '0.9.2',
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { test: { type: 'string' }, reasons: { type: 'boolean' } },
});
const given = new Map(positionals.map((each) => each.split('=') as [string, string]));

const scratch = await mkdtemp(join(tmpdir(), 'owned-spawn-bench-'));

/** A package's files as npm has them. */
async function packed(name: string): Promise<string> {
  const folder = await mkdtemp(join(scratch, `${name}-`));
  const { stdout } = await run('npm', ['pack', '--silent', `${name}@${VERSIONS[name] ?? 'latest'}`], {
    cwd: folder,
  });
  await run('tar', ['xzf', stdout.trim()], { cwd: folder });
  return join(folder, 'package');
}

const recipe = recipeNamed('off-loop');

const optionsFor = (folder: string, allowApiChange: boolean): ProjectOptions => ({
  paths: [],
  cwd: folder,
  outliving: 'leave',
  markers: false,
  todos: false,
  everywhere: true,
  allowApiChange,
  signal: new AbortController().signal,
  progress: () => undefined,
});

const sitesOf = ({ plan: { files } }: Planned): PlannedSite[] =>
  Object.values(files).flatMap(({ sites }) => sites);

const acceptedIn = (planned: Planned): number =>
  sitesOf(planned).filter(({ status }) => status === 'migrate').length;

interface Measured {
  files: number;
  sites: PlannedSite[];
  accepted: number;
  publicApi: number;
  seconds: number;
  changed: number;
  tests?: string;
}

async function measure(name: string, folder: string): Promise<Measured> {
  const options = optionsFor(folder, true);
  const start = process.cpuUsage();
  const drafted = await recipe.plan(options);
  const { user, system } = process.cpuUsage(start);
  const changes = await changesOf(drafted, true);
  const { planned, ...gated } = await passGates(recipe, options, {
    planned: drafted,
    changes,
    refused: new Map(),
  });
  const sites = sitesOf(planned);
  const accepted = acceptedIn(planned);
  if (values.reasons)
    for (const [file, each] of Object.entries(planned.plan.files))
      for (const { line, callee, reason, short } of each.sites)
        if (reason) console.log(`${name}/${file}:${String(line)} ${callee}: ${reason}: ${short ?? ''}`);
  const texts = new Map(gated.changes.map(({ path, after }) => [path, after]));
  const again = await recipe.plan({ ...options, refused: gated.refused, overlay: texts });
  return {
    files: planned.files,
    sites,
    accepted,
    publicApi: acceptedIn(drafted) - acceptedIn(await recipe.plan(optionsFor(folder, false))),
    seconds: (user + system) / 1e6,
    changed: again.texts.size,
    ...(values.test !== undefined && given.has(name)
      ? { tests: await tests(folder, values.test, texts) }
      : {}),
  };
}

/** A row of the table: a project's, or that of all. */
function row(
  project: string,
  { sites, accepted, ...its }: Measured,
  paper: { detected: number; transformed: number; seconds: number } | undefined,
): Record<string, unknown> {
  return {
    project,
    files: its.files,
    'sync calls': sites.length,
    accepted,
    share: `${((accepted / Math.max(1, sites.length)) * 100).toFixed(0)} %`,
    'public API': its.publicApi,
    left: counted(sites.flatMap(({ status, reason }) => (status !== 'migrate' && reason ? [reason] : []))),
    'CPU s': Number(its.seconds.toFixed(1)),
    'second run': its.changed === 0 ? 'nothing' : `${String(its.changed)} files`,
    "paper's": paper ? `${String(paper.transformed)} of ${String(paper.detected)}` : '-',
    "paper's s": paper?.seconds ?? '-',
    tests: its.tests ?? '-',
  };
}

/** `3 constructor, 1 escapes` */
function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${String(count)} ${reason}`)
    .join(', ');
}

/** What a shell command says in its last lines, in a project as it is and migrated. */
async function tests(folder: string, command: string, texts: ReadonlyMap<string, string>): Promise<string> {
  const copy = await mkdtemp(join(scratch, 'tests-'));
  await cp(folder, copy, { recursive: true });
  const before = await result(command, copy);
  for (const [path, text] of texts) await writeFile(join(copy, path.slice(folder.length)), text);
  return `${before} → ${await result(command, copy)}`;
}

async function result(command: string, cwd: string): Promise<string> {
  const { stdout } = await run('sh', ['-c', command], { cwd, maxBuffer: 1 << 26 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const counts = [...stdout.matchAll(/(\d+) (passing|failing)|^# (pass|fail) (\d+)/gm)].map(([text]) =>
    text.replace('# ', ''),
  );
  return counts.join(', ') || 'no tests ran';
}

try {
  const measured = new Map<string, Measured>();
  for (const name of new Set([...Object.keys(VERSIONS), ...given.keys()])) {
    const folder = given.get(name);
    measured.set(name, await measure(name, folder === undefined ? await packed(name) : resolve(folder)));
  }
  const all = [...measured.values()];
  const sum = (count: (each: Measured) => number): number =>
    all.reduce((total, each) => total + count(each), 0);
  const total: Measured = {
    files: sum(({ files }) => files),
    sites: all.flatMap(({ sites }) => sites),
    accepted: sum(({ accepted }) => accepted),
    publicApi: sum(({ publicApi }) => publicApi),
    seconds: sum(({ seconds }) => seconds),
    changed: sum(({ changed }) => changed),
  };
  console.table([
    ...[...measured].map(([name, its]) => row(name, its, PAPER[name])),
    row('all', total, undefined),
  ]);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
