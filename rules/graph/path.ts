/** A step of a path: what is called, and where the call stands that enters it. */
export interface PathStep {
  name: string;
  file: string;
  line: number;
}

/** Longer paths leave out their middle, and say so. */
const MOST_STEPS = 8;

const ARROW = ' → ';

/**
 * A path as messages give it: `handler → resolveRoot (session.ts:43) → spawnSync (git.ts:12)`. The first name is that of
 * the code on the loop; a long path reads `… → 5 calls more → …`.
 */
export function pathText(root: string, steps: readonly PathStep[]): string {
  const texts = steps.map(({ name, file, line }) => `${name} (${file}:${String(line)})`);
  const left = steps.length - MOST_STEPS;
  const half = MOST_STEPS / 2;
  const shown =
    left > 0 ? [...texts.slice(0, half), `${String(left)} calls more`, ...texts.slice(-half)] : texts;
  return [root, ...shown].join(ARROW);
}

/** The steps of a path's text, those left out missing; undefined where a message holds no path. */
export function pathOf(message: string): { root: string; steps: PathStep[] } | undefined {
  const [, path] = /: ((?:(?! → ).)+(?: → (?:[^→]+ \([^()]*:\d+\)|\d+ calls more))+)/.exec(message) ?? [];
  const [root, ...steps] = path?.split(ARROW) ?? [];
  if (root === undefined) return undefined;
  return {
    root,
    steps: steps.flatMap((step) => {
      const [, name, file, line] = /^(.+) \(([^()]*):(\d+)\)$/.exec(step) ?? [];
      return name !== undefined && file !== undefined ? [{ name, file, line: Number(line) }] : [];
    }),
  };
}
