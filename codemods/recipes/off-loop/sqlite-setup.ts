import { awaitPlace, functionAround, isClass, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { placeOf, type Place } from '../place.ts';
import { formReason } from './function-form.ts';
import { isTried } from './handle-uses.ts';
import type { Ground } from './requirements.ts';
import { outermost } from './value-uses.ts';

/**
 * Whether a call sets a database up where it is opened, nothing can wait, and nothing looks at what it gives:
 * `constructor(path) { this.db = new Database(path); this.db.pragma('journal_mode = WAL'); }`.
 */
export function isSetup(
  ground: Ground,
  module: LoopModule,
  open: TSESTree.Node,
  call: TSESTree.Node,
): boolean {
  const fn = functionAround(open);
  if (functionAround(call) !== fn || outermost(call).parent?.type !== 'ExpressionStatement') return false;
  const cannotWait = fn ? formReason(fn) === 'constructor' : !ground.isEsModule(module.view.filename);
  return cannotWait && 'fn' in awaitPlace(call);
}

/** Where the class around a call is made, and an error of its constructor is caught. */
export function triedConstructions(ground: Ground, call: TSESTree.Node): Place[] {
  let at = call.parent;
  while (at && !isClass(at)) at = at.parent;
  if (!at?.id) return [];
  return ground.references.usesOf(at.id.name).flatMap((use) => {
    const name = ground.modules.nodeAt(use);
    const made = name && outermost(name).parent;
    return made?.type === 'NewExpression' && isTried(made) ? [placeOf(use.file, made)] : [];
  });
}
