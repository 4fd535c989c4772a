import {
  bareExpression,
  functionAround,
  isFunction,
  isInside,
  lastName,
  walk,
  type BlockingSite,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { filledIn, pathKey } from './path-key.ts';
import type { AwaitPoint } from './requirements.ts';
import { isOneStep, sqliteAccess } from './sqlite-accesses.ts';
import { isTestBody } from './seen-at-once.ts';
import { isOnOneWay } from './shared-state.ts';
import type { SurveyedSite } from './survey.ts';
import { isWriteIfChanged } from './write-if-changed.ts';

/** A look at a file, a copy of it, or a change, by one of the calls that move. */
interface Access {
  kind: 'probe' | 'read' | 'copy' | 'write' | 'harmless';
  key: string;
  site: SurveyedSite;
  /** Where it happens in the function that is looked at: the call itself, or one that leads to it. */
  node: TSESTree.Node;
}

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

const PROBE = /\.(exists|access|stat|lstat|pathExists)Sync$/;
/** Done twice it is done once, and to nobody's contents. */
const METADATA = /\.(l|f)?(chmod|chown|utimes)Sync$/;
/** Done by another meanwhile, it fails, and nothing is lost. */
const ONCE = /\.(unlink|rmdir|rm|mkdir)Sync$/;
const MOVE = /\.(rename|copyFile|copy|move|link|symlink|cp)Sync$/;
/** Of these the program never sees the contents. */
const COPY = /\.(copyFile|copy|cp)Sync$/;
const WHOLE = /\.(appendFile|writeFile|writeJson|writeJSON|outputFile|outputJson|outputJSON|truncate)Sync$/;
/** A path that no other call has. */
const OWN = /random|uuid|nanoid|mkdtemp|tmpName|Date\.now|now\(/i;
const READ = /\.(readFile|readdir|readlink|readJson|readJSON|realpath)Sync$/;

/**
 * What blocking calls do to one file in two steps, with nothing that waits in between.
 *
 * @param sites all that block, whether they move or not
 * @param points where functions that hold them are called
 */
export function fileRaces(sites: readonly SurveyedSite[], points: readonly AwaitPoint[]): FileRace[] {
  const inside = new Map<FunctionNode, { sites: SurveyedSite[]; points: AwaitPoint[] }>();
  const holder = (fn: FunctionNode) => {
    const known = inside.get(fn) ?? { sites: [], points: [] };
    inside.set(fn, known);
    return known;
  };
  for (const site of sites) for (const fn of around(site.site.call)) holder(fn).sites.push(site);
  for (const point of distinct(
    points,
    ({ node }) => node,
    ({ enters }) => enters,
  ))
    for (const fn of around(point.node)) holder(fn).points.push(point);

  const known = new Map<FunctionNode, Access[]>();
  function accessesOf(fn: FunctionNode): Access[] {
    const before = known.get(fn);
    if (before) return before;
    known.set(fn, []);
    const its = inside.get(fn);
    const own = (its?.sites ?? []).flatMap((site) => accessOf(site));
    const led = (its?.points ?? []).flatMap(({ module, node, enters }) => {
      if (!enters || enters === fn) return [];
      const entered = accessesOf(enters);
      const its = entered.filter(({ site: { handle } }) => !handle || !isOneStep(handle, module, node));
      const here = its.map((each) => ({ ...each, key: filledIn(each.key, module, node), node }));
      // What is reached by several ways happens once: else the ways multiply from function to function.
      return [
        ...distinct(
          here,
          ({ site }) => site,
          ({ kind, key }) => `${kind} ${key}`,
        ),
      ];
    });
    const all = [...own, ...led].sort((a, b) => endOf(a) - endOf(b));
    known.set(fn, all);
    return all;
  }

  const races: FileRace[] = [];
  for (const [fn, { sites: its, points: calls }] of inside) {
    const module = its[0]?.module ?? calls[0]?.module;
    if (!module || isLocked(fn)) continue;
    for (const { first, second, kind } of pairsOf(accessesOf(fn))) {
      const [from, to] = [endOf(first), endOf(second)];
      if (waitsAlready(fn, from, to) || !isOnOneWay(first.node, second.node, fn)) continue;
      if (isLed(first) && isLed(second) && (isTestBody(module, fn) || isRepeated(module, first, second)))
        continue;
      const isKept = kind === 'write' && isWriteIfChanged(module, fn, first.node, second.node);
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
const isLed = ({ node, site: { site } }: Access): boolean => node !== site.call;

/** `apply(one); apply(another);`: each looks for itself, and nothing goes from one to the other. */
function isRepeated({ view }: LoopModule, { node: first }: Access, { node: second }: Access): boolean {
  const [one, other] = [bareExpression(first), bareExpression(second)];
  return (
    one.type === 'CallExpression' &&
    other.type === 'CallExpression' &&
    first.parent?.type === 'ExpressionStatement' &&
    view.text.slice(...one.callee.range) === view.text.slice(...other.callee.range)
  );
}

/** A call happens behind its arguments. */
const endOf = ({ node }: Access): number => node.range[1];

/** Of items that agree in both, the first. */
function* distinct<T>(
  items: Iterable<T>,
  whole: (item: T) => object,
  part: (item: T) => unknown,
): Generator<T> {
  const seen = new Map<object, Set<unknown>>();
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
      // Between two changes others see the first without the second, but of a file that is this call's own.
      const isStep = first.kind === 'write' && (first.site.handle !== undefined || !OWN.test(first.key));
      if (first.kind === 'harmless' || (first.kind === 'write' && !isStep)) continue;
      const rest = same.slice(n + 1);
      for (const second of rest) {
        if (second.site === first.site || second.node === first.node || second.kind === 'probe') continue;
        // What is put in a file's place must be what was written to it.
        const isLost = isStep
          ? second.kind === 'copy' || (second.kind === 'read' && MOVE.test(second.site.site.api))
          : second.kind === 'write' && first.kind !== 'copy' && !(first.kind === 'probe' && mayFail(second));
        const isNoted = first.kind === 'copy' ? second.kind === 'write' : first.kind !== 'read';
        if (isLost || isNoted) yield { first, second, kind: isLost ? 'write' : 'read' };
      }
    }
}

/** The functions around a node, the innermost first. */
function* around(node: TSESTree.Node): Generator<FunctionNode> {
  for (let fn = functionAround(node); fn; fn = functionAround(fn)) yield fn;
}

function accessOf(each: SurveyedSite): Access[] {
  const { module, site } = each;
  const database = sqliteAccess(each);
  if (database)
    return database.kinds.map((kind) => ({ kind, key: database.key, site: each, node: site.call }));
  if (
    site.call.type !== 'CallExpression' ||
    !/^(fs|fs-extra|graceful-fs|mz\/fs|jsonfile|atomically)\./.test(site.api)
  )
    return [];
  const [path, second] = site.call.arguments;
  const make = (kind: Access['kind'], of: TSESTree.Node | undefined): Access => ({
    kind,
    key: pathKey(module, of),
    site: each,
    node: site.call,
  });
  if (PROBE.test(site.api)) return [make('probe', path)];
  if (READ.test(site.api)) return [make('read', path)];
  if (MOVE.test(site.api)) return [make(COPY.test(site.api) ? 'copy' : 'read', path), make('write', second)];
  return [make(isHarmless(module, site) ? 'harmless' : 'write', path)];
}

/** Whether a call writes a file that every caller of its function has: two at a time would mix, or change places. */
export function overwritesShared({ module, site }: SurveyedSite): boolean {
  if (site.call.type !== 'CallExpression' || !WHOLE.test(site.api)) return false;
  const key = pathKey(module, site.call.arguments[0]);
  const fn = functionAround(site.call);
  return !/\$\d|@/.test(key) && !OWN.test(key) && !(fn && isLocked(fn));
}

/** Whether a change that fails where another was faster is expected to fail. */
const mayFail = ({ site: { site } }: Access): boolean => ONCE.test(site.api) && isCaught(site.call);

function isCaught(node: TSESTree.Node): boolean {
  for (let at: TSESTree.Node | undefined = node; at && !isFunction(at); at = at.parent)
    if (at.type === 'TryStatement' && at.handler && isInside(node, at.block))
      return !hasThrow(at.handler.body);
  return false;
}

function hasThrow(body: TSESTree.BlockStatement): boolean {
  let count = 0;
  walk(body, ({ type }) => {
    if (type === 'ThrowStatement') count++;
  });
  return count > 0;
}

/** `chmod`, `mkdir` of what is there already, `rm` of what is not. */
function isHarmless({ view }: LoopModule, { call, api }: BlockingSite): boolean {
  const text = view.text.slice(...call.range);
  return (
    METADATA.test(api) ||
    (/\b(mkdir|rm)Sync\b/.test(text) && /\b(recursive|force)\s*:\s*true/.test(text)) ||
    /\b(ensure|mkdirp|remove)\w*Sync\b/.test(text)
  );
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
