// Proves on real code that a migration changes nothing outside its edits.
//
//   node --import tsx bench/codemods/bytes.ts [--recipe NAME] FOLDER…
//
// Each folder is copied, planned with every recipe (all children owned, then all detached), and written. For every file with
// edits: the edits taken back give the file's bytes again, its comments are all there in their order, the result parses if
// the file did; and a second plan of the whole folder has no edits.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { applyEdits, parseModule } from 'eslint-plugin-owned-spawn/api';
import type { Outliving, PlannedEdit } from '../../codemods/plan/plan.ts';
import type { Planned } from '../../codemods/plan/project.ts';
import { RECIPES, type Recipe } from '../../codemods/recipes/recipes.ts';

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { recipe: { type: 'string', multiple: true, default: RECIPES.map(({ name }) => name) } },
});

interface Run {
  recipe: Recipe;
  outliving: Outliving;
}

const recipes: readonly Recipe[] = RECIPES;
const RUNS: readonly Run[] = recipes
  .filter(({ name }) => values.recipe.includes(name))
  .flatMap((recipe) =>
    (recipe.name === 'spawn-owned' ? (['own', 'detach'] as const) : (['leave'] as const)).map(
      (outliving) => ({
        recipe,
        outliving,
      }),
    ),
  );

const plan = ({ recipe, outliving }: Run, folder: string): Promise<Planned> =>
  recipe.plan({
    outliving,
    markers: false,
    todos: false,
    paths: [folder],
    cwd: folder,
    signal: new AbortController().signal,
    progress: () => undefined,
  });

/** The edits that take a text back to what it was. */
function reverted(edits: readonly PlannedEdit[]): { start: number; end: number; text: string }[] {
  let shift = 0;
  return edits.map(({ start, end, text, old }) => {
    const at = start + shift;
    shift += text.length - (end - start);
    return { start: at, end: at + text.length, text: old };
  });
}

/** The comments of a module; undefined where it is none. */
function commentsOf(code: string, path: string): string | undefined {
  try {
    return parseModule(code, path)
      .comments.map(({ value }) => value)
      .join('\0');
  } catch {
    return undefined;
  }
}

/** Writes a file's edits; what is wrong with them, in words. */
function faultsOf(path: string, edits: readonly PlannedEdit[]): string[] {
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = text.slice(mark.length);
  const after = applyEdits(before, edits);
  writeFileSync(path, mark + after);
  const found: string[] = [];
  if (!Buffer.from(mark + applyEdits(after, reverted(edits))).equals(bytes))
    found.push('bytes outside the edits changed');
  if (path.endsWith('.json')) JSON.parse(after);
  else {
    const [was, is] = [commentsOf(before, path), commentsOf(after, path)];
    if (was !== undefined && is === undefined) found.push('the result does not parse');
    else if (was !== is) found.push('comments changed');
  }
  return found;
}

let faults = 0;
const complain = (where: string, what: string): void => {
  faults++;
  console.log(`FAULT ${where}: ${what}`);
};

for (const run of RUNS) {
  const name = `${run.recipe.name}${run.outliving === 'leave' ? '' : `, --outliving ${run.outliving}`}`;
  const total = { files: 0, edited: 0, sites: 0, left: 0, edits: 0, characters: 0 };
  for (const folder of folders) {
    const scratch = mkdtempSync(join(tmpdir(), 'owned-spawn-bytes-'));
    const copy = join(scratch, basename(folder));
    try {
      cpSync(resolve(folder), copy, {
        recursive: true,
        filter: (path) => !/[\\/](?:\.git|node_modules)$/.test(path),
      });
      const first = await plan(run, copy);
      for (const failure of first.failures) console.log(`${basename(folder)}: ${failure}`);
      for (const [shown, { path }] of first.texts) {
        const { edits = [] } = first.plan.files[shown] ?? {};
        for (const fault of faultsOf(path, edits)) complain(`${basename(folder)}/${shown}`, fault);
        total.edits += edits.length;
        total.characters += edits.reduce((sum, { old, text }) => sum + old.length + text.length, 0);
      }
      const second = await plan(run, copy);
      for (const shown of second.texts.keys())
        complain(`${basename(folder)}/${shown}`, 'a second run changes more');
      const sites = Object.values(first.plan.files).flatMap((file) => file.sites);
      console.log(`${name}: ${basename(folder)}: ${first.files} source files, ${first.texts.size} edited`);
      total.files += first.files;
      total.edited += first.texts.size;
      total.sites += sites.filter(({ status }) => status === 'migrate').length;
      total.left += sites.filter(({ status }) => status === 'left').length;
    } catch (error) {
      complain(basename(folder), (error as Error).message);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }
  const { files, edited, sites, left, edits, characters } = total;
  console.log(
    `${name}: ${files} source files, ${sites} sites migrated and ${left} left, ${edited} files edited by ${edits} edits of ${characters} characters, ${faults} faults`,
  );
}
process.exitCode = faults > 0 ? 1 : 0;
