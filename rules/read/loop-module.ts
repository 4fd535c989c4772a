import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopRow } from '../apis/loop-rows.ts';
import { loopTable, type LoopSettings, type LoopTable } from '../apis/loop-table.ts';
import type { Links } from './api-table.ts';
import { calleesOf, type Callees } from './callee.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import type { Meaning } from './meaning.ts';
import { indexOf, type ModuleIndex } from './module-index.ts';
import type { ModuleView } from './module-view.ts';
import type { CallNode } from './nodes.ts';
import { valuesOf, type Values } from './values.ts';

/** One module as the readers of blocking calls see it: its names resolved against the rows about the event loop. */
export interface LoopModule {
  view: ModuleView;
  index: ModuleIndex;
  callees: Callees;
  values: Values;
  table: LoopTable;
  /** Whether it may hold a call that blocks, by its text or by what other files hand it. */
  mayBlock: boolean;
  /** The row that an expression names, and the arguments that `bind` has given it. */
  rowNamed(node: TSESTree.Node): { row: LoopRow; bound: readonly TSESTree.Node[] } | undefined;
  /** The row that a call enters, and the arguments as they arrive. */
  rowOf(call: CallNode): { row: LoopRow; invocation: Invocation } | undefined;
}

const known = new WeakMap<TSESTree.Program, LoopModule>();

/**
 * The reader of a module, made once for several rules.
 *
 * @throws {SettingsError} for settings that are wrong.
 */
export function loopModule(view: ModuleView, settings?: LoopSettings): LoopModule {
  const table = loopTable(settings);
  const before = known.get(view.ast);
  if (before?.table === table) return before;
  const made = makeModule(view, table);
  known.set(view.ast, made);
  return made;
}

/** The reader of a module that other files of its program hand databases and the like. */
export const linkedModule = (view: ModuleView, table: LoopTable, linked: Links): LoopModule =>
  makeModule(view, table, linked);

function makeModule(view: ModuleView, table: LoopTable, linked?: Links): LoopModule {
  const index = indexOf(view);
  const callees = calleesOf(index, { ...table, row: () => undefined, linked });
  const rowNamed: LoopModule['rowNamed'] = (node) => {
    const meaning: Meaning | undefined = callees.meaningOf(node);
    const row = meaning?.is === 'import' ? table.row(meaning.module, meaning.path) : undefined;
    return row && meaning?.is === 'import' ? { row, bound: meaning.bound ?? [] } : undefined;
  };
  return {
    view,
    index,
    callees,
    values: valuesOf(index, callees),
    table,
    mayBlock: linked !== undefined || table.mention.test(view.text),
    rowNamed,
    rowOf(call) {
      const invocation = invocationOf(call);
      const found = rowNamed(invocation.target);
      return (
        found && { row: found.row, invocation: { ...invocation, args: [...found.bound, ...invocation.args] } }
      );
    },
  };
}
