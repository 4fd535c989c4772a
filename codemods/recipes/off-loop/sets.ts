import {
  contextOf,
  contextOnceAsync,
  shownPath,
  symbolAt,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { ProjectOptions } from '../../plan/project.ts';
import type { SelectableSite } from '../../plan/selection.ts';
import { placeOf } from '../place.ts';
import type { CallPoint } from './call-points.ts';
import { isReading } from './effects.ts';
import { judge, leave, type Judged } from './judged.ts';
import type { Modules } from './modules.ts';
import { racesOf } from './races.ts';
import type { Ground } from './requirements.ts';
import type { SqliteHandle } from './sqlite-handles.ts';
import type { SurveyedSite } from './survey.ts';

/** Of callbacks that would run at the same time none may write: the order of what they do would be lost, by reads that wait too. */
export function keepOrder(sites: readonly Judged[], modules: Modules): void {
  const writing = new Set(
    sites.flatMap(({ site, closure }) => (isReading(site.api) ? [] : [...closure.concurrent])),
  );
  for (const each of sites) {
    const fn = [...each.closure.concurrent].find((one) => writing.has(one));
    if (!fn || each.status !== 'migrate') continue;
    leave(each, 'array-callback');
    each.blockers = [{ reason: 'array-callback', ...placeOf(modules.of(fn).view.filename, fn) }];
  }
}

/** What was one step stays one: where a call moves, others may be parted, so it is asked until nothing is added. */
export function keepSteps(
  ground: Ground,
  calls: readonly CallPoint[],
  sites: readonly Judged[],
  unseen: readonly SurveyedSite[],
): void {
  for (;;) {
    const moving = sites.filter(({ status, closure }) => status === 'migrate' && closure.isOnLoop);
    const lost = racesOf(ground, calls, [...sites, ...unseen], moving);
    const isWhole = !keepTogether(sites);
    if (lost.size === 0 && isWhole) return;
    for (const each of moving) {
      const blocker = lost.get(each);
      if (!blocker) continue;
      leave(each, blocker.reason);
      each.blockers = [blocker];
    }
  }
}

/**
 * A function that becomes async is on the loop from then on, and so is all that it leads to.
 *
 * @returns whether a site was added
 */
export function wake(sites: readonly Judged[], modules: Modules): boolean {
  const functions = new Set(
    sites.flatMap(({ status, closure }) => (status === 'migrate' ? [...closure.functions] : [])),
  );
  const changed = new Set([...functions].map((fn) => modules.of(fn)));
  const contexts = new Map<LoopModule, ReturnType<typeof contextOf>>();
  const contextFor = (module: LoopModule): ReturnType<typeof contextOf> => {
    const context =
      contexts.get(module) ?? (changed.has(module) ? contextOnceAsync(module, functions) : contextOf(module));
    contexts.set(module, context);
    return context;
  };
  const isOnLoop = (module: LoopModule, node: TSESTree.Node): boolean =>
    contextFor(module).unitOf(node).where === 'loop';
  const woken = sites.filter(
    ({ reason, module, site, closure }) =>
      reason === 'not-on-loop' &&
      (isOnLoop(module, site.call) ||
        closure.awaits.some((point) => isOnLoop(point.module, point.node)) ||
        [...closure.functions].some((fn) => functions.has(fn) || isOnLoop(modules.of(fn), fn.body))),
  );
  for (const each of woken) {
    each.closure = { ...each.closure, isOnLoop: true };
    Object.assign(each, { reason: undefined, ...judge(each.closure, false) });
  }
  return woken.length > 0;
}

/** A database moves with all its calls, or not at all. @returns whether one was left for another's sake */
export function keepTogether(sites: readonly Judged[]): boolean {
  let isChanged = false;
  for (let size = -1; size !== 0;) {
    size = 0;
    const staying = new Map<SqliteHandle, Judged>();
    for (const each of sites)
      if (each.status !== 'migrate') for (const one of each.closure.databases) staying.set(one, each);
    for (const each of sites) {
      const mate = [...each.closure.databases].map((one) => staying.get(one)).find(Boolean);
      if (each.status !== 'migrate' || !mate) continue;
      size++;
      leave(each, mate.status === 'left' ? (mate.reason ?? 'sqlite') : 'sqlite');
      each.blockers = mate.blockers;
    }
    isChanged ||= size > 0;
  }
  return isChanged;
}

/** Sites that share a function that must be async, or a database, are one set, named after the first of them. */
export function nameSets(sites: Judged[], base: string): void {
  const leaders = new Map<unknown, Judged>();
  const names = new Map<string, number>();
  for (const each of sites) {
    if (each.status !== 'migrate') continue;
    const { module, site, closure } = each;
    const met = [...closure.functions, ...closure.databases]
      .map((fn) => leaders.get(fn))
      .find((leader) => leader !== undefined);
    const wish = `${shownPath(module.view.filename, base)}#${symbolAt(site.call)} ${site.api}`;
    const count = (names.get(wish) ?? 0) + 1;
    names.set(wish, count);
    each.set = met?.set ?? (count === 1 ? wish : `${wish} ${String(count)}`);
    for (const fn of [...closure.functions, ...closure.databases]) {
      const other = leaders.get(fn);
      if (other && other.set !== each.set)
        for (const one of sites) if (one.set === other.set) one.set = each.set;
      leaders.set(fn, each);
    }
  }
}

/** Leaves the sets that were said no to. */
export function refuse(sites: readonly Judged[], { refused }: ProjectOptions): void {
  for (const each of sites) {
    const refusal = refused?.get(each.set);
    if (each.status === 'migrate' && refusal) leave(each, refusal.reason, refusal.text);
  }
}

/** The sites that were asked for. One that needs a file that was not is left, and with it the database that it asks. */
export function selectedOf(sites: readonly Judged[], { selected }: ProjectOptions): readonly Judged[] {
  if (!selected) return sites;
  const placed = sites.map((each) => ({ each, site: selectableOf(each) }));
  const kept = placed.flatMap(({ each, site }) => (selected(site) ? [each] : []));
  for (const { each, site } of placed) {
    if (each.status !== 'migrate') continue;
    if (!selected(site)) leave(each, 'declined');
    else if (!each.closure.patches.every(({ file }) => selected(site, file))) leave(each, 'outside-paths');
  }
  keepTogether(sites);
  return kept;
}

function selectableOf({ module, site, closure, status, reason }: Judged): SelectableSite {
  const { line, column } = site.name.loc.start;
  const isDoubled = status === 'migrate' && closure.notes.has('test-double');
  return {
    path: module.view.filename,
    line,
    column: column + 1,
    reason: isDoubled ? 'replaced-in-test' : reason,
  };
}
