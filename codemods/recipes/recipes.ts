import type { Planned, ProjectOptions } from '../plan/project.ts';

/** One kind of migration that the command can make. */
export interface Recipe {
  /** As `--recipe` and the plan name it. */
  name: string;
  /** The rules whose findings it migrates; `--only` and `--skip` take them. */
  rules: readonly string[];
  /**
   * Plans the project and writes nothing. Called again with `refused` sets, it plans as if these could not be migrated:
   * their sites are left with the reason that is given, and what only they needed (imports, a dependency) is not edited.
   */
  plan: (options: ProjectOptions) => Promise<Planned>;
}

/** The recipes by name; the first is what `migrate` does unless told otherwise. Loaded when they are asked for. */
export const RECIPES = [
  {
    name: 'spawn-owned',
    rules: ['no-detached-spawn'],
    plan: async (options) => (await import('../plan/project.ts')).planProject(options),
  },
  {
    name: 'off-loop',
    rules: ['no-blocking-call', 'no-blocking-call-path', 'no-blocking-sqlite'],
    plan: async (options) => (await import('./off-loop/off-loop.ts')).planOffLoop(options),
  },
] as const satisfies readonly Recipe[];

export type RecipeName = (typeof RECIPES)[number]['name'];

/** The recipe of a name; of several, one that does what they do one after the other, in one plan. */
export function recipeNamed(...names: readonly string[]): Recipe {
  const [one = RECIPES[0], other] = RECIPES.filter(({ name }) => names.includes(name));
  if (!other) return one;
  const name = `${one.name},${other.name}`;
  return {
    name,
    rules: [...one.rules, ...other.rules],
    // What `off-loop` leaves names places of other files, which must be those that the person has: it goes first.
    plan: async (options) => (await import('../plan/joint.ts')).planJoint(name, other, one, options),
  };
}
