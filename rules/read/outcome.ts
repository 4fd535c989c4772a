import type { TSESTree } from '@typescript-eslint/utils';
import type { ProcessApi } from '../apis/tables.ts';
import type { Callees } from './callee.ts';
import { commandOutcome } from './command-outcome.ts';
import { frameOf, type Env } from './definitions.ts';
import type { Invocation } from './invocation.ts';
import type { ModuleIndex } from './module-index.ts';
import { bareExpression, isFunction, type FunctionNode } from './nodes.ts';
import type { Values } from './values.ts';
import { restOf } from './pattern.ts';
import type { SpawnForm, SpawnSite, Verdict } from './site.ts';
import { absent, isTrueSomewhere, unknown, verdictOf, type Value } from './value.ts';

/** What is known of one start of a process, before it is tied to a call. */
export interface Outcome {
  form: SpawnForm;
  verdict: Verdict;
  cause?: TSESTree.Node | undefined;
  origin?: SpawnSite['origin'];
  options?: TSESTree.Expression | undefined;
  leaver?: string;
  /** Left by `&` in a command line. */
  background?: boolean;
  /** Functions whose callers decide. */
  through: ReadonlySet<FunctionNode>;
  /** Nothing but what they give decides. */
  given?: boolean | undefined;
}

/** How one module is read. */
export interface Reader {
  index: ModuleIndex;
  callees: Callees;
  values: Values;
  sourceOf: (node: TSESTree.Node) => string;
  /** Whether a text is a program that leaves a child. */
  leavesInCode: (text: string) => boolean;
}

/** By what, if by anything, a start of a process leaves its owner. */
export function outcomeOf(
  reader: Reader,
  row: ProcessApi,
  called: Invocation,
  env: Env | undefined,
): Outcome {
  const place = called.rest && !called.tail ? restOf(reader.index, called.rest) : undefined;
  const frame = place && frameOf(place.fn, env);
  const invocation = frame
    ? { ...called, args: [...called.args, ...frame.args.slice(place.position)], open: frame.open }
    : called;
  const options = optionsOf(row, invocation, reader);
  const byOption = optionOutcome(reader, row, invocation, options, env);
  const isSure = byOption.verdict.is === 'yes' || byOption.verdict.is === 'maybe';
  if (isSure && byOption.form === 'option') return byOption;
  const byCommand = ownedOutcome(row, commandOutcome(reader, row, invocation, options, env));
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

/** An owned group takes what its shell has in the background with it. */
const ownedOutcome = (row: ProcessApi, outcome: Outcome): Outcome =>
  row.module === 'owned-spawn' && outcome.background ? { ...outcome, verdict: { is: 'no' } } : outcome;

/**
 * The options argument: the row's position, or the last argument that is neither a callback nor a list nor a text.
 * A callback may be a parameter, which only shows when an object stands before it: `execFile(file, args, { … }, done)`.
 */
function optionsOf(row: ProcessApi, invocation: Invocation, reader: Reader): TSESTree.Expression | undefined {
  const { args, tail } = invocation;
  if (tail && bareExpression(tail).type === 'ObjectExpression') return tail as TSESTree.Expression;
  if (row.options !== undefined) return args[row.options] as TSESTree.Expression | undefined;
  const first = row.command === 'list' || row.command.endsWith('template') ? 0 : 1;
  // execa and zx: `$({ detached: true })` and `execa({ … })` give the options first.
  const curried = args.length === 1 && args[0] && bareExpression(args[0]).type === 'ObjectExpression';
  const candidates = args
    .slice(curried ? 0 : first)
    .map((arg) => ({ arg, node: reader.values.definitionOf(arg).node }))
    .filter(
      ({ node }) => !isFunction(node) && !/^(ArrayExpression|TemplateLiteral|Literal)$/.test(node.type),
    );
  const object = candidates.findLast(({ node }) => node.type === 'ObjectExpression');
  return (object ?? candidates.at(-1))?.arg as TSESTree.Expression | undefined;
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
  const facts = {
    cause: value.cause,
    origin: value.origin,
    options,
    through: value.through,
    given: value.given,
  };
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
