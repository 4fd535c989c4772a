import { spliced } from '../apply/changes.ts';
import type { Recipe } from '../recipes/recipes.ts';
import { composed } from './composed-edits.ts';
import { placeBefore } from './place-before.ts';
import type { FilePlan } from './plan.ts';
import type { Planned, ProjectOptions } from './project.ts';
import { editedSelection } from './selection.ts';

/**
 * Plans two recipes as one, the second over what the first makes of the files.
 *
 * @param name of both together
 */
export async function planJoint(
  name: string,
  one: Recipe,
  other: Recipe,
  { selected, overlay = new Map(), ...options }: ProjectOptions,
): Promise<Planned> {
  const askedOf = ({ rules }: Recipe): ProjectOptions['selected'] =>
    selected && ((site, file) => selected({ ...site, rules }, file));
  const first = await one.plan({ ...options, overlay, selected: askedOf(one) });
  if (options.signal.aborted) return first;
  const made = [...first.texts].map(
    ([shown, { path, text }]) => [path, spliced(text, first.plan.files[shown]?.edits ?? [])] as const,
  );
  const second = await other.plan({
    ...options,
    overlay: new Map([...overlay, ...made]),
    selected: editedSelection(askedOf(other), first),
  });
  return joint(name, first, second);
}

/**
 * Two plans as one, of which the second was made for what the first makes of the files.
 *
 * @param recipe the name of both together
 */
function joint(recipe: string, first: Planned, second: Planned): Planned {
  const files: Record<string, FilePlan> = { ...second.plan.files, ...first.plan.files };
  for (const [shown, { text }] of first.texts) {
    const [before, after] = [first.plan.files[shown], second.plan.files[shown]];
    if (!before || !after) continue;
    const code = text.replace(/^\uFEFF/, '');
    const back = placeBefore(code, before.edits);
    const sites = [
      ...before.sites,
      ...after.sites.map((site) => ({
        ...site,
        ...back(site),
        ...(site.kept && { kept: site.kept.map(back) }),
      })),
    ];
    files[shown] = { ...before, edits: composed(code, before.edits, after.edits), sites };
  }
  for (const [shown, plan] of Object.entries(second.plan.files)) {
    const its = first.plan.files[shown];
    if (its && !first.texts.has(shown)) files[shown] = { ...plan, sites: [...its.sites, ...plan.sites] };
  }
  for (const { sites } of Object.values(files)) sites.sort((a, b) => a.line - b.line || a.column - b.column);
  const union = (of: (planned: Planned) => readonly string[]): string[] => [
    ...new Set([first, second].flatMap(of)),
  ];
  return {
    ...first,
    plan: {
      ...first.plan,
      recipe,
      files: Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    texts: new Map([...second.texts, ...first.texts]),
    failures: union(({ failures }) => failures),
    notes: union(({ notes }) => notes),
    manifests: union(({ manifests }) => manifests),
  };
}
