import type { TSESTree } from '@typescript-eslint/utils';
import { processTable, type ProcessApi, type ProcessTable, type SpawnSettings } from '../apis/tables.ts';
import { isAdopted } from './adopted.ts';
import { calleesOf } from './callee.ts';
import { isPrivate } from './callers.ts';
import { codeLeaves, launcherOutcome, lineOutcome, shellWord, textOf } from './command-outcome.ts';
import { lineOf, wordOf, wordsOf } from './command.ts';
import { envOf, type Env } from './definitions.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import { constantText, indexOf, type ModuleIndex } from './module-index.ts';
import { parseModule, type ModuleView } from './module-view.ts';
import { bareExpression, calleeOf, functionAround, lastName, type CallNode } from './nodes.ts';
import { valuesOf } from './values.ts';
import { outcomeOf, type Outcome, type Reader } from './outcome.ts';
import {
  hasProcessOption,
  hasStartingName,
  hasWritingName,
  innerOptions,
  isHandedOut,
  shapedOptions,
} from './shape.ts';
import type { KnownBy, SpawnSite, Verdict } from './site.ts';
import { isTrueSomewhere, verdictOf } from './value.ts';

/** How far an option is followed up through functions that hand it on. */
const maximumHops = 4;

type Sites = Map<SpawnSite['call'], SpawnSite>;

/**
 * Every call of the module that starts a process, in the order of the text, each with its verdict.
 *
 * @throws {SettingsError} for settings that are wrong.
 */
export function findSpawns(view: ModuleView, settings?: SpawnSettings): SpawnSite[] {
  const known = found.get(view.ast);
  if (known && known.settings === settings) return known.sites;
  const table = processTable(settings);
  const sites = table.mention.test(view.text) ? readSpawns(view, table) : [];
  found.set(view.ast, { settings, sites });
  return sites;
}

/** Several rules, and `check`, ask about one tree. */
const found = new WeakMap<TSESTree.Program, { settings: SpawnSettings | undefined; sites: SpawnSite[] }>();

function readSpawns(view: ModuleView, table: ProcessTable): SpawnSite[] {
  const index = indexOf(view);
  const callees = calleesOf(index, table);
  const sourceOf = (node: TSESTree.Node) => view.text.slice(...node.range);
  const leavesInCode = (text: string) => table.mention.test(text) && spawnsIn(text).some(isLeft);
  const reader: Reader = { index, callees, values: valuesOf(index, callees), sourceOf, leavesInCode };
  const sites: Sites = new Map();
  const others: CallNode[] = [];
  for (const call of index.calls) {
    const known = callees.rowOf(call);
    if (known) addSites(reader, call, known.row, known.invocation, 'api', sites);
    else if (hasStartingName(call)) others.push(call);
    else if (hasWritingName(call)) addScript(reader, call, sites);
  }
  const starters = new Set([...sites.values()].map(({ call }) => functionAround(call)));
  for (const call of others) {
    const fn = callees.functionOf(call);
    if (!sites.has(call) && !(fn && starters.has(fn))) addShaped(reader, call, fn !== undefined, sites);
  }
  addHandedOut(reader, sites);
  return [...sites.values()]
    .map((site) => (isOwned(index, site, sourceOf) ? { ...site, verdict: { is: 'no' } as const } : site))
    .sort((a, b) => a.call.range[0] - b.call.range[0]);
}

/** Whether the child, though it leads a group of its own, is handed to the runtime, which ends it with its owner. */
const isOwned = (
  index: ModuleIndex,
  { call, form }: SpawnSite,
  sourceOf: (node: TSESTree.Node) => string,
): boolean => form === 'option' && call.type !== 'ObjectExpression' && isAdopted(index, call, sourceOf);

function addSites(
  reader: Reader,
  call: CallNode,
  row: ProcessApi,
  invocation: Invocation,
  by: KnownBy,
  sites: Sites,
): void {
  let outcome = outcomeOf(reader, row, invocation, undefined);
  const api = labelOf(row);
  // What is set for all calls is told once.
  const isTold = row.settable && [...sites.values()].some(({ cause }) => cause && cause === outcome.cause);
  if (isTold || (outcome.verdict.is === 'maybe' && isForCallers(reader, outcome))) {
    outcome = { ...outcome, verdict: { is: 'unknown' } };
  }
  add(sites, siteOf(call, api, by, outcome));
  if (outcome.verdict.is === 'unknown' || outcome.verdict.is === 'no') {
    addCallers(
      reader,
      outcome,
      (env) => outcomeOf(reader, row, invocation, env),
      api,
      sites,
      undefined,
      maximumHops,
    );
  }
}

/** Whether all that decides is given by calls that can be seen. */
function isForCallers({ callees, index }: Reader, { through }: Outcome): boolean {
  const fns = [...through];
  return fns.length > 0 && fns.every((fn) => isPrivate(index, fn) && callees.callersOf(fn).length > 0);
}

/** `child_process.spawn`, `execa`, `Bun.spawn`. */
function labelOf({ module, path }: ProcessApi): string {
  const holder =
    module === 'bun' || module === 'deno' ? module.replace(/^./, (letter) => letter.toUpperCase()) : module;
  return path === module ? module : [holder, path].filter(Boolean).join('.');
}

/** The calls of this module that decide about an option which a function only hands on. */
function addCallers(
  reader: Reader,
  outcome: Outcome,
  again: (env: Env) => Outcome,
  api: string,
  sites: Sites,
  inner: ((env: Env) => Env) | undefined,
  hops: number,
): void {
  for (const fn of outcome.through) {
    for (const call of reader.callees.callersOf(fn)) {
      const frame = (outer: Env | undefined): Env => {
        const env = envOf(fn, call, outer);
        return inner ? inner(env) : env;
      };
      const found = again(frame(undefined));
      if (isLeft(found) && !isHandedOn(found)) {
        add(sites, siteOf(call, api, 'wrapper', { ...found, options: lastOptions(call) }));
      } else if (hops > 0 && found.through.size > 0 && !found.through.has(fn)) {
        addCallers(reader, found, again, api, sites, (env) => frame(env), hops - 1);
      }
    }
  }
}

/** Whether a caller only hands on what its own callers decide, under whatever name. */
const isHandedOn = ({ verdict, given, through }: Outcome): boolean =>
  verdict.is === 'maybe' && given === true && through.size > 0;

function lastOptions(call: CallNode): TSESTree.Expression | undefined {
  return invocationOf(call)
    .args.toReversed()
    .find((arg) => bareExpression(arg).type === 'ObjectExpression') as TSESTree.Expression | undefined;
}

/** A start by its shape, where the callee is out of sight or a function that hands on to one that is. */
function addShaped(reader: Reader, call: CallNode, isLocal: boolean, sites: Sites): void {
  const options = shapedOptions(reader.index, call);
  const invocation = invocationOf(call);
  const name = lastName(invocation.target) ?? '';
  if (options && (!isLocal || hasProcessOption(reader.index, options))) {
    const inner = innerOptions(reader.index, options).map((key) => [key, 'detached']);
    const keys = [['detached'], ...inner].filter((path) => {
      const value = reader.values.at(options, path);
      return isTrueSomewhere(value) || value.through.size > 0;
    });
    if (keys.length > 0) {
      const row = { ...anyStart, path: name, keys: keys.map((path) => path.join('.')) };
      addSites(reader, call, row, invocation, 'shape', sites);
      return;
    }
  }
  if (isLocal) return;
  const [left] = invocation.args.flatMap((arg, position) => [
    ...leavingLine(reader, arg),
    ...leavingProgram(reader, arg, invocation.args[position + 1]),
  ]);
  if (left) add(sites, siteOf(call, name, 'shape', { ...left, through: new Set() }));
}

/** A shell script or a program that leaves a child, written to a file to be run. */
function addScript(reader: Reader, call: CallNode, sites: Sites): void {
  const { target, args } = invocationOf(call);
  for (const arg of args.slice(1)) {
    const { node, env } = reader.values.definitionOf(arg);
    const { parts } = lineOf(node, env, reader.values, reader.sourceOf);
    const [head] = parts;
    const [outcome] = !head || head.hole ? [] : scriptOutcome(reader, head.text, node, textOf(parts));
    if (outcome) add(sites, siteOf(call, lastName(target) ?? '', 'shape', outcome));
  }
}

function scriptOutcome(reader: Reader, head: string, node: TSESTree.Node, text: string): Outcome[] {
  if (!/^#!.*sh\b/.test(head)) return reader.leavesInCode(text) ? [{ ...codeLeaves, cause: node }] : [];
  // A test's stand-in may run something beside itself; what is to stay says so.
  return /nohup|setsid|disown|\$!|2>/.test(reader.sourceOf(node)) ? leavingLine(reader, node) : [];
}

const anyStart: ProcessApi = {
  module: '',
  path: '',
  kind: 'call',
  command: 'module',
  effect: 'detaches',
  keys: ['detached'],
};

/** A command line that certainly leaves a child, given to a callee out of sight: `sshExec(host, 'setsid run &')`. */
function leavingLine(reader: Reader, arg: TSESTree.Node): Outcome[] {
  const { node } = reader.values.definitionOf(arg);
  const shellText =
    node.type === 'ArrayExpression' ? shellWord(wordsOf(node, undefined, reader.values)) : undefined;
  if (node.type === 'ArrayExpression' && !shellText?.node) return [];
  const outcome = lineOutcome(reader, shellText?.node ?? arg, undefined);
  if (outcome.verdict.is !== 'yes') return [];
  if (shellText || !outcome.background) return [outcome];
  const text = outcome.cause
    ? textOf(lineOf(outcome.cause, undefined, reader.values, reader.sourceOf).parts)
    : '';
  return shellSign.test(text) ? [outcome] : [];
}

/**
 * What tells a command line from a URL, SQL, JavaScript or prose with an `&` in it: `&` at the end of a line or a
 * subshell, a redirection, `$!`.
 */
const shellSign = /[\s)}"'`]&\s*(?:$|[\n)])|\$!|[12]>&[12]|(?:^|\s)(?:[12]|&)?>>?\s*[~/.$\w]*\//m;

/** A launcher and its list of arguments, given to a callee out of sight: `run('setsid', ['server'])`. */
function leavingProgram(reader: Reader, program: TSESTree.Node, list: TSESTree.Node | undefined): Outcome[] {
  if (!list || constantText(reader.index, program) === undefined) return [];
  if (reader.values.definitionOf(list).node.type !== 'ArrayExpression') return [];
  const words = [wordOf(program, undefined, reader.values), ...wordsOf(list, undefined, reader.values)];
  const outcome = launcherOutcome(words, program, new Set());
  return outcome.verdict.is === 'yes' ? [outcome] : [];
}

/** Options that detach and are handed out of the module, for a start that nothing here shows. */
function addHandedOut(reader: Reader, sites: Sites): void {
  const causes = new Set([...sites.values()].map(({ cause }) => cause));
  for (const object of reader.index.detachable) {
    const value = reader.values.at(object, ['detached']);
    if (value.is !== 'yes' && value.is !== 'platform') continue;
    if (!value.cause || causes.has(value.cause) || !isHandedOut(reader.index, object)) continue;
    sites.set(object, {
      call: object,
      name: value.cause.type === 'Property' ? value.cause.key : object,
      api: 'options',
      by: 'shape',
      form: 'option',
      verdict: verdictOf(value),
      cause: value.cause,
      origin: value.origin,
      options: object,
      leaver: undefined,
    });
  }
}

function add(sites: Sites, site: SpawnSite): void {
  const known = sites.get(site.call);
  if (!known || weight(site.verdict) > weight(known.verdict)) sites.set(site.call, site);
}

const weight = (verdict: Verdict) => ['unknown', 'no', 'maybe', 'yes'].indexOf(verdict.is);

function siteOf(call: CallNode, api: string, by: KnownBy, outcome: Outcome): SpawnSite {
  const { form, verdict, cause, origin, options, leaver } = outcome;
  return { call, name: nameOf(call), api, by, form, verdict, cause, origin, options, leaver };
}

/** The callee's name: of `f.call(…)` it is f. */
function nameOf(call: CallNode): TSESTree.Node {
  const { target } = invocationOf(call);
  const named = target.type === 'CallExpression' ? calleeOf(target) : target;
  return named.type === 'MemberExpression' ? named.property : named;
}

const isLeft = ({ verdict }: Pick<SpawnSite, 'verdict'>) => verdict.is === 'yes' || verdict.is === 'maybe';

function spawnsIn(text: string): SpawnSite[] {
  try {
    return findSpawns(parseModule(text, 'eval.js'));
  } catch {
    // Holes may leave no valid program.
    return [];
  }
}
