import type { TSESTree } from '@typescript-eslint/utils';
import { processTable, type ProcessApi, type ProcessTable, type SpawnSettings } from '../apis/tables.ts';
import { calleesOf, type Callees } from './callee.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import { isPrivate } from './callers.ts';
import { envOf, frameOf, type Env } from './definitions.ts';
import { lineOf, wordOf, wordsOf, type Line, type Word } from './command.ts';
import { indexOf, type ModuleIndex } from './module-index.ts';
import { parseModule, type ModuleView } from './module-view.ts';
import {
  bareExpression,
  calleeOf,
  functionAround,
  isFunction,
  lastName,
  literalText,
  type CallNode,
  type FunctionNode,
} from './nodes.ts';
import { valuesOf, type Values } from './options.ts';
import { hasProcessOption, hasStartingName, hasWritingName, isHandedOut, shapedOptions } from './shape.ts';
import { restOf } from './pattern.ts';
import { argvLeavesChild, leavesChild, type LeftChild, type ShellPart } from './shell-text.ts';
import { readCommands, type ShellDialect } from './shell-words.ts';
import type { KnownBy, SpawnForm, SpawnSite, Verdict } from './site.ts';
import { absent, isTrueSomewhere, unknown, verdictOf, type Value } from './value.ts';

/** What is known of one start of a process, before it is tied to a call. */
interface Outcome {
  form: SpawnForm;
  verdict: Verdict;
  cause?: TSESTree.Node | undefined;
  origin?: SpawnSite['origin'];
  options?: TSESTree.Expression | undefined;
  leaver?: string;
  /** Functions whose callers decide. */
  through: ReadonlySet<FunctionNode>;
}

interface Reader {
  index: ModuleIndex;
  table: ProcessTable;
  callees: Callees;
  values: Values;
  sourceOf: (node: TSESTree.Node) => string;
}

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
  const reader: Reader = { index, table, callees, values: valuesOf(index, callees), sourceOf };
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
  return [...sites.values()].sort((a, b) => a.call.range[0] - b.call.range[0]);
}

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
      if (found.verdict.is === 'yes' || found.verdict.is === 'maybe') {
        add(sites, siteOf(call, api, 'wrapper', { ...found, options: lastOptions(call) }));
      } else if (hops > 0 && found.through.size > 0 && !found.through.has(fn)) {
        addCallers(reader, found, again, api, sites, (env) => frame(env), hops - 1);
      }
    }
  }
}

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
    const value = reader.values.at(options, ['detached']);
    if (isTrueSomewhere(value) || value.through.size > 0) {
      addSites(reader, call, { ...anyStart, path: name }, invocation, 'shape', sites);
      return;
    }
  }
  if (isLocal) return;
  const lines = invocation.args.flatMap((arg) => leavingLine(reader, arg));
  if (lines[0]) add(sites, siteOf(call, name, 'shape', { ...lines[0], through: new Set() }));
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
  if (!/^#!.*sh\b/.test(head)) return leavesChildInCode(reader, text) ? [{ ...codeLeaves, cause: node }] : [];
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

/** By what, if by anything, a start of a process leaves its owner. */
function outcomeOf(reader: Reader, row: ProcessApi, called: Invocation, env: Env | undefined): Outcome {
  const place = called.rest && !called.tail ? restOf(reader.index, called.rest) : undefined;
  const frame = place && frameOf(place.fn, env);
  const invocation = frame
    ? { ...called, args: [...called.args, ...frame.args.slice(place.position)], open: frame.open }
    : called;
  const options = optionsOf(row, invocation, reader);
  const byOption = optionOutcome(reader, row, invocation, options, env);
  const isSure = byOption.verdict.is === 'yes' || byOption.verdict.is === 'maybe';
  if (isSure && byOption.form === 'option') return byOption;
  const byCommand = commandOutcome(reader, row, invocation, options, env);
  const through = new Set([
    ...byOption.through,
    ...byCommand.through,
    ...(place && !frame ? [place.fn] : []),
  ]);
  // An option that is off says nothing about a command line that cannot be read to its end.
  const isOpen = byCommand.verdict.is === 'unknown' && byOption.verdict.is === 'no';
  const commandDecides = isOpen || byCommand.verdict.is === 'yes' || byCommand.verdict.is === 'maybe';
  return { ...(commandDecides ? byCommand : byOption), options, through };
}

/** The options argument: the row's position, or the last argument that is neither a callback nor a list nor a text. */
function optionsOf(row: ProcessApi, invocation: Invocation, reader: Reader): TSESTree.Expression | undefined {
  const { args, tail } = invocation;
  if (tail && bareExpression(tail).type === 'ObjectExpression') return tail as TSESTree.Expression;
  if (row.options !== undefined) return args[row.options] as TSESTree.Expression | undefined;
  const first = row.command === 'list' || row.command.endsWith('template') ? 0 : 1;
  // execa and zx: `$({ detached: true })` and `execa({ … })` give the options first.
  const curried = args.length === 1 && args[0] && bareExpression(args[0]).type === 'ObjectExpression';
  const candidates = args.slice(curried ? 0 : first).filter((arg) => {
    const { node } = reader.values.definitionOf(arg);
    return !isFunction(node) && !/^(ArrayExpression|TemplateLiteral|Literal)$/.test(node.type);
  });
  return candidates.at(-1) as TSESTree.Expression | undefined;
}

function optionOutcome(
  reader: Reader,
  row: ProcessApi,
  invocation: Invocation,
  options: TSESTree.Expression | undefined,
  env: Env | undefined,
): Outcome {
  const valueIn = (node: TSESTree.Node) =>
    row.keys.map((key) => reader.values.at(node, key.split('.'), env)).reduce(decisive, absent);
  const given = options ? valueIn(options) : invocation.open ? unknown : absent;
  const set = row.settable && given.absent ? valueIn(invocation.target) : given;
  const value = isTrueSomewhere(set) ? set : given;
  const facts = { cause: value.cause, origin: value.origin, options, through: value.through };
  if (row.effect === 'outlives') {
    // A reason said at the call is what the rule asks for; a reason out of sight is nobody's fault.
    return { ...facts, form: 'option', verdict: { is: value.is === 'no' ? 'yes' : 'no' }, cause: options };
  }
  return { ...facts, form: row.effect === 'ignores' ? 'ineffective' : 'option', verdict: verdictOf(value) };
}

/** Of two options that detach, the one that says something. */
function decisive(a: Value, b: Value): Value {
  if (isTrueSomewhere(a)) return a;
  return isTrueSomewhere(b) || a.absent ? b : a;
}

const nothing: Outcome = { form: 'option', verdict: { is: 'no' }, through: new Set() };

/** What the command itself does: a launcher in argv, a shell's line that leaves a child, code that detaches. */
function commandOutcome(
  reader: Reader,
  row: ProcessApi,
  invocation: Invocation,
  options: TSESTree.Expression | undefined,
  env: Env | undefined,
): Outcome {
  const { values } = reader;
  const [first, second] = invocation.args;
  if (!first || row.command === 'module') return nothing;
  const shell = options ? values.at(options, ['shell'], env) : absent;
  const isShell = isTrueSomewhere(shell);
  const dialect = dialectOf(shell);
  const rest = () => (second && second !== options ? wordsOf(second, env, values) : []);

  if (row.command === 'line' || row.command === 'shell-template')
    return lineOutcome(reader, first, env, [], dialect);
  if (row.command === 'template') {
    if (isShell) return lineOutcome(reader, first, env, [], dialect);
    const line = lineOf(first, env, values, reader.sourceOf);
    return launcherOutcome(splitLine(line), first, line.through);
  }
  if (row.command === 'argv' && isShell) return lineOutcome(reader, first, env, rest(), dialect);
  if (row.command === 'list') return wordsOutcome(reader, listWords(first, env, values), first);
  // `isLinux ? 'setsid' : 'env'`: whichever of the programs leaves.
  const files = values.alternativesOf(first, env).map((file) => wordOf(file.node, file.env, values));
  const outcomes = files.map((file) => wordsOutcome(reader, [file, ...rest()], first));
  return outcomes.find(({ verdict }) => verdict.is !== 'no') ?? outcomes[0] ?? nothing;
}

/** The shell that an option names: `shell: 'cmd.exe'`. */
function dialectOf({ cause }: Value): ShellDialect {
  const name = cause?.type === 'Property' ? literalText(cause.value) : undefined;
  return name !== undefined && /\b(cmd|powershell|pwsh)(\.exe)?$/i.test(name) ? 'cmd' : 'sh';
}

/** What an argument list leaves. */
function wordsOutcome(reader: Reader, words: readonly Word[], cause: TSESTree.Node): Outcome {
  const shellText = shellWord(words);
  if (shellText?.node) return lineOutcome(reader, shellText.node, shellText.env);
  const script = wordBehind(words, /^(powershell|pwsh)$/i, /^[-/]c(ommand)?$/i);
  if (script?.node) return lineOutcome(reader, script.node, script.env, [], 'cmd');
  const code = codeWord(words, reader.sourceOf);
  if (code?.node) return codeOutcome(reader, code.node, code.env);
  return launcherOutcome(words, cause, new Set());
}

const space = { text: ' ', hole: false };

/** `Bun.spawn([…])` and `Bun.spawn({ cmd: […] })`. */
function listWords(node: TSESTree.Node, env: Env | undefined, values: Values): Word[] {
  const found = values.definitionOf(node, env);
  if (found.node.type !== 'ObjectExpression') return wordsOf(node, env, values);
  const command = found.node.properties.find(
    (property) => property.type === 'Property' && lastName(property.key) === 'cmd',
  );
  return command?.type === 'Property' ? wordsOf(command.value, found.env, values) : [];
}

/** What a command line leaves, whichever of its texts it has. */
function lineOutcome(
  reader: Reader,
  node: TSESTree.Node,
  env: Env | undefined,
  rest: readonly Word[] = [],
  dialect: ShellDialect = 'sh',
): Outcome {
  const through = new Set<FunctionNode>();
  // A command line with a hole may hold anything, so nobody knows that it leaves nothing.
  let isOpen = false;
  const tail = rest.flatMap((word) => [space, ...partsOf(word)]);
  for (const text of reader.values.alternativesOf(node, env)) {
    const line = lineOf(text.node, text.env, reader.values, reader.sourceOf);
    for (const fn of line.through) through.add(fn);
    const parts = [...line.parts, ...tail];
    const left = leavesChild(parts, dialect);
    if (left) return leftOutcome('shell', left, text.node, through);
    if (leavesByCode(reader, parts)) return { ...codeLeaves, form: 'shell', cause: text.node, through };
    isOpen ||= parts.some(({ hole }) => hole);
  }
  return { ...nothing, verdict: { is: isOpen ? 'unknown' : 'no' }, through };
}

/** What a program in an argument list leaves. */
function launcherOutcome(
  words: readonly Word[],
  cause: TSESTree.Node,
  through: ReadonlySet<FunctionNode>,
): Outcome {
  const left = argvLeavesChild(words.map(partsOf));
  return left
    ? leftOutcome('launcher', left, words[left.index]?.node ?? cause, through)
    : { ...nothing, through };
}

function leftOutcome(
  form: SpawnForm,
  left: LeftChild,
  cause: TSESTree.Node,
  through: ReadonlySet<FunctionNode>,
): Outcome {
  const verdict: Verdict = left.verdict === 'yes' ? { is: 'yes' } : { is: 'maybe', why: left.why };
  return { form, verdict, cause, origin: 'other', leaver: left.why, through };
}

/** A word with something unknown in it is all unknown. */
const partsOf = ({ text }: Word) => [{ text: text ?? 'x', hole: text === undefined }];

/** The words of a line that no shell reads; a word with a hole is unknown. */
function splitLine({ parts }: Line): Word[] {
  const text = parts.map((part) => (part.hole ? '\0' : part.text)).join('');
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => ({
    text: word.includes('\0') ? undefined : word,
    node: undefined,
    env: undefined,
  }));
}

/** The name of a program without its folder and extension. */
const programName = (word: string) => word.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');

/** The command line in `sh -c '…'`, wherever it stands in an argument list. */
const shellWord = (words: readonly Word[]) => wordBehind(words, /^(ba|z|da|k|a|fi)?sh$/, /^-[a-z]*c$/);

/** The word behind a program's flag. */
function wordBehind(words: readonly Word[], program: RegExp, flag: RegExp): Word | undefined {
  const start = words.findIndex(({ text }) => text !== undefined && program.test(programName(text)));
  if (start < 0) return undefined;
  const at = words.findIndex(({ text }, index) => index > start && text !== undefined && flag.test(text));
  return at < 0 ? undefined : words[at + 1];
}

/** The program in `node -e '…'`. */
function codeWord<W extends Partial<Word>>(
  words: readonly W[],
  sourceOf: (node: TSESTree.Node) => string,
): W | undefined {
  const [program] = words;
  const name = program?.text ?? (program?.node ? sourceOf(program.node) : '');
  if (!/(^|[\\/.])(node|bun|electron|execPath)(\.exe)?$/.test(name)) return undefined;
  const flag = words.findIndex(({ text }) => text !== undefined && /^(-e|-p|-pe|--eval|--print)$/.test(text));
  return flag < 0 ? undefined : words[flag + 1];
}

/** The operands of a text that is put together with `+`. */
function pieces(node: TSESTree.Node): TSESTree.Node[] {
  return node.type === 'BinaryExpression' ? [...pieces(node.left), ...pieces(node.right)] : [node];
}

function codeOutcome(reader: Reader, node: TSESTree.Node, env: Env | undefined): Outcome {
  const { parts } = lineOf(node, env, reader.values, reader.sourceOf);
  if (!leavesChildInCode(reader, textOf(parts))) return nothing;
  const cause = pieces(node).find((piece) => reader.sourceOf(piece).includes('detached')) ?? node;
  return { ...codeLeaves, cause };
}

/** `node -e '…'` in a command line. */
function leavesByCode(reader: Reader, parts: readonly ShellPart[]): boolean {
  const line = textOf(parts);
  if (!/\s(-e|-pe?|--eval|--print)\s/.test(line)) return false;
  return readCommands(line).some(({ words }) => {
    const code = codeWord(words, () => '');
    return code?.text !== undefined && leavesChildInCode(reader, code.text);
  });
}

/** A text with something in each hole that is valid code. */
const textOf = (parts: readonly ShellPart[]) => parts.map((part) => (part.hole ? '0' : part.text)).join('');

const codeLeaves: Outcome = {
  form: 'launcher',
  verdict: { is: 'yes' },
  origin: 'other',
  leaver: 'the code in its string detaches what it starts',
  through: new Set(),
};

function leavesChildInCode({ table }: Reader, text: string): boolean {
  if (!table.mention.test(text)) return false;
  return spawnsIn(text).some(({ verdict }) => verdict.is === 'yes' || verdict.is === 'maybe');
}

function spawnsIn(text: string): SpawnSite[] {
  try {
    return findSpawns(parseModule(text, 'eval.js'));
  } catch {
    // Holes may leave no valid program.
    return [];
  }
}
