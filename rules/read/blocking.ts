import type { TSESTree } from '@typescript-eslint/utils';
import type { Cost, LoopRow, SqliteEffect, Twin, When } from '../apis/loop-rows.ts';
import { contextOf, type Unit } from './context.ts';
import type { Invocation } from './invocation.ts';
import type { LoopModule } from './loop-module.ts';
import { isRepeated } from './loops.ts';
import { bareExpression, calleeOf, isFunction, lastName, literalText, type CallNode } from './nodes.ts';
import { sqliteWeight } from './sqlite.ts';

/** Which rule speaks of a blocking call. */
export type Family = 'call' | 'sqlite';

/** How long a child may keep the loop: `none` means for ever, undefined that it is not known. */
export type Bound = 'none' | number | undefined;

/** A call that blocks until it returns, or an API that does and is handed to somebody who calls it. */
export interface BlockingSite {
  family: Family;
  call: CallNode;
  /** The callee's name, where reports stand. */
  name: TSESTree.Node;
  /** The callee's last name as the text has it. */
  shown: string;
  /** As the table calls it: `fs.readFileSync`, `better-sqlite3 Statement.get`. */
  api: string;
  cost: Cost;
  sqlite: SqliteEffect | undefined;
  /** What to use in its place. */
  instead: string | undefined;
  /** Where the call itself can become that. */
  twin: Twin | undefined;
  /** Little by itself: it counts only where it is done many times. */
  isLight: boolean;
  isRepeated: boolean;
  /** For a child that is waited for. */
  bound: Bound;
  unit: Unit;
}

/** Every blocking call of a module that is not off the loop by what stands around it, in the order of the text. */
export function findBlocking(module: LoopModule): BlockingSite[] {
  const before = known.get(module);
  if (before) return before;
  const { mayBlock, index } = module;
  const sites = mayBlock ? index.calls.flatMap((call) => sitesAt(module, call)) : [];
  known.set(module, sites);
  return sites;
}

const known = new WeakMap<LoopModule, BlockingSite[]>();

function sitesAt(module: LoopModule, call: CallNode): BlockingSite[] {
  const found = module.rowOf(call);
  const name = found?.row.sqlite ? chainStart(call) : lastIdentifier(calleeOf(call));
  const direct = found && siteOf(module, call, name, found.row, found.invocation);
  return direct ? [direct, ...handedOver(module, call)] : handedOver(module, call);
}

/** `paths.map(readFileSync)`: an API that blocks, given to a call. */
function handedOver(module: LoopModule, call: CallNode): BlockingSite[] {
  if (call.type === 'TaggedTemplateExpression') return [];
  return call.arguments.flatMap((arg) => {
    const node = bareExpression(arg.type === 'SpreadElement' ? arg.argument : arg);
    if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return [];
    if (!module.view.text.slice(...node.range).includes('Sync')) return [];
    const row = module.rowNamed(node)?.row;
    // A wrapper of a promise or a mock is told what to wrap, not asked to call it.
    if (!row?.blocks || /promisify|mock|spy|stub|wrap/i.test(lastName(calleeOf(call)) ?? '')) return [];
    const site = siteOf(module, call, lastIdentifier(node), row, undefined);
    return site ? [site] : [];
  });
}

function siteOf(
  module: LoopModule,
  call: CallNode,
  name: TSESTree.Node,
  row: LoopRow,
  invocation: Invocation | undefined,
): BlockingSite | undefined {
  const { blocks, sqlite } = row;
  if (!blocks && !sqlite) return undefined;
  if (invocation && blocks?.when && !holds(blocks.when, invocation, module)) return undefined;
  if (invocation && blocks?.cost === 'child' && handsTerminalOver(module, invocation)) return undefined;
  const context = contextOf(module);
  const unit = context.unitOf(name);
  if (context.isOff(call)) return undefined;
  const repeated = invocation ? isRepeated(call, unit.fn) : true;
  return {
    family: sqlite ? 'sqlite' : 'call',
    call,
    name,
    shown: shownName(invocation?.target ?? name, labelOf(row), sqlite),
    api: labelOf(row),
    cost: blocks?.cost ?? 'io',
    sqlite,
    instead: blocks?.instead,
    twin: invocation ? blocks?.twin : undefined,
    isLight:
      sqlite && invocation
        ? sqliteWeight(module, sqlite, call, invocation) === 'light'
        : blocks?.cost === 'probe',
    isRepeated: repeated,
    bound: blocks?.hasTimeout && invocation ? boundOf(module, invocation) : undefined,
    unit,
  };
}

/** The last name of a callee: `spawn.sync` where that alone says nothing, the API's where it is computed. */
function shownName(callee: TSESTree.Node, api: string, sqlite: SqliteEffect | undefined): string {
  const bare = bareExpression(callee);
  const name = bare.type === 'MemberExpression' && bare.computed ? undefined : lastName(bare);
  // `spawn.sync`, `realpathSync.native`
  if (bare.type === 'MemberExpression' && /^(sync|native)$/.test(name ?? ''))
    return `${lastName(bare.object) ?? api}.${name ?? ''}`;
  return name ?? (sqlite === 'transaction' ? sqlite : lastStep(api));
}

const lastStep = (path: string) => path.replace(/^.*[./]/, '');

function labelOf({ module, path }: LoopRow): string {
  const name = path.replace('#', '');
  if (module === 'global') return name;
  return name === '' ? module : name.startsWith('.') ? `${module}${name}` : `${module}.${name}`;
}

/** Of `db.prepare('…').all()` the `prepare`: what is asked begins there, and may be lines long. */
function chainStart(call: CallNode): TSESTree.Node {
  const callee = calleeOf(call);
  const inner = callee.type === 'MemberExpression' ? bareExpression(callee.object) : undefined;
  const isChain = inner?.type === 'CallExpression' && calleeOf(inner).type === 'MemberExpression';
  return isChain ? chainStart(inner) : lastIdentifier(callee);
}

/** Of `fs.readFileSync.call(fs, p)` the part that names the API. */
function lastIdentifier(node: TSESTree.Node): TSESTree.Node {
  const bare = bareExpression(node);
  if (bare.type !== 'MemberExpression') return bare;
  const isApplied = /^(call|apply|bind)$/.test(lastName(bare) ?? '');
  return isApplied ? lastIdentifier(bare.object) : bare.property;
}

function holds(when: When, { args }: Invocation, module: LoopModule): boolean {
  const last = args.at(-1);
  switch (when) {
    case 'not-async':
      return !isFunction(last) && !(last && module.values.at(last, ['async']).is === 'yes');
    case 'waits':
      return !(args.length > 3 && last?.type === 'Literal' && last.value === 0);
  }
}

/** The options of a call that starts a child: the last argument that is no list and no text. */
function optionsOf({ args }: Invocation): TSESTree.Node | undefined {
  const last = args.at(-1);
  if (!last || args.length < 2) return undefined;
  const bare = bareExpression(last);
  return bare.type === 'ArrayExpression' || literalText(bare) !== undefined ? undefined : bare;
}

/** `timeout: 0` is no bound either. */
function boundOf(module: LoopModule, invocation: Invocation): Bound {
  if (invocation.open) return undefined;
  const options = optionsOf(invocation);
  if (!options) return 'none';
  const value = module.values.at(options, ['timeout']);
  if (value.is === 'no') return 'none';
  const cause = value.cause;
  const node = cause?.type === 'Property' ? bareExpression(cause.value) : undefined;
  if (value.is !== 'yes' || node?.type !== 'Literal' || typeof node.value !== 'number') return undefined;
  return node.value;
}

/** Whether a child is given the terminal, so that the program is meant to wait for it. */
export function handsTerminalOver(module: LoopModule, invocation: Invocation): boolean {
  const options = optionsOf(invocation);
  if (!options || !module.table.context.terminals) return false;
  const { cause } = module.values.at(options, ['stdio']);
  const node = cause?.type === 'Property' ? bareExpression(cause.value) : undefined;
  if (!node) return false;
  if (node.type !== 'ArrayExpression') return literalText(node) === 'inherit';
  return (
    node.elements.length > 0 &&
    node.elements.every((each) => each !== null && literalText(each) === 'inherit')
  );
}
