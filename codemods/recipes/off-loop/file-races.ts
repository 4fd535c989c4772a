import {
  bareExpression,
  functionAround,
  isFunction,
  lastName,
  walk,
  type Declared,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { functionsAround, type CallPoint } from './call-points.ts';
import { accessOf, isLost, type Access } from './file-accesses.ts';
import { spanKey, spanOf, type Modules } from './modules.ts';
import { filledIn, isOwnPath, pathKey } from './path-key.ts';
import { isTestBody } from './seen-at-once.ts';
import { isOnOneWay } from './shared-state.ts';
import { isOneStep } from './sqlite-accesses.ts';
import type { SqliteHandle } from './sqlite-handles.ts';
import type { SurveyedSite } from './survey.ts';
import { isWriteIfChanged } from './write-if-changed.ts';

const WHOLE = /\.(appendFile|writeFile|writeJson|writeJSON|outputFile|outputJson|outputJSON|truncate)Sync$/;

/** Two accesses of one file that belong together, and the function that they are in. */
export interface FileRace {
  first: SurveyedSite;
  second: SurveyedSite;
  /** Only looked at, or looked at and then changed. */
  kind: 'read' | 'write';
  module: LoopModule;
  fn: FunctionNode;
  /** Where the two happen in the function. */
  from: number;
  to: number;
}

/**
 * What blocking calls do to one file in two steps, with nothing that waits in between.
 *
 * @param sites all that block, whether they move or not
 * @param points where functions that hold them are called
 */
export function fileRaces(
  modules: Modules,
  sites: readonly SurveyedSite[],
  points: readonly CallPoint[],
): FileRace[] {
  const inside = new Map<string, { at: Declared; sites: SurveyedSite[]; points: CallPoint[] }>();
  const holder = (at: Declared) => {
    const key = spanKey(at);
    const known = inside.get(key) ?? { at, sites: [], points: [] };
    inside.set(key, known);
    return known;
  };
  for (const site of sites)
    for (const fn of functionsAround(site.module, site.site.call)) holder(fn).sites.push(site);
  for (const point of distinct(
    points,
    ({ at }) => spanKey(at),
    ({ enters }) => enters,
  ))
    for (const fn of point.around) holder(fn).points.push(point);

  const known = new Map<string, Access[]>();
  function accessesOf(fn: string): Access[] {
    const before = known.get(fn);
    if (before) return before;
    known.set(fn, []);
    const its = inside.get(fn);
    const own = (its?.sites ?? []).flatMap((site) => accessOf(site));
    const led = (its?.points ?? []).flatMap((point) => {
      const { at, enters, filling } = point;
      if (enters === fn) return [];
      const entered = accessesOf(enters);
      const place = inside.get(enters)?.at;
      const its = entered.filter(({ site: { handle } }) => !handle || !isStep(handle, at));
      const here = its.map((each) => ({
        ...each,
        key: filledIn(each.key, filling),
        at,
        ...(place && { led: { to: each, in: place } }),
      }));
      // What is reached by several ways happens once, last: else the ways multiply from function to function.
      return [
        ...distinct(
          here.reverse(),
          ({ site }) => site,
          ({ kind, key }) => `${kind} ${key}`,
        ),
      ];
    });
    const all = [...own, ...led].sort((a, b) => endOf(a) - endOf(b));
    known.set(fn, all);
    return all;
  }

  function isStep(handle: SqliteHandle, at: Declared): boolean {
    const module = modules.at(at.file);
    const node = modules.nodeOver(at);
    return module !== undefined && node !== undefined && isOneStep(handle, module, node);
  }

  /** Whether the call that leads to an access waits after it: one that only says `async` gives others no turn. */
  function isOver({ led }: Access): boolean {
    const entered = led && modules.nodeOver(led.in);
    if (!led || !entered || !isFunction(entered)) return false;
    return waitsAlready(entered, endOf(led.to), Infinity) || isOver(led.to);
  }

  const races: FileRace[] = [];
  for (const [key, { at }] of inside) {
    const pairs = [...pairsOf(accessesOf(key))];
    if (pairs.length === 0) continue;
    const module = modules.at(at.file);
    const fn = modules.nodeOver(at);
    if (!module || !fn || !isFunction(fn) || isLocked(fn)) continue;
    for (const { first, second, kind } of pairs) {
      const [from, to] = [endOf(first), endOf(second)];
      if (waitsAlready(fn, from, to)) continue;
      const [one, other] = [modules.nodeOver(first.at), modules.nodeOver(second.at)];
      if (!one || !other || !isOnOneWay(one, other, fn)) continue;
      if (one.parent?.type === 'AwaitExpression' && isOver(first)) continue;
      if (isLed(first) && isLed(second) && (isTestBody(module, fn) || isRepeated(module, one, other)))
        continue;
      const isKept = kind === 'write' && isWriteIfChanged(module, fn, one, other);
      races.push({
        first: first.site,
        second: second.site,
        kind: isKept ? 'read' : kind,
        module,
        fn,
        from,
        to,
      });
    }
  }
  return races;
}

/** Whether it happens in a function that is called. */
const isLed = ({ at, site: { module, site } }: Access): boolean => !isSame(at, spanOf(module, site.call));

/** `apply(one); apply(another);`: each looks for itself, and nothing goes from one to the other. */
function isRepeated({ view }: LoopModule, first: TSESTree.Node, second: TSESTree.Node): boolean {
  const [one, other] = [bareExpression(first), bareExpression(second)];
  return (
    one.type === 'CallExpression' &&
    other.type === 'CallExpression' &&
    first.parent?.type === 'ExpressionStatement' &&
    view.text.slice(...one.callee.range) === view.text.slice(...other.callee.range)
  );
}

/** A call happens behind its arguments. */
const endOf = ({ at }: Access): number => at.end;

/** Of items that agree in both, the first. */
function* distinct<T>(
  items: Iterable<T>,
  whole: (item: T) => unknown,
  part: (item: T) => string,
): Generator<T> {
  const seen = new Map<unknown, Set<string>>();
  for (const item of items) {
    const parts = seen.get(whole(item)) ?? new Set();
    seen.set(whole(item), parts);
    if (!parts.has(part(item))) yield item;
    parts.add(part(item));
  }
}

/** Looks at a file, each with what is done to it afterwards. */
function* pairsOf(
  accesses: readonly Access[],
): Generator<{ first: Access; second: Access; kind: FileRace['kind'] }> {
  const byKey = new Map<string, Access[]>();
  for (const access of accesses) {
    const same = byKey.get(access.key) ?? [];
    byKey.set(access.key, same);
    if (access.key !== '') same.push(access);
  }
  for (const same of byKey.values())
    for (const [n, first] of same.entries()) {
      // Nobody else comes by a file that is this call's own.
      const isOwn = first.site.handle === undefined && isOwnPath(first.key);
      if (first.kind === 'harmless' || isOwn) continue;
      for (const second of same.slice(n + 1)) {
        if (second.site === first.site || isSame(first.at, second.at) || second.kind === 'probe') continue;
        const isNoted = first.kind === 'copy' ? second.kind === 'write' : first.kind !== 'read';
        if (isLost(first, second)) yield { first, second, kind: 'write' };
        else if (isNoted) yield { first, second, kind: 'read' };
      }
    }
}

/** Whether two places of one function are the same, in one file. */
const isSame = (one: Declared, other: Declared): boolean =>
  one.file === other.file && one.start === other.start && one.end === other.end;

/** Whether a call writes a file that every caller of its function has: two at a time would mix, or change places. */
export function overwritesShared({ module, site }: SurveyedSite): boolean {
  if (site.call.type !== 'CallExpression' || !WHOLE.test(site.api)) return false;
  const key = pathKey(module, site.call.arguments[0]);
  const fn = functionAround(site.call);
  return !/\$\d|@/.test(key) && !isOwnPath(key) && !(fn && isLocked(fn));
}

/** Who holds a lock has others wait. */
function isLocked(fn: FunctionNode): boolean {
  const { parent } = fn;
  let found = parent.type === 'CallExpression' && LOCKS.test(lastName(parent.callee) ?? '');
  walk(fn.body, (node) => {
    if (node.type === 'CallExpression') found ||= LOCKS.test(lastName(node.callee) ?? '');
  });
  return found;
}

/** Who makes others wait until what it is given is over. */
export const LOCKS = /^(runExclusive|withLock|withMutex|acquire|acquireLock|lock|synchronized|enqueue)$/;

const waitsOf = new WeakMap<FunctionNode, readonly number[]>();

/** Whether a function waits between two places as it is: then the two were never one step. */
function waitsAlready(fn: FunctionNode, from: number, to: number): boolean {
  const waits = waitsOf.get(fn) ?? endsOfAwaits(fn);
  waitsOf.set(fn, waits);
  return waits.some((at) => at > from && at < to);
}

function endsOfAwaits(fn: FunctionNode): readonly number[] {
  const ends: number[] = [];
  walk(fn.body, (node, inner) => {
    if (node.type === 'AwaitExpression' && inner === undefined) ends.push(node.range[1]);
  });
  return ends;
}
