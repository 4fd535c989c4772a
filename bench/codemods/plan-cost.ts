// What planning a migration costs: CPU seconds and the most memory held.
//
//   node --import tsx bench/codemods/plan-cost.ts [--recipe NAME] FOLDER…
import { parseArgs } from 'node:util';
import { recipeNamed, RECIPES } from '../../codemods/recipes/recipes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { recipe: { type: 'string', default: RECIPES[0].name } },
});

for (const folder of positionals) {
  const before = process.cpuUsage();
  const { files, texts } = await recipeNamed(values.recipe).plan({
    paths: [folder],
    cwd: folder,
    outliving: 'own',
    markers: false,
    todos: false,
    signal: new AbortController().signal,
    progress: () => undefined,
  });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${folder}: ${files} source files, ${texts.size} to edit, ${seconds.toFixed(1)} CPU s, at most ${megabytes.toFixed(0)} MB`,
  );
}
