// Proves on real code that a migration changes nothing outside its edits.
//
//   node --import tsx bench/codemods/bytes.ts [--recipe NAME]… [--allow-api-change] [--everywhere] FOLDER…
//
// Each folder is planned with every recipe (`spawn-owned` with all children owned, then all detached), and edited in memory
// as `--write` would: nothing is written. For every file with edits: the edits taken back give the file's bytes again, its
// comments are all there in their order, the result parses if the file did; and a second plan of the whole folder has no
// edits. A folder is a process of its own, for a folder that is too large or too slow is to cost no other its result.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseModule } from 'eslint-plugin-owned-spawn/api';
import { changesOf, spliced } from '../../codemods/apply/changes.ts';
import type { Change } from '../../codemods/apply/journal.ts';
import type { Outliving, PlannedEdit } from '../../codemods/plan/plan.ts';
import { totalsOf } from '../../codemods/plan/plan.ts';
import type { Planned } from '../../codemods/plan/project.ts';
import { RECIPES, recipeNamed } from '../../codemods/recipes/recipes.ts';

/** A folder that takes longer is passed over, in milliseconds. */
const PATIENCE = 1_200_000;

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    recipe: { type: 'string', multiple: true, default: RECIPES.map(({ name }) => name) },
    'allow-api-change': { type: 'boolean', default: false },
    everywhere: { type: 'boolean', default: false },
    /** How children that seem meant to outlive their owner are treated; set where a folder is a process of its own. */
    outliving: { type: 'string' },
  },
});

/** What was counted in a folder, and what is wrong there. */
interface Counted {
  files: number;
  edited: number;
  migrated: number;
  left: number;
  edits: number;
  characters: number;
  notes: string[];
  faults: string[];
}

const plan = (
  folder: string,
  outliving: Outliving,
  overlay?: ReadonlyMap<string, string>,
): Promise<Planned> =>
  recipeNamed(values.recipe[0] ?? '').plan({
    outliving,
    markers: false,
    todos: false,
    paths: [folder],
    cwd: folder,
    allowApiChange: values['allow-api-change'],
    everywhere: values.everywhere,
    overlay,
    signal: new AbortController().signal,
    progress: () => undefined,
  });

/** The edits that take a text back to what it was. */
function reverted(edits: readonly PlannedEdit[]): PlannedEdit[] {
  let shift = 0;
  return edits.map(({ start, end, text, old }) => {
    const at = start + shift;
    shift += text.length - (end - start);
    return { start: at, end: at + text.length, text: old, old: text };
  });
}

/** The comments of a module that no edit is in; undefined where it is none. A recipe edits types in comments on purpose. */
function commentsOf(text: string, path: string, edits: readonly PlannedEdit[]): string | undefined {
  const isEdited = ([from, to]: [number, number]): boolean =>
    edits.some(({ start, end }) => start > from && end < to);
  try {
    return parseModule(text.replace(/^\uFEFF/, ''), path)
      .comments.filter(({ range }) => !isEdited(range))
      .map(({ value }) => value)
      .join('\0');
  } catch {
    return undefined;
  }
}

/** What is wrong with a file's change, in words. */
function faultsOf({ path, before, after }: Change, edits: readonly PlannedEdit[]): string[] {
  const found: string[] = [];
  const back = reverted(edits);
  if (!Buffer.from(spliced(after, back)).equals(readFileSync(path)))
    found.push('bytes outside the edits changed');
  if (path.endsWith('.json')) JSON.parse(after.replace(/^\uFEFF/, ''));
  else {
    const [was, is] = [commentsOf(before, path, edits), commentsOf(after, path, back)];
    if (was !== undefined && is === undefined) found.push('the result does not parse');
    else if (was !== is) found.push('comments changed');
  }
  return found;
}

async function countedIn(folder: string, outliving: Outliving): Promise<Counted> {
  const first = await plan(folder, outliving);
  const { migrate, left } = totalsOf(first.plan);
  const all = Object.values(first.plan.files).flatMap(({ edits }) => edits);
  const changes = await changesOf(first, true);
  const faults: string[] = [];
  for (const [i, shown] of [...first.texts.keys()].entries()) {
    const change = changes[i];
    if (!change) continue;
    for (const fault of faultsOf(change, first.plan.files[shown]?.edits ?? []))
      faults.push(`${shown}: ${fault}`);
  }
  if (changes.length > 0) {
    const second = await plan(folder, outliving, new Map(changes.map(({ path, after }) => [path, after])));
    for (const shown of second.texts.keys()) faults.push(`${shown}: a second run changes more`);
  }
  return {
    files: first.files,
    edited: changes.length,
    migrated: migrate,
    left,
    edits: all.length,
    characters: all.reduce((sum, { old, text }) => sum + old.length + text.length, 0),
    notes: first.failures,
    faults,
  };
}

/** The same by a process of its own; in words, why it gave no result. */
function countedApart(folder: string, recipe: string, outliving: Outliving): Counted | string {
  const flags = [
    ...['--recipe', recipe, '--outliving', outliving],
    ...(['allow-api-change', 'everywhere'] as const).flatMap((flag) => (values[flag] ? [`--${flag}`] : [])),
  ];
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--max-old-space-size=8000', import.meta.filename, ...flags, folder],
    { encoding: 'utf8', timeout: PATIENCE, killSignal: 'SIGKILL', maxBuffer: 1 << 28 },
  );
  if (error) return error.message;
  try {
    return JSON.parse(stdout) as Counted;
  } catch {
    return stderr.trim().slice(-400) || stdout.slice(-400);
  }
}

/** Prints a line a folder and the totals of one kind of run; how many faults there were. */
function report(recipe: string, outliving: Outliving): number {
  const name = `${recipe}${outliving === 'leave' ? '' : `, --outliving ${outliving}`}`;
  const counts: Counted[] = [];
  let passedOver = 0;
  for (const folder of folders) {
    const counted = countedApart(resolve(folder), recipe, outliving);
    if (typeof counted === 'string') {
      passedOver++;
      console.log(`PASSED OVER ${basename(folder)}: ${counted}`);
      continue;
    }
    counts.push(counted);
    console.log(
      `${name}: ${basename(folder)}: ${counted.files} source files, ${counted.migrated} sites migrated and ${counted.left} left, ${counted.edited} files edited`,
    );
    for (const note of counted.notes) console.log(`${basename(folder)}: ${note}`);
    for (const fault of counted.faults) console.log(`FAULT ${basename(folder)}/${fault}`);
  }
  const sum = (count: (each: Counted) => number): number =>
    counts.reduce((total, each) => total + count(each), 0);
  const faults = sum((each) => each.faults.length);
  console.log(
    `${name}: ${counts.length} folders (${passedOver} passed over), ${sum(({ files }) => files)} source files, ` +
      `${sum(({ migrated }) => migrated)} sites migrated and ${sum(({ left }) => left)} left, ` +
      `${sum(({ edited }) => edited)} files edited by ${sum(({ edits }) => edits)} edits of ` +
      `${sum(({ characters }) => characters)} characters, ${faults} faults`,
  );
  return faults + passedOver;
}

if (values.outliving !== undefined) {
  const [folder = '.'] = folders;
  process.stdout.write(JSON.stringify(await countedIn(folder, values.outliving as Outliving)));
} else {
  let faults = 0;
  for (const recipe of values.recipe) {
    const kinds: readonly Outliving[] = recipe === 'spawn-owned' ? ['own', 'detach'] : ['leave'];
    for (const outliving of kinds) faults += report(recipe, outliving);
  }
  process.exitCode = faults > 0 ? 1 : 0;
}
