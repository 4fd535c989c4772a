import type { Program } from 'typescript';
import { basename } from 'node:path';
import type { LoopSettings, LoopTable } from '../apis/loop-table.ts';
import { loopTable } from '../apis/loop-table.ts';
import type { Span } from '../read/summary.ts';
import type { Compiler } from './compiler.ts';
import { insideText } from './module-reach.ts';
import { blockingGraph, type In, type LightCalls, type ProgramGraph } from './program-graph.ts';
import { reach, type Reached } from './reach.ts';
import type { SourceCall, SourceSite } from './source-summary.ts';

/** A call on the loop that leads to a blocking call through another file. */
export interface PathFinding {
  /** Where the report stands: the name that the first call has. */
  at: Span;
  /** What the code on the loop is, for a message: `` async `load` ``. */
  inside: string;
  /** The same as a path's first step. */
  root: string;
  /** From the reported call to the blocking one; `path` is the file's absolute one. */
  steps: { name: string; file: string; line: number; column: number; path: string }[];
  /** How many more blocking calls the reported call leads to. */
  more: number;
  site: SourceSite;
}

/** The findings of a program by file, under the program's own names of files. */
export type PathFindings = ReadonlyMap<string, readonly PathFinding[]>;

const known = new WeakMap<Program, Map<LoopTable, Map<string, PathFindings>>>();

/**
 * What blocks the event loop of a program through other files, found once for all its files.
 *
 * @param ts the compiler that made the program
 * @throws {SettingsError} for settings that are wrong.
 */
export function pathFindings(
  ts: Compiler,
  program: Program,
  settings: LoopSettings | undefined,
  light: LightCalls,
): PathFindings {
  const table = loopTable(settings);
  const ofProgram = known.get(program) ?? new Map<LoopTable, Map<string, PathFindings>>();
  known.set(program, ofProgram);
  const ofTable = ofProgram.get(table) ?? new Map<string, PathFindings>();
  ofProgram.set(table, ofTable);
  const key = `${String(light.probes)} ${String(light.pointQueries)}`;
  const findings = ofTable.get(key) ?? find(ts, program, settings, light);
  ofTable.set(key, findings);
  return findings;
}

function find(
  ts: Compiler,
  program: Program,
  settings: LoopSettings | undefined,
  light: LightCalls,
): PathFindings {
  const findings = new Map<string, PathFinding[]>();
  const graph = blockingGraph(ts, program, settings, light);
  for (const way of graph ? reach(graph) : []) {
    if (!graph || !isCrossing(graph, way)) continue;
    const first = graph.calls[way.calls[0] ?? -1] ?? graph.sites[way.site];
    const finding = first && findingOf(graph, first, way);
    if (finding) findings.set(first.file, [...(findings.get(first.file) ?? []), finding]);
  }
  for (const its of findings.values()) its.sort((a, b) => a.at.start - b.at.start);
  return findings;
}

/** What one file tells by itself is the syntactic rules' business. */
export function isCrossing(
  { units, calls, sites }: ProgramGraph,
  way: Pick<Reached, 'calls' | 'site'>,
): boolean {
  const first = calls[way.calls[0] ?? -1] ?? sites[way.site];
  const files = new Set([...way.calls.map((call) => calls[call]?.file), sites[way.site]?.file]);
  return (
    files.size > 1 || units[first?.unit ?? -1]?.isRegistered === true || sites[way.site]?.isHanded === true
  );
}

function findingOf(
  graph: ProgramGraph,
  first: In<SourceCall | SourceSite>,
  way: Reached,
): PathFinding | undefined {
  const site = graph.sites[way.site];
  const unit = graph.units[first.unit];
  if (!site || !unit) return undefined;
  const step = (file: string, name: string, { line, column }: Span): PathFinding['steps'][number] => ({
    name,
    file: basename(file),
    line,
    column,
    path: file,
  });
  return {
    at: 'at' in first ? first.at : first,
    inside: insideText(unit.as, unit.name),
    root: unit.name || unit.as.replace(/^an? /, ''),
    steps: [
      ...way.calls.flatMap((at) => {
        const call = graph.calls[at];
        return call ? [step(call.file, call.shown, call.at)] : [];
      }),
      step(site.file, site.shown, site),
    ],
    more: way.more,
    site,
  };
}
