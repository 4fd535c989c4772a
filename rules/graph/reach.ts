import type { Where } from '../read/context.ts';
import { pushTo } from '../read/push-to.ts';

/** Calls between functions, and which functions block, of one module or of many; units, sites and calls go by index. */
export interface Graph {
  units: readonly { where: Where; names: readonly string[] }[];
  sites: readonly { unit: number; isLight: boolean; isRepeated: boolean }[];
  calls: readonly { unit: number; name: string; isRepeated: boolean }[];
  aliases: readonly { name: string; of: string }[];
  /** The calls by the names of a unit, aliases followed; looked up in `calls` where this is missing. It may add units and calls. */
  callsNamed?: (names: readonly string[], unit: number) => readonly number[];
  /** Puts a unit on the loop where somebody has it called back, which is no call to be seen, and tells whether it did. */
  becomesRoot?: (unit: number) => boolean;
  /** The units that a call enters; it is only asked of calls by the name of a function that blocks. */
  targetsOf(call: number): readonly number[];
  /** What does not count: nothing goes through it. */
  cut?: Cut | undefined;
}

/** Why something does not count: a marker's reason, that of a group of the settings, or that it runs once in a process. */
export type Excuse =
  { by: 'marker'; reason: string; line: number } | { by: 'group'; reason: string } | { by: 'once' };

/** What does not count, by index. */
export type Cut = Record<'units' | 'sites' | 'calls', Map<number, Excuse>>;

/** A way from code on the loop to a call that blocks. */
export interface Reached {
  /** The calls that are entered on the way, the first being one of a function on the loop; none for a direct call. */
  calls: readonly number[];
  site: number;
  /** How many more blocking calls the first call leads to, those with a report of their own left out. */
  more: number;
}

interface Edge {
  call: number;
  to: number;
}

/** A function whose blocking is little (`light`) blocks who calls it many times. */
type Weight = 'heavy' | 'light';

/** Functions that are looked at to count what else a call leads to. */
const MOST_COUNTED = 200;

/**
 * What to report: each blocking call of code on the loop, each call from there that leads to one, by the shortest way,
 * and each blocking call that is at the end of no such way, by the shortest way to it.
 *
 * Names first: from the functions that block to the calls by their names, and only these are resolved; then the
 * functions around those calls, until nothing is added. Functions that run on the loop end the way: they report for
 * themselves.
 */
export function reach(graph: Graph): Reached[] {
  const { units, sites, cut } = graph;
  const directly = (): Reached[] =>
    sites.flatMap(({ unit, isLight, isRepeated }, site) =>
      units[unit]?.where === 'loop' &&
      (!isLight || isRepeated) &&
      !cut?.sites.has(site) &&
      !cut?.units.has(unit)
        ? [{ calls: [], site, more: 0 }]
        : [],
    );
  // Most modules need no look at their calls.
  if (!sites.some(({ unit }) => units[unit]?.where === 'called')) return directly();
  const { calls } = graph;
  const ways = waysDown(graph);
  const direct = directly();
  const entries = ways.entries.map(({ call, to, weight }) => follow(ways, call, to, weight));
  const covered = new Set(entries.map(({ site }) => site));
  const rest = waysUp(graph, ways, covered);
  const told = new Map<number, Set<number>>();
  for (const {
    calls: [first],
    site,
  } of [...entries, ...rest]) {
    if (first === undefined) continue;
    told.set(first, (told.get(first) ?? new Set()).add(site));
  }
  const counted = entries.map((entry) => ({ ...entry, more: moreOf(entry) }));
  return [...direct, ...counted, ...rest];

  function moreOf({ calls: [first] }: Reached): number {
    if (first === undefined) return 0;
    const its = told.get(first) ?? new Set();
    let more = 0;
    const seen = new Set<number>();
    const stack = (ways.targets.get(first) ?? []).map((to) => ({
      to,
      repeated: calls[first]?.isRepeated ?? false,
    }));
    for (let here = stack.pop(); here && seen.size < MOST_COUNTED; here = stack.pop()) {
      if (seen.has(here.to)) continue;
      seen.add(here.to);
      for (const at of ways.sitesOf.get(here.to) ?? []) {
        const site = sites[at];
        if (site && !its.has(at) && (!site.isLight || site.isRepeated || here.repeated)) more += 1;
      }
      for (const edge of ways.out.get(here.to) ?? [])
        stack.push({ to: edge.to, repeated: here.repeated || (calls[edge.call]?.isRepeated ?? false) });
    }
    return more;
  }
}

interface Ways {
  /** Calls of units on the loop that enter functions which block, nearest first. */
  entries: (Edge & { weight: Weight })[];
  /** The next step towards the nearest blocking call. */
  next: Record<Weight, Map<number, { site: number } | (Edge & { weight: Weight })>>;
  /** Calls that lead to blocking calls, by the unit that they stand in. */
  out: Map<number, Edge[]>;
  targets: Map<number, number[]>;
  sitesOf: Map<number, number[]>;
}

/** From the blocking calls to the functions on the loop, a call further each round. */
function waysDown(graph: Graph): Ways {
  const { units, sites, calls, cut } = graph;
  const ways: Ways = {
    entries: [],
    next: { heavy: new Map(), light: new Map() },
    out: new Map(),
    targets: new Map(),
    sitesOf: new Map(),
  };
  const queue: { unit: number; weight: Weight }[] = [];
  sites.forEach(({ unit, isLight, isRepeated }, site) => {
    if (cut?.sites.has(site) || cut?.units.has(unit) || units[unit]?.where !== 'called') return;
    pushTo(ways.sitesOf, unit, site);
    const weight = isLight && !isRepeated ? 'light' : 'heavy';
    if (ways.next[weight].has(unit)) return;
    ways.next[weight].set(unit, { site });
    queue.push({ unit, weight });
  });
  const namedCalls = graph.callsNamed ?? callsByName(graph);
  const resolved = new Map<number, readonly number[]>();
  const entered = new Set<number>();
  for (const { unit, weight } of queue) {
    if (units[unit]?.where === 'called' && graph.becomesRoot?.(unit)) {
      for (const { call, to } of ways.out.get(unit) ?? [])
        enter(call, to, ways.next.heavy.has(to) ? 'heavy' : 'light');
    }
    // Who is on the loop reports for itself.
    if (units[unit]?.where === 'loop') continue;
    for (const call of namedCalls(units[unit]?.names ?? [], unit)) {
      const its = calls[call];
      if (!its || cut?.calls.has(call) || cut?.units.has(its.unit)) continue;
      const targets = resolved.get(call) ?? graph.targetsOf(call);
      resolved.set(call, targets);
      if (!targets.includes(unit)) continue;
      if (!ways.targets.get(call)?.includes(unit)) {
        pushTo(ways.targets, call, unit);
        pushTo(ways.out, its.unit, { call, to: unit });
      }
      const above = its.isRepeated ? 'heavy' : weight;
      const where = units[its.unit]?.where;
      if (where === 'loop') enter(call, unit, weight);
      if (where !== 'called' || ways.next[above].has(its.unit)) continue;
      ways.next[above].set(its.unit, { call, to: unit, weight });
      queue.push({ unit: its.unit, weight: above });
    }
  }
  return ways;

  function enter(call: number, to: number, weight: Weight): void {
    if (entered.has(call) || (weight === 'light' && calls[call]?.isRepeated !== true)) return;
    entered.add(call);
    ways.entries.push({ call, to, weight });
  }
}

/** The way from an entering call to the nearest blocking call. */
function follow(ways: Ways, first: number, target: number, its: Weight): Reached {
  const calls = [first];
  let [unit, weight] = [target, its];
  for (;;) {
    const step = ways.next[weight].get(unit);
    if (!step) throw new Error('A function that blocks has no way to a blocking call.');
    if ('site' in step) return { calls, site: step.site, more: 0 };
    calls.push(step.call);
    [unit, weight] = [step.to, step.weight];
  }
}

/** The shortest ways to blocking calls that are at the end of no way yet. */
function waysUp({ units, sites, calls }: Graph, ways: Ways, covered: ReadonlySet<number>): Reached[] {
  interface Visit {
    call: number;
    unit: number;
    before: Visit | undefined;
    isRepeated: boolean;
  }
  const first: Visit[] = [...ways.targets].flatMap(([call, targets]) =>
    units[calls[call]?.unit ?? -1]?.where === 'loop'
      ? targets.map((unit) => visit(call, unit, undefined))
      : [],
  );
  const seen = { true: new Map<number, Visit>(), false: new Map<number, Visit>() };
  const queue: Visit[] = [];
  first.forEach(enter);
  for (const here of queue)
    for (const { call, to } of ways.out.get(here.unit) ?? []) enter(visit(call, to, here));

  const found: Reached[] = [];
  for (const [unit, its] of ways.sitesOf) {
    for (const site of its) {
      if (covered.has(site)) continue;
      const needsRepeat = sites[site]?.isLight === true && !sites[site].isRepeated;
      const way = needsRepeat ? seen.true.get(unit) : (seen.false.get(unit) ?? seen.true.get(unit));
      if (way) found.push({ calls: callsOf(way), site, more: 0 });
    }
  }
  return found;

  function visit(call: number, unit: number, before: Visit | undefined): Visit {
    return {
      call,
      unit,
      before,
      isRepeated: before?.isRepeated === true || calls[call]?.isRepeated === true,
    };
  }
  function enter(here: Visit): void {
    const those = seen[here.isRepeated ? 'true' : 'false'];
    if (those.has(here.unit)) return;
    those.set(here.unit, here);
    queue.push(here);
  }
  function callsOf(way: Visit | undefined): number[] {
    return way ? [...callsOf(way.before), way.call] : [];
  }
}

/** Finds the calls that may enter a function of one of the given names, aliases followed. */
function callsByName({ calls, aliases }: Graph): (names: readonly string[]) => readonly number[] {
  const byName = new Map<string, number[]>();
  calls.forEach(({ name }, call) => {
    pushTo(byName, name, call);
  });
  const others = new Map<string, string[]>();
  for (const { name, of } of aliases) pushTo(others, of, name);
  return (names) => {
    const all = new Set(names);
    // Each name that is added is looked at in turn.
    for (const name of all) for (const other of others.get(name) ?? []) all.add(other);
    return [...all].flatMap((name) => byName.get(name) ?? []);
  };
}
