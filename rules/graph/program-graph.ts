import type { Program, SourceFile } from 'typescript';
import type { LoopSettings } from '../apis/loop-table.ts';
import { loopTable } from '../apis/loop-table.ts';
import { offPath } from '../read/file-role.ts';
import type { LoopModule } from '../read/loop-module.ts';
import { pushTo } from '../read/push-to.ts';
import type { UnitSummary } from '../read/summary.ts';
import { DEFAULT, type SourceAlias } from './aliases.ts';
import type { Compiler } from './compiler.ts';
import { handledModules } from './handles.ts';
import { holdersOf } from './holders.ts';
import { importsOf, type Imports } from './imports.ts';
import { noCut } from './module-reach.ts';
import type { Cut, Graph } from './reach.ts';
import { resolver, type Declared } from './resolve.ts';
import {
  handedSummary,
  sourceSummary,
  type Registered,
  type SourceCall,
  type SourceSite,
  type SourceSummary,
  type Wrapper,
} from './source-summary.ts';

/** Which calls count that are little by themselves. */
export interface LightCalls {
  probes: boolean;
  pointQueries: boolean;
}

/** Something of one of the program's files. */
export type In<T> = T & { file: string };

/** The graph of a program, which grows as names are asked for. */
export interface ProgramGraph extends Graph {
  units: In<UnitSummary & { isRegistered?: true }>[];
  sites: In<SourceSite>[];
  calls: In<SourceCall>[];
  cut: Cut;
}

/**
 * The graph of a program, its files with blocking calls read; undefined where there are none.
 * @throws {SettingsError} for settings that are wrong.
 */
export function blockingGraph(
  ts: Compiler,
  program: Program,
  settings: LoopSettings | undefined,
  light: LightCalls,
): ProgramGraph | undefined {
  const table = loopTable(settings);
  const sources = program
    .getSourceFiles()
    .filter(
      (source) =>
        !source.isDeclarationFile &&
        !program.isSourceFileFromExternalLibrary(source) &&
        offPath(source.fileName, table) === undefined,
    )
    .sort((a, b) => compare(a.fileName, b.fileName));
  const blocking = sources.filter(({ text }) => table.mention.test(text));
  if (blocking.length === 0) return undefined;
  const imports = importsOf(ts, program, sources);
  const handed = handledModules(ts, sources, table, imports);
  const graph = programGraph(ts, program, { sources, imports, handed }, settings, light);
  for (const source of new Set([...blocking, ...handed.keys()])) graph.add(source);
  return graph;
}

interface Files {
  sources: readonly SourceFile[];
  imports: Imports;
  /** Those that others hand databases. */
  handed: ReadonlyMap<SourceFile, LoopModule>;
}

function programGraph(
  ts: Compiler,
  program: Program,
  { sources, imports, handed }: Files,
  settings: LoopSettings | undefined,
  light: LightCalls,
): ProgramGraph & { add(source: SourceFile): void } {
  const units: ProgramGraph['units'] = [];
  const sites: ProgramGraph['sites'] = [];
  const calls: ProgramGraph['calls'] = [];
  const cut = noCut();
  const added = new Set<SourceFile>();
  const known = new Set(sources.map(({ fileName }) => fileName));
  const called = new Map<number, readonly number[]>();
  const callsByName = new Map<string, number[]>();
  const aliases = new Map<string, In<SourceAlias>[]>();
  const registered = new Map<string, In<Registered>[]>();
  const kept = new Map<number, readonly (string | undefined)[]>();
  const wrappings = new Map<string, SourceSummary['wrappings'][number]>();
  const wrappers = new Map<string, Wrapper[]>();
  /** Units by file and end, for a function ends where its declaration does. */
  const unitsAt = new Map<string, number[]>();
  const { declarationsAt, usesOf } = resolver(ts, program, sources, imports, wrappedAt);
  const holding = holders(sources, imports);
  const uses = new Map<SourceFile, Map<string, readonly Declared[] | undefined>>();

  function add(source: SourceFile): void {
    if (added.has(source)) return;
    added.add(source);
    const file = source.fileName;
    const module = handed.get(source);
    const its = module ? handedSummary(module, settings) : sourceSummary(ts, source, settings);
    const named = (name: string): string => (isDefault(name) ? defaultIn(source, name) : name);
    const first = { units: units.length, sites: sites.length, calls: calls.length };
    its.called.forEach((positions, at) => called.set(units.length + at, positions));
    its.kept.forEach((positions, at) => kept.set(units.length + at, positions));
    for (const each of its.wrappings) wrappings.set(placeKey(file, each), each);
    for (const each of its.wrappers) pushTo(wrappers, `${file} ${String(each.end)}`, each);
    for (const each of its.registered) pushTo(registered, each.name, { ...each, file });
    for (const unit of its.units) {
      pushTo(unitsAt, `${file} ${String(unit.end)}`, units.length);
      units.push({ ...unit, names: unit.names.map(named), file });
    }
    for (const site of its.sites) {
      const counts = site.family === 'sqlite' ? light.pointQueries : light.probes;
      sites.push({ ...site, unit: first.units + site.unit, isLight: site.isLight && !counts, file });
    }
    for (const call of its.calls) {
      pushTo(callsByName, call.name, calls.length);
      calls.push({ ...call, unit: first.units + call.unit, file });
    }
    for (const { name, of, value } of its.aliases)
      pushTo(aliases, named(of), { name: named(name), of, ...(value && { value }), file });
    for (const kind of ['units', 'sites', 'calls'] as const)
      for (const [at, excuse] of its.cut[kind]) cut[kind].set(first[kind] + at, excuse);
  }

  /** Default exports are called by their files, however these are imported. */
  function defaultIn(source: SourceFile, name: string): string {
    return DEFAULT + (imports.fileOf(source, name.slice(DEFAULT.length)) ?? name.slice(DEFAULT.length));
  }

  /** Files that hold a name are read when it is asked for. */
  function callsNamed(names: readonly string[], unit: number): number[] {
    // Of ways of one length the first counts, in whatever order the files were read.
    return namesOf(names, unit)
      .flatMap((name) => callsByName.get(name) ?? [])
      .sort(byPlace);
  }

  /** The names of a unit, and those that other files give it. */
  function namesOf(names: readonly string[], unit: number): string[] {
    const all = new Set(names);
    for (const name of all) {
      for (const source of holding(name)) if (!added.has(source) && mayUse(source, name, unit)) add(source);
      // `(await import('./git')).default()`
      if (isDefault(name)) all.add('default');
      for (const alias of aliases.get(name) ?? [])
        if (!all.has(alias.name) && standsFor(alias, unit)) all.add(alias.name);
    }
    return [...all];
  }

  function byPlace(a: number, b: number): number {
    const [one, other] = [calls[a], calls[b]];
    return one && other ? compare(one.file, other.file) || one.start - other.start : 0;
  }

  /** Whether a file that is not read yet may call or hand on a unit by a name: reading it costs more than asking. */
  function mayUse(source: SourceFile, name: string, unit: number): boolean {
    if (isDefault(name)) return true;
    const known = uses.get(source) ?? new Map<string, readonly Declared[] | undefined>();
    uses.set(source, known);
    if (!known.has(name)) known.set(name, usesOf(source, name));
    return known.get(name)?.some((declared) => unitOf(declared) === unit) ?? true;
  }

  function becomesRoot(at: number): boolean {
    const unit = units[at];
    const as = registeredAs(at);
    if (!unit || as === undefined) return false;
    Object.assign(unit, { where: 'loop', as, isRegistered: true });
    return true;
  }

  /** What a unit is that another file registers by its name: `a request handler`. */
  function registeredAs(unit: number): string | undefined {
    for (const name of namesOf(units[unit]?.names ?? [], unit)) {
      for (const { file, start, end, by } of registered.get(name) ?? []) {
        if (!unitsOf(file, { start, end }).includes(unit)) continue;
        const as = typeof by === 'string' ? by : keptAs(file, by);
        if (as !== undefined) return as;
      }
    }
    return undefined;
  }

  /** How the function that a call enters has called back what it is handed at a place. */
  function keptAs(
    file: string,
    { start, end, position }: NonNullable<SourceCall['handedTo']>,
  ): string | undefined {
    for (const unit of enteredUnits(file, start, end)) {
      const as = kept.get(unit)?.[position];
      if (as !== undefined) return as;
    }
    return undefined;
  }

  /** The units that a call enters; the files that hold them are read. */
  function enteredUnits(file: string, start: number, end: number): number[] {
    return declarationsAt(file, start, end).flatMap((declared) => {
      read(declared.file);
      return unitOf(declared) ?? [];
    });
  }

  /** Whether an alias stands for a unit: many things share a name. */
  function standsFor({ file, value }: In<SourceAlias>, unit: number): boolean {
    return value === undefined || unitsOf(file, value).includes(unit);
  }

  function unitsOf(file: string, { start, end }: { start: number; end: number }): readonly number[] {
    const targets = declarationsAt(file, start, end).flatMap((declared) => unitOf(declared) ?? []);
    return [...new Set(targets)];
  }

  /** The places of the arguments of a call that what it gives will call. */
  function wrappedAt(file: string, start: number, end: number): readonly number[] {
    read(file);
    const { by, positions = [] } = wrappings.get(placeKey(file, { start, end })) ?? {};
    if (!by) return positions;
    const wrapped = declarationsAt(file, by.start, by.end).flatMap((declared) => {
      read(declared.file);
      const ending = wrappers.get(`${declared.file} ${String(declared.end)}`) ?? [];
      return ending.filter((each) => each.start >= declared.start).flatMap((each) => each.positions);
    });
    return positions.filter((position) => wrapped.includes(position));
  }

  function read(file: string): void {
    const source = known.has(file) ? program.getSourceFile(file) : undefined;
    if (source) add(source);
  }

  /** Whether a function of the program, which a call enters, calls what it is handed at a place. */
  function isCalledBy(file: string, { start, end, position }: NonNullable<SourceCall['handedTo']>): boolean {
    return enteredUnits(file, start, end).some((unit) => called.get(unit)?.includes(position) === true);
  }

  function targetsOf(at: number): readonly number[] {
    const call = calls[at];
    if (!call) return [];
    const { handedTo } = call;
    return handedTo && !isCalledBy(call.file, handedTo) ? [] : unitsOf(call.file, call);
  }

  /** Of the functions that end together the outermost in the declaration: `() => () => x`. */
  function unitOf({ file, start, end }: Declared): number | undefined {
    const ending = unitsAt.get(`${file} ${String(end)}`) ?? [];
    const inside = ending.filter((at) => (units[at]?.start ?? -1) >= start);
    return inside.sort((a, b) => (units[a]?.start ?? 0) - (units[b]?.start ?? 0))[0];
  }

  return { units, sites, calls, aliases: [], cut, callsNamed, becomesRoot, targetsOf, add };
}

const placeKey = (file: string, { start, end }: { start: number; end: number }): string =>
  `${file} ${String(start)} ${String(end)}`;

const isDefault = (name: string): boolean => name.startsWith(DEFAULT);

/** Finds the files that hold a name; those that import from the file of a default export hold its name. */
function holders(
  sources: readonly SourceFile[],
  { importersOf }: Imports,
): (name: string) => readonly SourceFile[] {
  const byName = holdersOf(sources);
  return (name) => (isDefault(name) ? importersOf(name.slice(DEFAULT.length)) : byName(name));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
