import {
  bareExpression,
  constantText,
  contextOf,
  isFunction,
  lastName,
  wrapEdits,
  type CallNode,
  type FacadeUse,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isExportOf, isLookedAt, isTried, isValueUnused } from './handle-uses.ts';
import type { OffLoopReason } from './reasons.ts';
import {
  block,
  blockAt,
  noRequirements,
  patch,
  requireAwait,
  requirePlace,
  type Ground,
  type Requirements,
} from './requirements.ts';
import { SQLITE_DRIVERS, type SqliteDriver } from './sqlite-drivers.ts';
import { sqliteOpening } from './sqlite-opening.ts';
import { isSetup, triedConstructions } from './sqlite-setup.ts';
import { driverTypes } from './sqlite-types.ts';
import type { SqliteWrap } from './sqlite-wraps.ts';
import { outermost, usesOfValue } from './value-uses.ts';

/** A database that a module opens, with all that the program does with it: it moves to the facade whole, or not at all. */
export interface SqliteHandle {
  module: LoopModule;
  /** All that use it. */
  modules: ReadonlySet<LoopModule>;
  /** What others call it that import it. */
  imported: ReadonlyMap<LoopModule, TSESTree.Identifier>;
  open: CallNode;
  its: Requirements;
  /** The calls of it, of its statements and of its transactions. */
  calls: ReadonlySet<TSESTree.Node>;
  /** The calls of transactions that say no mode: the driver's is DEFERRED, the facade's IMMEDIATE. */
  begun: ReadonlySet<TSESTree.Node>;
  names: readonly FacadeUse[];
  /** The transactions that are put around what was one step, by the function that they are in. */
  wraps: Map<FunctionNode, SqliteWrap>;
}

/** What gives the database back, or another value than the facade's: nothing may look at it. */
const VOID_LEAVES = /^(exec|close)$/;
const STATEMENT_LEAVES = /^(get|all|run)$/;
const CHAINS = /^(bind|expand|pluck|raw|safeIntegers)$/;
const SETTERS = /^(setReadBigInts|setReturnArrays)$/;
const MODES = /^(default|deferred|immediate|exclusive)$/;

/** Every database that a module opens. */
export function sqliteHandles(ground: Ground, module: LoopModule): SqliteHandle[] {
  return module.index.calls.flatMap((call) => {
    const row = module.rowOf(call)?.row;
    const driver = row?.sqlite === 'open' ? SQLITE_DRIVERS[row.module] : undefined;
    return driver && row ? [handleOf(ground, module, call, row.module, driver)] : [];
  });
}

/** Follows one database from its opening to all its uses. */
function handleOf(
  ground: Ground,
  module: LoopModule,
  open: CallNode,
  driverName: string,
  driver: SqliteDriver,
): SqliteHandle {
  const its = noRequirements();
  const modules = new Set([module]);
  const imported = new Map<LoopModule, TSESTree.Identifier>();
  const calls = new Set<TSESTree.Node>([open]);
  const begun = new Set<TSESTree.Node>();
  const names: FacadeUse[] = [];
  const seen = new Set<TSESTree.Node>();
  const stop = (reason: OffLoopReason, node: TSESTree.Node): void => {
    block(its, reason, moduleOf(node), node);
  };
  const moduleOf = (node: TSESTree.Node): LoopModule => ground.modules.of(node);

  const { name: opened, edits, stops } = sqliteOpening(module, open, driverName);
  if (opened) {
    names.push(opened);
    requireGiven(open);
  }
  for (const { reason, node } of stops) stop(reason, node);
  patch(its, module, edits);
  follow(open, database);
  return { module, modules, imported, open, its, calls, begun, names, wraps: new Map() };

  /** Judges each use of what a node gives, by the names that it goes by. */
  function follow(node: TSESTree.Node, judge: (use: TSESTree.Node) => void): void {
    if (seen.has(node)) return;
    seen.add(node);
    const { uses, types, lost } = usesOfValue(ground, moduleOf(node), node);
    for (const use of uses) {
      const place = moduleOf(use);
      modules.add(place);
      if (node === open && place !== module && use.type === 'Identifier') imported.set(place, use);
    }
    for (const type of types) {
      const named = moduleOf(type) === module ? driverTypes(module, type, driverName) : undefined;
      if (named === undefined) stop('type-use', type);
      else {
        names.push(...named.names);
        patch(its, module, named.edits);
      }
    }
    if (lost) stop(lost.reason, lost.node);
    for (const use of uses)
      if (use === outermost(node)) judge(use);
      else follow(use, judge);
  }

  /** The call of a member of a value, or what else is done with it. */
  function memberOf(
    use: TSESTree.Node,
  ):
    | { name: string; member: TSESTree.MemberExpression; call: TSESTree.CallExpression | undefined }
    | undefined {
    const value = outermost(use);
    const { parent } = value;
    if (parent?.type !== 'MemberExpression' || parent.object !== value) return undefined;
    const callee = parent.parent.type === 'TSNonNullExpression' ? parent.parent : parent;
    const call =
      callee.parent.type === 'CallExpression' && callee.parent.callee === callee ? callee.parent : undefined;
    return { name: lastName(parent) ?? '', member: parent, call };
  }

  /** The member that a use asks for; a use of the whole handle stops the set, unless it is only looked at. */
  function memberUsed(use: TSESTree.Node): ReturnType<typeof memberOf> {
    if (isLookedAt(use)) return undefined;
    const member = memberOf(use);
    if (!member) stop(isExportOf(use) ? 'sqlite-exported' : 'sqlite-escapes', use);
    return member;
  }

  function database(use: TSESTree.Node): void {
    const member = memberUsed(use);
    if (!member) return;
    const { name, call } = member;
    if (!call) {
      if (!driver.properties.test(name)) stop('sqlite-feature', member.member);
    } else if (driver.leaves.test(name)) {
      if (VOID_LEAVES.test(name) && !isValueUnused(call)) stop('sqlite-feature', call);
      requireNoBegin(call);
      leaf(call);
    } else if (name === 'prepare') prepare(call);
    else if (name === 'transaction' && driverName === 'better-sqlite3') {
      calls.add(call);
      const [work, ...more] = call.arguments;
      const bare = work && bareExpression(work);
      if (!bare || more.length > 0 || !(isFunction(bare) || bare.type === 'Identifier'))
        stop('sqlite-feature', call);
      if (call.typeArguments) stop('type-use', call.typeArguments);
      follow(call, transaction);
    } else if (!(name === 'defaultSafeIntegers' && isValueUnused(call))) stop('sqlite-feature', call);
  }

  function prepare(call: TSESTree.CallExpression): void {
    calls.add(call);
    requireGiven(call);
    requireNoBegin(call);
    const types = call.typeArguments?.params ?? [];
    const [, row] = types;
    if (call.typeArguments) {
      // better-sqlite3 says first what is bound, then what a row is; the facade says only what a row is.
      const [start, end] = call.typeArguments.range;
      const place = moduleOf(call);
      const text = row ? `<${place.view.text.slice(...row.range)}>` : '';
      patch(its, place, [{ start, end, text }]);
    }
    if (isTried(call) && !memberOf(call)) stop('sqlite-late-error', call);
    follow(call, statement);
  }

  function statement(use: TSESTree.Node): void {
    const member = memberUsed(use);
    if (!member) return;
    const { name, call } = member;
    if (!call) {
      if (name !== 'source') stop('sqlite-feature', member.member);
    } else if (STATEMENT_LEAVES.test(name)) leaf(call);
    else if (name === 'iterate') iterate(call);
    else if (CHAINS.test(name) && driverName === 'better-sqlite3') {
      calls.add(call);
      if (!isValueUnused(call)) follow(call, statement);
    } else if (!SETTERS.test(name)) stop('sqlite-feature', call);
  }

  function transaction(use: TSESTree.Node): void {
    const value = outermost(use);
    const { parent } = value;
    const member = memberOf(use);
    const direct = parent?.type === 'CallExpression' && parent.callee === value ? parent : undefined;
    const call = direct ?? member?.call;
    if (call && (direct || member?.name === 'default')) begun.add(call);
    if (direct) leaf(direct);
    else if (member?.call && MODES.test(member.name)) leaf(member.call);
    else stop(isExportOf(use) ? 'sqlite-exported' : 'sqlite-escapes', use);
  }

  function leaf(call: TSESTree.CallExpression): void {
    if (calls.has(call)) return;
    calls.add(call);
    const place = moduleOf(call);
    if (isSetup(ground, place, open, call)) send(call);
    else requireAwait(ground, its, place, call);
    if (contextOf(place).isOff(call)) stop('exit-handler', call);
  }

  /** What nobody waits for comes before all that is asked of the database later. */
  function send(call: TSESTree.CallExpression): void {
    requireGiven(call);
    if (isTried(call)) stop('sqlite-late-error', call);
    for (const made of triedConstructions(ground, call)) blockAt(its, 'sqlite-late-error', made);
    its.notes.add('unawaited');
    patch(its, moduleOf(call), wrapEdits(outermost(call), 'void ', ''));
  }

  /** `for (const row of statement.iterate())` waits for each row. */
  function iterate(call: TSESTree.CallExpression): void {
    calls.add(call);
    const value = outermost(call);
    const { parent } = value;
    if (parent?.type !== 'ForOfStatement' || parent.right !== value) {
      stop('sqlite-feature', call);
      return;
    }
    const place = moduleOf(call);
    requirePlace(ground, its, place, parent);
    its.awaits.push({ module: place, node: call });
    if (parent.await) return;
    const at = parent.range[0] + 'for'.length;
    patch(its, place, [{ start: at, end: at, text: ' await' }]);
  }

  /** A transaction by hand: others would run in it while it waits. */
  function requireNoBegin({ arguments: [sql] }: TSESTree.CallExpression): void {
    if (
      sql &&
      /^\s*(begin|commit|end|rollback|savepoint|release)\b/i.test(
        constantText(moduleOf(sql).index, sql) ?? '',
      )
    )
      stop('sqlite-feature', sql);
  }

  function requireGiven(node: TSESTree.Node): void {
    if (!ground.isGiven(moduleOf(node).view.filename)) stop('outside-paths', node);
  }
}
