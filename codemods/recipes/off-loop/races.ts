import { functionAround, isInside, type FunctionNode, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isReading } from './effects.ts';
import { placeOf } from '../place.ts';
import { callPoint, type CallPoint } from './call-points.ts';
import { handMadeTransactions } from './hand-made-transactions.ts';
import { fileRaces, overwritesShared, type FileRace } from './file-races.ts';
import type { Blocker, Ground } from './requirements.ts';
import { sqliteWrap } from './sqlite-wraps.ts';
import { isLoopBody } from './shared-state.ts';
import { splitStates } from './split-states.ts';
import { stateRaces } from './state-races.ts';
import type { Closure, SurveyedSite } from './survey.ts';

/** A site that moves, with all that it leads to. */
export interface Moving extends SurveyedSite {
  closure: Closure;
}

/**
 * What synchronous code did in one step, and would do in several: sites that must stay, each with the place that it
 * belongs to. Sites that may move, but between whose steps other code can run, are noted as `interleaving`.
 *
 * @param ground what the recipe stands on
 * @param calls where functions that hold blocking calls are called
 * @param all every blocking call, those that stay too
 * @param moving those that would move
 */
export function racesOf(
  ground: Ground,
  calls: readonly CallPoint[],
  all: readonly (SurveyedSite & { closure?: Closure })[],
  moving: readonly Moving[],
): Map<Moving, Blocker> {
  const lost = new Map<Moving, Blocker>();
  const waits = moving.flatMap((each) => each.closure.awaits.map((point) => ({ ...point, each })));
  const byFunction = new Map<FunctionNode, typeof waits>();
  for (const wait of waits) {
    const fn = outerFunction(wait.node);
    if (fn) byFunction.set(fn, [...(byFunction.get(fn) ?? []), wait]);
  }
  const isMoving = new Map<SurveyedSite['site'], Moving>(moving.map((each) => [each.site, each]));

  // A call that stays may lead to others that move, and back, through other modules.
  const awaits = [...waits, ...all.flatMap(({ closure }) => closure?.awaits ?? [])];
  const points = [
    ...awaits.flatMap(({ module, node, enters }) =>
      enters ? [callPoint(ground, module, node, enters)] : [],
    ),
    ...calls,
  ];
  for (const each of moving) if (overwritesShared(each)) each.closure.notes.add('interleaving');
  for (const race of racesLeft(ground, all, points, isMoving)) {
    const { first, second, kind, module, fn, from, to } = race;
    const own = [first, second].flatMap(({ site }) => isMoving.get(site) ?? []);
    const between = waits.filter(
      (wait) =>
        wait.module === module &&
        isInside(wait.node, fn) &&
        wait.node.range[1] >= from &&
        wait.node.range[1] <= to &&
        !(wait.node.range[1] === to && isBehind(wait.each, second)),
    );
    for (const each of new Set([...own, ...between.map((wait) => wait.each)])) {
      if (kind === 'write')
        lost.set(
          each,
          blockerAt(second.module, each.site === second.site ? first.site.call : second.site.call),
        );
      else each.closure.notes.add('interleaving');
    }
  }
  for (const [fn, its] of byFunction) {
    const module = its[0]?.module;
    if (!module) continue;
    const nodes = [...new Set(its.map(({ node }) => node))].sort((a, b) => a.range[0] - b.range[0]);
    const isReads = its.every(({ each }) => isReading(each.site.api));
    for (const { node, isLost, waits: between } of [
      ...stateRaces(module, fn, nodes),
      ...splitStates(module, fn, nodes, isReads),
      ...handMadeTransactions(module, fn, nodes),
    ]) {
      for (const { each, node: wait } of its) {
        if (!between.includes(wait)) continue;
        if (isLost) lost.set(each, blockerAt(module, node));
        else each.closure.notes.add('interleaving');
      }
    }
  }
  return lost;
}

/** The races that no transaction can undo. Where what reads and what writes a database are in one function, both become one. */
function racesLeft(
  { modules }: Ground,
  all: readonly SurveyedSite[],
  points: readonly CallPoint[],
  isMoving: ReadonlyMap<SurveyedSite['site'], Moving>,
): FileRace[] {
  const databases = new Set([...isMoving.values()].flatMap(({ closure }) => [...closure.databases]));
  for (;;) {
    const races = fileRaces(modules, all, points);
    const parted = races.filter(({ kind, first }) => kind === 'write' && first.handle);
    // Where both are in the function itself first: who calls it calls one step then.
    const wrapped = parted.find((race) => isDirect(race) && wrap(race)) ?? parted.find(wrap);
    if (!wrapped) return races;
    for (const { site } of [wrapped.first, wrapped.second]) isMoving.get(site)?.closure.notes.add('wrapped');
  }

  function wrap({ first: { handle }, second, module, fn, from, to }: FileRace): boolean {
    if (!handle || handle !== second.handle || !databases.has(handle)) return false;
    const before = handle.wraps.get(fn);
    const made = sqliteWrap(
      handle,
      module,
      fn,
      Math.min(from, before ? before.start + 1 : from),
      Math.max(to, before?.end ?? to),
    );
    if (made) handle.wraps.set(fn, made);
    return made !== undefined;
  }
}

/** Whether a function that makes both calls makes the first of them later. */
const isBehind = ({ site: { call } }: SurveyedSite, { site: { call: other } }: SurveyedSite): boolean =>
  call.range[0] > other.range[1] && functionAround(call) === functionAround(other);

const isDirect = ({ first, second, from, to }: FileRace): boolean =>
  first.site.call.range[1] === from && second.site.call.range[1] === to;

/** The function that a wait holds up: what is given to `forEach` is written into the one around it. */
function outerFunction(node: TSESTree.Node): FunctionNode | undefined {
  let fn = functionAround(node);
  while (fn && isLoopBody(fn)) fn = functionAround(fn);
  return fn;
}

const blockerAt = (module: LoopModule, node: TSESTree.Node): Blocker => ({
  reason: 'read-modify-write',
  ...placeOf(module.view.filename, node),
});
