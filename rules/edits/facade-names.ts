import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopModule } from '../read/loop-module.ts';
import type { Edit } from './edit.ts';
import { bindNames, freshNames } from './bindings.ts';
import { isModule } from './import-form.ts';
import { removeStatement } from './removal.ts';
import { unusedVariables } from './unused-code.ts';
import { unusedSources } from './unused-imports.ts';

/** What a place calls the SQLite of the runtime from now on. */
export interface FacadeUse {
  name: 'openDatabase' | 'Database' | 'Statement' | 'NodeDatabase' | 'NodeStatement';
  /** The name of the driver that goes. */
  replaces: TSESTree.Node;
  /** What the new name is written over. */
  range: readonly [start: number, end: number];
}

const FACADE = 'owned-spawn/sqlite';

/**
 * Names the facade where a driver was named, and sees to the imports; the driver's goes where nothing uses it any more.
 * The uses of one module must be given together: they share imports. Undefined where the file's form of import cannot
 * say it.
 */
export function facadeNameEdits({ view }: LoopModule, uses: readonly FacadeUse[]): Edit[] | undefined {
  if (!isModule(view) && uses.some(({ name }) => name !== 'openDatabase')) return undefined;
  const gone = unusedVariables(
    view,
    uses.map(({ replaces }) => replaces),
  );
  // The host loads the driver: what it does when it is loaded is done there.
  const unused = unusedSources(gone, () => false);
  const isTaken = (name: string): boolean =>
    view.scopeManager.scopes.some(({ variables }) =>
      variables.some((each) => each.name === name && each.defs.length > 0 && !gone.includes(each)),
    );
  const local = new Map<string, string>();
  const named = uses.map((use) => {
    const { name } = use;
    const own = name !== 'openDatabase' && isTaken(name) ? freshNames(view)(`Owned${name}`) : name;
    local.set(name, own);
    return {
      ...use,
      name: name === 'openDatabase' ? name : `type ${own === name ? name : `${name} as ${own}`}`,
    };
  });
  const anchor = named.find(({ name }) => name === 'openDatabase');
  const isOf = (owner: TSESTree.Node): boolean =>
    owner.type !== 'ImportDeclaration' || owner.importKind !== 'type';
  const taken = unused.filter(({ owner, whole }) => !whole || isOf(owner));
  const { textOf, edits } = bindNames(view, named, taken, FACADE);
  return [
    ...edits,
    ...unused.flatMap((each) => (taken.includes(each) ? [] : removeStatement(view, each.source.statement))),
    ...named.map((use, at) => ({
      start: use.range[0],
      end: use.range[1],
      text: use.name === anchor?.name ? textOf(use) : (local.get(uses[at]?.name ?? '') ?? ''),
    })),
  ];
}
