// Compares the recipe `off-loop` with Desynchronizer (Gokhale, Turcotte, Tip: "Automatic Migration from Synchronous to
// Asynchronous JavaScript APIs", OOPSLA 2021, table 1), on the projects of its evaluation that are in reach.
//
//   node --import tsx bench/codemods/desynchronizer.bench.ts [NAME=FOLDER…]
//
// By default bonescript, useragent and ember-watson are fetched from npm. The package of ember-watson lacks its tests, where
// most of its calls are: name a checkout to have them, `ember-watson=/path`. Projects by other names are measured too.
// All calls count, on the loop or not, as in the paper; with --test a project's own tests are run before and after, which
// needs its dependencies installed.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import type { PlannedSite } from '../../codemods/plan/plan.ts';
import type { Planned } from '../../codemods/plan/project.ts';
import { planOffLoop } from '../../codemods/recipes/off-loop/off-loop.ts';

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

const plan = (
  folder: string,
  allowApiChange: boolean,
  overlay?: ReadonlyMap<string, string>,
): Promise<Planned> =>
  planOffLoop({
    paths: [],
    cwd: folder,
    outliving: 'leave',
    markers: false,
    todos: false,
    everywhere: true,
    allowApiChange,
    overlay,
    signal: new AbortController().signal,
    progress: () => undefined,
  });

const sitesOf = ({ plan: { files } }: Planned): PlannedSite[] =>
  Object.values(files).flatMap(({ sites }) => sites);

async function measure(name: string, folder: string): Promise<Record<string, unknown>> {
  const start = process.cpuUsage();
  const planned = await plan(folder, true);
  const { user, system } = process.cpuUsage(start);
  const sites = sitesOf(planned);
  const accepted = sites.filter(({ status }) => status === 'migrate').length;
  const asIs = sitesOf(await plan(folder, false)).filter(({ status }) => status === 'migrate').length;
  if (values.reasons)
    for (const { callee, reason, short } of sites)
      if (reason) console.log(`${name}: ${callee}: ${reason}: ${short ?? ''}`);
  const texts = new Map(
    [...planned.texts].map(([shown, { path, text }]) => [
      path,
      applyEdits(text, planned.plan.files[shown]?.edits ?? []),
    ]),
  );
  const again = await plan(folder, true, texts);
  const paper = PAPER[name];
  return {
    project: name,
    files: planned.files,
    'sync calls': sites.length,
    accepted,
    'of them public API': accepted - asIs,
    share: `${((accepted / Math.max(1, sites.length)) * 100).toFixed(0)} %`,
    'CPU s': Number(((user + system) / 1e6).toFixed(1)),
    'second run': again.texts.size === 0 ? 'nothing' : `${again.texts.size} files`,
    "paper's": paper ? `${paper.transformed} of ${paper.detected}` : '-',
    "paper's s": paper?.seconds ?? '-',
    ...(values.test === undefined ? {} : { tests: await tests(folder, values.test, texts) }),
  };
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
  const rows: Record<string, unknown>[] = [];
  for (const name of new Set([...Object.keys(VERSIONS), ...given.keys()])) {
    const folder = given.get(name);
    rows.push(await measure(name, folder === undefined ? await packed(name) : resolve(folder)));
  }
  console.table(rows);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
