import type { TSESTree } from '@typescript-eslint/utils';
import type { SourceFile } from 'typescript';
import type { LoopSettings, LoopTable } from '../apis/loop-table.ts';
import { loopTable } from '../apis/loop-table.ts';
import { findBlocking, type BlockingSite } from '../read/blocking.ts';
import { offFile } from '../read/file-role.ts';
import { loopModule, type LoopModule } from '../read/loop-module.ts';
import type { ModuleView } from '../read/module-view.ts';
import { bareExpression, calleeOf, isFunction, isReference, lastName } from '../read/nodes.ts';
import { callsParameter, handedNow } from '../read/handed-now.ts';
import { isRepeated } from '../read/loops.ts';
import { contextOf } from '../read/context.ts';
import { rolesOf } from '../read/roles.ts';
import {
  spanOf,
  summaryOf,
  type CallSummary,
  type SiteSummary,
  type Span,
  type UnitSummary,
} from '../read/summary.ts';
import { wrappedParameters, wrappingsOf } from '../read/wrapped.ts';
import { aliasesOf, DEFAULT, type SourceAlias } from './aliases.ts';
import { apisHandedOn } from './apis-handed-on.ts';
import type { Compiler } from './compiler.ts';
import { leftOut, nameOf, noCut, stepName } from './module-reach.ts';
import type { Cut } from './reach.ts';
import { sourceView } from './source-view.ts';

/** A blocking call, with what messages say of it. */
export interface SourceSite
  extends SiteSummary, Pick<BlockingSite, 'shown' | 'sqlite' | 'instead' | 'bound'> {
  /** Only by what other files hand it is it known that it blocks. */
  isHanded?: true;
}

/** A call, and where it names what it calls. */
export interface SourceCall extends CallSummary {
  /** The call that a function is handed to by its name, which may be one of another file, and at which place. */
  handedTo?: { start: number; end: number; position: number };
  at: Span;
  shown: string;
}

/** A name that may stand for a function of another file, and how that is called back. */
export interface Registered extends Pick<Span, 'start' | 'end'> {
  name: string;
  /** What it is then, for a message, or the call of another file's function that may register it. */
  by: string | NonNullable<SourceCall['handedTo']>;
}

/** A function or a call, and the places of the parameters or arguments that its result calls. */
export interface Wrapper extends Pick<Span, 'start' | 'end'> {
  positions: readonly number[];
}

/** What a file of a program holds for the graph of its calls; plain data, so that no tree is kept. */
export interface SourceSummary {
  units: UnitSummary[];
  sites: SourceSite[];
  calls: SourceCall[];
  aliases: SourceAlias[];
  /** The places of the parameters that a unit calls before it returns. */
  called: readonly (readonly number[])[];
  /** What the parameters of a unit are, by their places, that it has called back later: `a request handler`. */
  kept: readonly (readonly (string | undefined)[])[];
  /** Names that are registered to be called back. */
  registered: readonly Registered[];
  /** Functions that give a function which calls some of their parameters. */
  wrappers: readonly Wrapper[];
  /** Calls that give such a function a name; `by` is the callee where that is of another file and would have to do so. */
  wrappings: readonly (Wrapper & { by?: Pick<Span, 'start' | 'end'> })[];
  cut: Cut;
}

const summaries = new WeakMap<SourceFile, WeakMap<LoopTable, SourceSummary>>();
const nothing: SourceSummary = {
  units: [],
  sites: [],
  calls: [],
  aliases: [],
  called: [],
  kept: [],
  registered: [],
  wrappers: [],
  wrappings: [],
  cut: noCut(),
};

/**
 * The summary of a source file, made at the first call: a program that shares files with an earlier one finds theirs.
 *
 * @param ts the compiler that made the program
 * @throws {SettingsError} for settings that are wrong.
 */
export function sourceSummary(ts: Compiler, source: SourceFile, settings?: LoopSettings): SourceSummary {
  const table = loopTable(settings);
  const ofSource = summaries.get(source) ?? new WeakMap<LoopTable, SourceSummary>();
  summaries.set(source, ofSource);
  const known = ofSource.get(table);
  if (known) return known;
  const view = sourceView(ts, source);
  const made = view ? makeSummary(loopModule(view, settings)) : nothing;
  ofSource.set(table, made);
  return made;
}

/** As {@link sourceSummary}, of a file read with what others of its program hand it. */
export function handedSummary(module: LoopModule, settings?: LoopSettings): SourceSummary {
  const made = makeSummary(module);
  const own = new Set(findBlocking(loopModule(module.view, settings)).map(({ name }) => name.range[0]));
  for (const site of made.sites) if (site.family === 'sqlite' && !own.has(site.start)) site.isHanded = true;
  return made;
}

function makeSummary(module: LoopModule): SourceSummary {
  const { view } = module;
  const aliases = aliasesOf(view.ast, view.filename, defaultOf);
  if (offFile(module) !== undefined) return { ...nothing, aliases };
  const read = summaryOf(module);
  const roles = rolesOf(module);
  const { calls: nodes } = read.nodes;
  const { calls, units } = read.summary;
  const blocking = findBlocking(module);
  const sites = read.summary.sites.map((site, at): SourceSite => {
    const { shown = site.name, sqlite, instead, bound } = blocking[at] ?? {};
    return { ...site, shown, sqlite, instead, bound };
  });
  const handedOn = apisHandedOn(module);
  return {
    units: [
      ...units.map((unit) => ({ ...unit, names: namesOf(unit, view) })),
      ...handedOn.map(({ unit }) => unit),
    ],
    sites: [...sites, ...handedOn.map(({ site }, at) => ({ ...site, unit: units.length + at }))],
    called: read.nodes.units.map((fn) =>
      fn ? [...fn.params.keys()].filter((position) => callsParameter(module, fn, position)) : [],
    ),
    kept: read.nodes.units.map((fn) => fn?.params.map((_, position) => roles.keeps(fn, position)?.as) ?? []),
    registered: registeredIn(module),
    calls: [
      ...calls.map((call, at) => {
        const node = nodes[at];
        const name = node && nameOf(node);
        return { ...call, at: name ? spanOf(name) : call, shown: name ? stepName(name) : call.name };
      }),
      ...handedOut(module, units),
    ],
    aliases: [...aliases, ...wrappedAliases(module)],
    wrappers: wrappersIn(module),
    wrappings: wrappingsOf(module).map(({ call, args, isElsewhere }) => ({
      ...rangeOf(call),
      positions: call.arguments.flatMap((arg, at) => (args.includes(bareExpression(arg)) ? [at] : [])),
      ...(isElsewhere && { by: rangeOf(calleeOf(call)) }),
    })),
    cut: leftOut(module, read),
  };
}

function wrappersIn({ index, view }: LoopModule): Wrapper[] {
  return view.scopeManager.scopes.flatMap(({ type, block }) => {
    const positions = type === 'function' && isFunction(block) ? wrappedParameters(index, block) : [];
    return positions.length > 0 ? [{ ...rangeOf(block), positions }] : [];
  });
}

/** `export const load = once(read)`, whose default export its file names. */
function wrappedAliases(module: LoopModule): SourceAlias[] {
  return wrappingsOf(module).flatMap(({ names, args }) =>
    args.flatMap((arg) => {
      const of = isFunction(arg) ? undefined : lastName(arg);
      return of === undefined ? [] : inProgram(names, module.view).map((name) => ({ name, of }));
    }),
  );
}

/** Names that calls register, or hand to a function of another file that may do so. */
function registeredIn(module: LoopModule): Registered[] {
  const { index, callees } = module;
  const context = contextOf(module);
  const isOn = (node: TSESTree.Node): boolean => context.unitOf(node).where !== 'off';
  const known = rolesOf(module).handed.flatMap(({ node, callbacks: { run, as } }) => {
    const name = lastName(node);
    return run === 'loop' && name !== undefined && isOn(node) ? { ...rangeOf(node), name, by: as } : [];
  });
  const handed = index.calls.flatMap((call) => {
    if (call.type === 'TaggedTemplateExpression' || call.arguments.length === 0) return [];
    if (!isImported(module, calleeOf(call)) || !isOn(call)) return [];
    return call.arguments.flatMap((arg, position) => {
      const node = bareExpression(arg);
      const name = isReference(node) ? lastName(node) : undefined;
      if (name === undefined) return [];
      if (callees.meaningOf(node)?.is !== 'function' && !isImported(module, node)) return [];
      return { ...rangeOf(node), name, by: { ...rangeOf(call), position } };
    });
  });
  return [...known, ...handed];
}

const rangeOf = ({ range: [start, end] }: TSESTree.Node) => ({ start, end });

/** Whether a name comes from another file of the program. */
function isImported({ callees }: LoopModule, node: TSESTree.Node): boolean {
  const meaning = callees.meaningOf(node);
  return meaning?.is === 'import' && meaning.module !== 'global';
}

/** Functions that are handed by name to what another file may declare. */
function handedOut(module: LoopModule, units: readonly UnitSummary[]): SourceCall[] {
  const context = contextOf(module);
  return module.index.calls.flatMap((call) => {
    if (call.type === 'TaggedTemplateExpression' || module.callees.functionOf(call)) return [];
    const now = new Set(handedNow(module, call));
    return call.arguments.flatMap((arg, position) => {
      const node = bareExpression(arg);
      if (!isReference(node) || now.has(node)) return [];
      const own = context.unitOf(node);
      const unit = units.findIndex(
        ({ start, where }) => start === (own.fn?.range[0] ?? -1) && where === own.where,
      );
      const name = lastName(node);
      if (unit < 0 || name === undefined) return [];
      const [start, end] = call.range;
      return {
        ...spanOf(node),
        unit,
        name,
        isRepeated: isRepeated(node, own.fn),
        at: spanOf(nameOf(node)),
        shown: stepName(nameOf(node)),
        handedTo: { start, end, position },
      };
    });
  });
}

/** Which file it is the program knows, who imports it too. */
const defaultOf = (file: string): string => DEFAULT + file;

/** A default export without a name, and `module.exports = function () {}`, are called by their file's. */
function namesOf({ names, name }: UnitSummary, view: ModuleView): readonly string[] {
  return names.length === 0 && name === 'default' ? [defaultOf(view.filename)] : inProgram(names, view);
}

const inProgram = (names: readonly string[], { filename }: ModuleView): readonly string[] =>
  names.map((name) => (name === 'exports' || name === 'default' ? defaultOf(filename) : name));
