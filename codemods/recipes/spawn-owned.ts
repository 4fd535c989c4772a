import type { API, FileInfo, Options } from 'jscodeshift';

/**
 * jscodeshift loads transforms through @babel/register, which cannot load ES modules and would compile all that they
 * import, TypeScript's 9 MB included. This file alone bears it (so no `import.meta` here); the hook goes before the rest loads.
 */
function unhook(): void {
  try {
    // As an ES module, which `--no-babel` makes this file, it has no `require` and needs none.
    (require.main?.require('@babel/register') as { revert(): void } | undefined)?.revert();
  } catch {
    // Not there.
  }
}

/**
 * The recipe as a jscodeshift transform: `npx jscodeshift -t node_modules/owned-spawn-codemods/dist/recipes/spawn-owned.js src`.
 * Options: `--outliving leave|own|detach`, `--insert-markers`, `--insert-todos`.
 */
export default async function spawnOwned(
  file: FileInfo,
  api: API,
  options: Options,
): Promise<string | undefined> {
  unhook();
  const { transformAlone } = await import('../apply/transform-alone.ts');
  return transformAlone(file, api, options);
}
