import type { Graph } from './reach.ts';

/** The ways that lead to a function from code on the loop, and where others end. */
export interface WaysTo {
  /** The calls of each, the first being one of a function on the loop; shortest first. */
  ways: (readonly number[])[];
  /** Calls that lead here and go no further up: they, or the functions that they stand in, are excused. */
  excused: number[];
  /** Whether there are more than were looked at. */
  isCut: boolean;
}

const MOST_WAYS = 100;
const MOST_LOOKED_AT = 5000;
const MOST_UNITS = 500;

/** Every way from code on the loop to a function, without circles. */
export function waysTo(graph: Graph, unit: number): WaysTo {
  const { units, calls, cut } = graph;
  const found: WaysTo = { ways: [], excused: [], isCut: false };
  const excused = new Set<number>();
  const queue = [{ unit, way: [] as readonly number[], through: [unit] as readonly number[] }];
  for (const here of queue) {
    if (found.ways.length >= MOST_WAYS || queue.length > MOST_LOOKED_AT) {
      found.isCut = true;
      break;
    }
    if (isOnLoop(graph, here.unit)) found.ways.push(here.way);
    if (units[here.unit]?.where !== 'called') continue;
    for (const call of callsInto(graph, here.unit)) {
      const from = calls[call]?.unit ?? -1;
      if (cut?.calls.has(call) || cut?.units.has(from)) excused.add(call);
      else if (!here.through.includes(from))
        queue.push({ unit: from, way: [call, ...here.way], through: [...here.through, from] });
    }
  }
  return { ...found, excused: [...excused] };
}

/** The blocking calls that a call leads to; functions on the loop report for themselves. */
export function sitesBelow(graph: Graph, first: number): number[] {
  const { units, sites, calls } = graph;
  const seen = new Set(targetsOf(graph, first));
  const found: number[] = [];
  for (const unit of seen) {
    if (units[unit]?.where !== 'called' || seen.size > MOST_UNITS) continue;
    sites.forEach((site, at) => {
      if (site.unit === unit) found.push(at);
    });
    calls.forEach((call, at) => {
      if (call.unit === unit) for (const to of targetsOf(graph, at)) seen.add(to);
    });
  }
  return found;
}

const isOnLoop = ({ units, becomesRoot }: Graph, unit: number): boolean =>
  units[unit]?.where === 'loop' || (units[unit]?.where === 'called' && becomesRoot?.(unit) === true);

/** The calls that enter a function; asked for once, for resolving a call is dear. */
function callsInto(graph: Graph, unit: number): readonly number[] {
  const ofGraph = callers.get(graph) ?? new Map<number, readonly number[]>();
  callers.set(graph, ofGraph);
  const before = ofGraph.get(unit);
  if (before) return before;
  const named = graph.callsNamed?.(graph.units[unit]?.names ?? [], unit) ?? [];
  const found = named.filter((call) => targetsOf(graph, call).includes(unit));
  ofGraph.set(unit, found);
  return found;
}

function targetsOf(graph: Graph, call: number): readonly number[] {
  const ofGraph = targets.get(graph) ?? new Map<number, readonly number[]>();
  targets.set(graph, ofGraph);
  const found = ofGraph.get(call) ?? graph.targetsOf(call);
  ofGraph.set(call, found);
  return found;
}

const callers = new WeakMap<Graph, Map<number, readonly number[]>>();
const targets = new WeakMap<Graph, Map<number, readonly number[]>>();
