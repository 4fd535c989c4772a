// What planning a migration costs: CPU seconds and the most memory held, and what the plan has. Build first: what is
// measured is the built package, as users run it, without a loader that has memory of its own. A folder a process, for the
// memory of two would be counted as one.
//
//   node bench/codemods/plan-cost.mjs [--recipe NAME] FOLDER…
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { totalsOf } from '../../codemods/dist/plan/plan.js';
import { recipeNamed } from '../../codemods/dist/recipes/recipes.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { recipe: { type: 'string', default: 'spawn-owned' } },
});
const [folder, ...others] = positionals;
if (folder === undefined) throw new Error('Name a folder.');

const before = process.cpuUsage();
const { files, plan } = await recipeNamed(values.recipe).plan({
  paths: [folder],
  cwd: folder,
  outliving: 'own',
  markers: false,
  todos: false,
  signal: new AbortController().signal,
  progress: () => undefined,
});
const { user, system } = process.cpuUsage(before);
const seconds = ((user + system) / 1e6).toFixed(1);
const megabytes = (process.resourceUsage().maxRSS / 1024).toFixed(0);
const { migrate, left, suppressed, files: edited } = totalsOf(plan);
const edits = Object.values(plan.files).reduce((sum, file) => sum + file.edits.length, 0);
console.log(
  `${folder}: ${files} source files, ${migrate + left + suppressed} sites (${migrate} to migrate, ${left} left, ` +
    `${suppressed} suppressed), ${edits} edits in ${edited} files, ${seconds} CPU s, at most ${megabytes} MB`,
);
if (others.length > 0) {
  const { status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), '--recipe', values.recipe, ...others],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
