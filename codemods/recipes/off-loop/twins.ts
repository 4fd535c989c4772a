import {
  awaitPlace,
  awaitTarget,
  contextOf,
  functionAround,
  isInside,
  type FunctionNode,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { noRequirements, requireAwait, type Ground, type Requirements } from './requirements.ts';
import type { Closure, SurveyedSite } from './survey.ts';
import { twinFamily, type TwinFamily } from './twin-family.ts';
import { twinUsesOf, type TwinCaller, type TwinUses } from './twin-uses.ts';

/** Plans with asynchronous twins what cannot be planned without. */
export interface Twins {
  /** What a site leads to where functions that must stay as they are get a twin; the plain closure where that is no help. */
  closureOf(site: SurveyedSite, plain: Closure): Closure;
}

/**
 * A function is free if all that calls it, directly or not, can wait: it becomes async itself. One that is not, since
 * others may call it or some of its callers cannot wait, stays, and callers on the event loop call its twin. The twin of
 * a function calls the twins of those that it calls, so that everything below a function that stays is written twice.
 *
 * @param planOf what must be so that a function can be async itself
 * @param closureOf all that a site leads to, functions planned as it is told
 */
export function twinsOf(
  ground: Ground,
  planOf: (fn: FunctionNode) => Requirements,
  closureOf: (site: SurveyedSite, planFor?: (fn: FunctionNode) => Requirements) => Closure,
): Twins {
  const free = new Map<FunctionNode, { is: boolean; isOnLoop: boolean }>();
  const families = new Map<FunctionNode, TwinFamily | undefined>();
  const uses = new Map<TwinFamily, TwinUses>();
  const leading = new Map<TwinFamily, boolean>();
  const plans = new Map<TwinFamily, Requirements>();

  /** Whether a function can be async with all that calls it, and whether the event loop waits for it then. */
  function freedomOf(fn: FunctionNode): { is: boolean; isOnLoop: boolean } {
    const known = free.get(fn);
    if (known) return known;
    const all = [planOf(fn)];
    const functions = new Set(all[0]?.needs);
    let isWhole = (all[0]?.databases.size ?? 0) === 0;
    for (const each of functions) {
      const plan = planOf(each);
      all.push(plan);
      isWhole &&= plan.databases.size === 0;
      for (const other of plan.needs) functions.add(other);
    }
    const made = {
      is: isWhole && all.every(({ blockers }) => blockers.length === 0),
      isOnLoop: all.some(({ isOnLoop }) => isOnLoop),
    };
    free.set(fn, made);
    return made;
  }

  function familyOf(fn: FunctionNode): TwinFamily | undefined {
    if (!families.has(fn)) {
      const made = twinFamily(ground, fn);
      for (const each of made?.functions ?? [fn]) families.set(each, made);
    }
    return families.get(fn);
  }

  function usesOf(family: TwinFamily): TwinUses {
    const found = uses.get(family) ?? twinUsesOf(ground, family);
    uses.set(family, found);
    return found;
  }

  /** Whether some code on the event loop could call the twin of a function, directly or by other twins. */
  function leads(family: TwinFamily, seen: ReadonlySet<TwinFamily> = new Set()): boolean {
    const known = leading.get(family);
    if (known !== undefined) return known;
    if (seen.has(family)) return false;
    const inner = new Set([...seen, family]);
    const found = usesOf(family).callers.some((caller) => mayCall(caller, inner));
    // Within a ring the answer holds for this way into it only.
    if (found || seen.size === 0) leading.set(family, found);
    return found;
  }

  /** Whether a call can wait in its place, and the loop leads there. */
  function mayCall({ place, call }: TwinCaller, seen?: ReadonlySet<TwinFamily>): boolean {
    const target = awaitTarget(call);
    const at = target && awaitPlace(target);
    if (!at || 'reason' in at || !at.fn || !ground.isGiven(place.view.filename)) return false;
    if (contextOf(place).isOff(call)) return false;
    if (at.fn.async) return contextOf(place).unitOf(call).where === 'loop';
    return mayWait(at.fn, seen);
  }

  /** Whether a function can be async, or be so in a twin, and the loop leads there. */
  function mayWait(fn: FunctionNode, seen?: ReadonlySet<TwinFamily>): boolean {
    const { is, isOnLoop } = freedomOf(fn);
    if (is) return isOnLoop;
    const root = outermost(fn);
    if (fn !== root && !isWithin(fn, root)) return false;
    const family = familyOf(root);
    return family?.trouble === undefined && family !== undefined && leads(family, seen);
  }

  /** Whether all that a function inside of another asks for happens in that one, where it is copied with it. */
  function isWithin(fn: FunctionNode, root: FunctionNode): boolean {
    const pending = new Set([fn]);
    for (const each of pending) {
      if (each === root) continue;
      const { blockers, awaits, needs, databases } = planOf(each);
      if (blockers.length > 0 || databases.size > 0) return false;
      if (!awaits.every(({ node }) => isInside(node, root))) return false;
      for (const other of needs) pending.add(other);
    }
    return true;
  }

  const isFree = (fn: FunctionNode): boolean => freedomOf(fn).is;
  const isCopied = (node: TSESTree.Node): boolean => {
    const fn = functionAround(node);
    return fn !== undefined && !fn.async && !isFree(fn);
  };

  /** The twin of a function, and the calls of it that go to the twin. */
  function twinPlan(family: TwinFamily): Requirements {
    const known = plans.get(family);
    if (known) return known;
    const its = noRequirements();
    plans.set(family, its);
    its.patches.push(...family.patches);
    its.notes.add('twin');
    for (const fn of family.functions) its.needs.add(fn);
    const switched = usesOf(family).callers.filter((caller) => mayCall(caller));
    for (const { place, call, fn } of switched) {
      const asked = noRequirements();
      requireAwait(ground, asked, place, call, '', '', fn);
      take(its, asked, isCopied(call));
    }
    its.patches.push(...usesOf(family).patchesFor(switched, ({ call }) => isCopied(call)));
    its.isOnLoop = true;
    return its;
  }

  function planFor(fn: FunctionNode): Requirements {
    if (isFree(fn)) return planOf(fn);
    const root = outermost(fn);
    const family = familyOf(root);
    if (fn === root) return family && family.trouble === undefined ? twinPlan(family) : planOf(fn);
    const its = noRequirements();
    take(its, planOf(fn), true);
    return its;
  }

  return {
    closureOf(site, plain) {
      const start = functionAround(site.site.call);
      const root = start && outermost(start);
      const family = root && familyOf(root);
      if (
        !start ||
        start.async ||
        !root ||
        !family ||
        site.its.blockers.length > 0 ||
        plain.databases.size > 0
      )
        return plain;
      if (isFree(start) || (start !== root && !isWithin(start, root)) || !leads(family)) return plain;
      if (family.trouble) return { ...plain, blockers: [family.trouble, ...plain.blockers] };
      const its = noRequirements();
      take(its, site.its, true);
      const closure = closureOf({ ...site, its }, planFor);
      const twins = [...closure.functions].filter((fn) => !isFree(fn) && fn === outermost(fn));
      return closure.blockers.length > 0
        ? plain
        : { ...closure, twins: new Set(twins), isForTwin: true, isOnLoop: true };
    },
  };
}

/** Takes over what another asks for, its edits in the twin alone where it is copied. */
function take(its: Requirements, asked: Requirements, isForTwin: boolean): void {
  for (const each of asked.needs) its.needs.add(each);
  for (const each of asked.notes) its.notes.add(each);
  for (const each of asked.concurrent) its.concurrent.add(each);
  for (const each of asked.databases) its.databases.add(each);
  its.blockers.push(...asked.blockers);
  its.awaits.push(...asked.awaits);
  its.patches.push(...asked.patches.map((each) => (isForTwin ? { ...each, isForTwin } : each)));
  its.isOnLoop ||= asked.isOnLoop;
}

/** The function at the top level, or the method, that a function stands in. */
function outermost(fn: FunctionNode): FunctionNode {
  let root = fn;
  for (let at = functionAround(root); at; at = functionAround(root)) root = at;
  return root;
}
