import type { TSESTree } from '@typescript-eslint/utils';
import { loopTable, type LoopSettings } from '../apis/loop-table.ts';
import type { AllowGroup } from '../apis/allow.ts';
import { allowedSites } from '../read/allowed.ts';
import { findBlocking, type BlockingSite, type Family } from '../read/blocking.ts';
import { offFile } from '../read/file-role.ts';
import { loopModule, type LoopModule } from '../read/loop-module.ts';
import { bindMarkers, readMarkers, type Marker } from '../read/markers.ts';
import type { ModuleView } from '../read/module-view.ts';
import { bareExpression, calleeOf, lastName } from '../read/nodes.ts';
import { runsOnce } from '../read/once.ts';
import { summaryOf, type ReadSummary } from '../read/summary.ts';
import type { PathStep } from './path.ts';
import { reach, type Cut, type Graph, type Reached } from './reach.ts';

/** A blocking call on the loop, or a call that leads to one within the module. */
export interface LoopFinding {
  site: BlockingSite;
  /** Where the report stands: the name of the blocking call, or of the first call on the way to it. */
  node: TSESTree.Node;
  /** What the code on the loop is, for a message: `` async `load` ``. */
  inside: string;
  /** The same as a path's first step. */
  root: string;
  /** From the reported call to the blocking one; only that one for a direct call. */
  steps: (PathStep & { column: number })[];
  more: number;
}

/** What a marker can excuse here: a blocking call, a call that leads to one, a function that does. */
interface LoopTarget {
  call: TSESTree.Node;
  kind: 'unit' | 'site' | 'call';
  at: number;
}

const known = new WeakMap<LoopModule, Map<string, LoopFinding[]>>();

/**
 * What blocks the event loop in a module, markers obeyed, in the order of the text.
 *
 * @param light whether calls count that are little by themselves
 * @throws {SettingsError} for settings that are wrong.
 */
export function loopFindings(
  view: ModuleView,
  family: Family,
  settings?: LoopSettings,
  light = false,
): LoopFinding[] {
  // Most modules name nothing that blocks: they are spared the walk.
  if (!loopTable(settings).mention.test(view.text)) return [];
  const module = loopModule(view, settings);
  const found = known.get(module) ?? new Map<string, LoopFinding[]>();
  known.set(module, found);
  const key = `${family} ${String(light)}`;
  const findings = found.get(key) ?? read(module, family, light);
  found.set(key, findings);
  return findings;
}

function read(module: LoopModule, family: Family, light: boolean): LoopFinding[] {
  if (offFile(module) !== undefined || !findBlocking(module).some((site) => site.family === family))
    return [];
  const summary = summaryOf(module);
  const graph = graphOf(summary, family, light);
  // Most modules hold nothing to leave out.
  if (reach(graph).length === 0) return [];
  const kept = reach({ ...graph, cut: leftOut(module, summary) });
  return kept
    .flatMap((way) => findingOf(module, summary, way) ?? [])
    .sort((a, b) => a.node.range[0] - b.node.range[0]);
}

/** Sites keep their indices of the summary; those of another family are given no unit. */
function graphOf(read: ReadSummary, family: Family, light: boolean): Graph {
  const { summary } = read;
  const { units, aliases } = summary;
  const sites = summary.sites.map((site) =>
    site.family === family ? { ...site, isLight: site.isLight && !light } : { ...site, unit: -1 },
  );
  return {
    units,
    sites,
    get calls() {
      return summary.calls;
    },
    aliases,
    targetsOf(call) {
      const target = read.targetOf(call);
      return target === undefined ? [] : [target];
    },
  };
}

/** What does not count: what markers excuse, and what runs once. */
export function leftOut(module: LoopModule, summary: ReadSummary): Cut {
  const cut = cutOf(module, summary) ?? noCut();
  if (!module.table.context.once) return cut;
  // To open a database lazily is what is reported of it.
  findBlocking(module).forEach(({ family, call }, at) => {
    if (family === 'call' && runsOnce(module, call)) cut.sites.set(at, { by: 'once' });
  });
  summary.nodes.calls.forEach((call, at) => {
    if (runsOnce(module, call)) cut.calls.set(at, { by: 'once' });
  });
  return cut;
}

export const noCut = (): Cut => ({ units: new Map(), sites: new Map(), calls: new Map() });

/** Texts without it hold no marker that excuses a blocking call. */
const MARKER = /blocking-call/i;

/** What the markers of a module, and groups of the settings, excuse. */
export function cutOf(module: LoopModule, summary: ReadSummary): Cut | undefined {
  const { view, table } = module;
  // Comments may be read for it.
  const markers = MARKER.test(view.text)
    ? readMarkers(view).filter(({ kind, fault }) => kind === 'blocking-call' && !fault)
    : [];
  if (markers.length === 0 && table.allow.length === 0) return undefined;
  const cut = noCut();
  const coverable = [
    ...findBlocking(module).map(({ name, call, api }, at) => ({
      name,
      call,
      api,
      at,
      kind: 'sites' as const,
    })),
    ...summary.nodes.calls.map((call, at) => ({
      name: nameOf(call),
      call,
      api: '',
      at,
      kind: 'calls' as const,
    })),
  ];
  for (const [{ reason, start }, targets] of bindLoopMarkers(module, summary, markers)) {
    const line = view.text.slice(0, start).split('\n').length;
    for (const { kind, at } of targets) cut[`${kind}s`].set(at, { by: 'marker', reason, line });
  }
  for (const [{ kind, at }, { reason }] of allowedSites(view, coverable, table, 'blocking-call'))
    cut[kind].set(at, { by: 'group', reason });
  return cut;
}

/** The calls that groups of the settings excuse, of those that block the loop or lead to one that does, each with its group. */
export function allowedOnLoop(module: LoopModule): { site: BlockingSite; group: AllowGroup }[] {
  if (module.table.allow.length === 0 || offFile(module) !== undefined) return [];
  const sites = findBlocking(module);
  const groups = allowedSites(module.view, sites, module.table, 'blocking-call');
  if (groups.size === 0) return [];
  const summary = summaryOf(module);
  const reached = (['call', 'sqlite'] as const).flatMap((family) => reach(graphOf(summary, family, false)));
  const onLoop = new Set(reached.map(({ site }) => sites[site]));
  return [...groups].flatMap(([site, group]) => (onLoop.has(site) ? [{ site, group }] : []));
}

/** The calls and functions of a module that each marker stands at. */
function bindLoopMarkers(
  module: LoopModule,
  { nodes }: ReadSummary,
  markers: readonly Marker[],
): Map<Marker, LoopTarget[]> {
  const targets: LoopTarget[] = [
    ...findBlocking(module).map(({ call }, at): LoopTarget => ({ call, kind: 'site', at })),
    ...nodes.calls.map((call, at): LoopTarget => ({ call, kind: 'call', at })),
    ...nodes.units.flatMap((call, at): LoopTarget[] => (call ? [{ call, kind: 'unit', at }] : [])),
  ];
  return bindMarkers(module.view, markers, targets);
}

function findingOf(
  module: LoopModule,
  { summary, nodes }: ReadSummary,
  way: Reached,
): LoopFinding | undefined {
  const { view } = module;
  const site = findBlocking(module)[way.site];
  if (!site) return undefined;
  const file = view.filename.replace(/^.*[\\/]/, '');
  const step = (node: TSESTree.Node, name?: string): LoopFinding['steps'][number] => ({
    name: name ?? stepName(node),
    file,
    line: node.loc.start.line,
    column: node.loc.start.column + 1,
  });
  const names = way.calls.flatMap((call) => nodes.calls[call] ?? []).map(nameOf);
  const first = way.calls[0];
  const unit = first === undefined ? site.unit : summary.units[summary.calls[first]?.unit ?? 0];
  const inside = insideText(unit?.as ?? '', unit?.name ?? '');
  return {
    site,
    node: names[0] ?? site.name,
    inside,
    root: unit?.name || (unit?.as.replace(/^an? /, '') ?? ''),
    steps: [...names.map((node) => step(node)), step(site.name, site.shown)],
    more: way.more,
  };
}

/** Whom code belongs to, in a message: `` `load`, a request handler ``; the role alone where it names somebody. */
export function insideText(as: string, name: string): string {
  return name === '' || as.includes('`') ? as : `\`${name}\`, ${as}`;
}

/** Where a call names what it calls. */
export function nameOf(node: TSESTree.Node): TSESTree.Node {
  const callee =
    node.type === 'CallExpression' ||
    node.type === 'NewExpression' ||
    node.type === 'TaggedTemplateExpression'
      ? calleeOf(node)
      : bareExpression(node);
  return callee.type === 'MemberExpression' ? callee.property : callee;
}

export const stepName = (node: TSESTree.Node) =>
  lastName(node) ?? (node.type === 'Literal' ? String(node.value) : '…');
