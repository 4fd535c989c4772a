import { sourceFiles } from 'eslint-plugin-owned-spawn/api';
import { UserError } from 'owned-spawn/cli';
import { changesOf } from '../apply/changes.ts';
import type { Change } from '../apply/journal.ts';
import { placeBefore, placeKey } from '../plan/place-before.ts';
import { editedSelection } from '../plan/selection.ts';
import type { Refusal } from '../plan/plan.ts';
import type { Planned, ProjectOptions } from '../plan/project.ts';
import { shownPath } from 'eslint-plugin-owned-spawn/api';
import type { Recipe } from '../recipes/recipes.ts';
import { troubles, type Trouble } from './gates.ts';

/** A plan with the texts that it makes. */
export interface Ready {
  planned: Planned;
  changes: Change[];
  /** The sets that were taken out, by a person or a gate. */
  refused: ReadonlyMap<string, Refusal>;
  /** The functions that were seen to be given to what wants nothing back. */
  voids?: ProjectOptions['voids'];
}

/** How often sets are taken out and the rest is looked at again. */
const ROUNDS = 5;

/**
 * Takes out of a plan the sets whose edits raise something new, and looks at the rest again, until it raises nothing. A
 * callback that must not give a promise is first planned anew: with a body that waits by itself.
 *
 * @throws {UserError} where something new cannot be blamed on a set
 */
export async function passGates(recipe: Recipe, options: ProjectOptions, drafted: Ready): Promise<Ready> {
  const paths = options.paths.length > 0 ? options.paths : ['.'];
  const sources = (await sourceFiles(paths, options.cwd, false)).map(({ path }) => path);
  const refused = new Map(drafted.refused);
  const voids = new Set<string>();
  let ready = drafted;
  for (let round = 0; ready.changes.length > 0 && !options.signal.aborted; round++) {
    options.progress('checking the types of the edited code');
    const again = await secondRun(recipe, { ...options, refused }, ready);
    const found = again.length > 0 ? again : troubles(ready.planned, ready.changes, sources);
    options.progress('');
    if (found.length === 0) break;
    const seen = voidsIn(found, ready).filter((each) => !voids.has(each));
    const blamed = refusals(found, drafted.planned.base).filter(([set]) => !refused.has(set));
    if ((seen.length === 0 && blamed.length === 0) || round === ROUNDS)
      throw unblamed(found, drafted.planned.base);
    for (const each of seen) voids.add(each);
    if (seen.length === 0) for (const [set, refusal] of blamed) refused.set(set, refusal);
    const next = await recipe.plan({ ...options, refused, voids });
    ready = { planned: next, changes: await changesOf(next, true), refused, voids };
  }
  return ready;
}

/** A plan of the edited code must be empty; `--only` and `--skip` name places of the code before. */
async function secondRun(
  recipe: Recipe,
  options: ProjectOptions,
  { planned, changes }: Ready,
): Promise<Trouble[]> {
  const overlay = new Map(changes.map(({ path, after }) => [path, after]));
  const selected = editedSelection(options.selected, planned);
  const again = await recipe.plan({ ...options, overlay, selected });
  return [...again.texts].map(([shown, { path }]) => ({
    file: path,
    line: 1,
    key: 'again',
    text: 'a second run would change the file again',
    sets: [...new Set((planned.plan.files[shown]?.edits ?? []).flatMap(({ sets = [] }) => sets))],
  }));
}

/** Where, before the edits, what gives a promise to what wants nothing back stands. */
function voidsIn(found: readonly Trouble[], { planned }: Ready): string[] {
  const texts = new Map([...planned.texts].map(([shown, { path, text }]) => [path, { shown, text }]));
  return found.flatMap(({ file, line, voidColumn: column }) => {
    const edited = texts.get(file);
    if (column === undefined || !edited) return [];
    const back = placeBefore(
      edited.text.replace(/^\uFEFF/, ''),
      planned.plan.files[edited.shown]?.edits ?? [],
    );
    return [placeKey(file, back({ line, column }))];
  });
}

const placed = ({ file, line, text }: Trouble, base: string): string =>
  `${text} (${shownPath(file, base)}:${line})`;

/** The first new thing of each set that is to blame. */
function refusals(found: readonly Trouble[], base: string): [string, Refusal][] {
  const sets = [...new Set(found.flatMap((each) => each.sets))];
  return sets.map((set) => {
    const first = found.find((each) => each.sets.includes(set));
    return [set, { reason: 'gate', ...(first && { text: placed(first, base) }) }];
  });
}

const unblamed = (found: readonly Trouble[], base: string): UserError =>
  new UserError(
    `the edited code raises what no edit is to blame for: ${found
      .slice(0, 3)
      .map((each) => placed(each, base))
      .join('; ')}`,
    'Nothing was changed. Migrate a part of it (--only), or leave the gates out (--no-gates).',
  );
