import {
  awaitEdits,
  awaitPlace,
  awaitTarget,
  contextOf,
  type Callbacks,
  type FunctionNode,
  type LoopModule,
  type NoteCode,
  type References,
  type WrappingEdit,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { placeOf, type Place } from '../place.ts';
import type { ReplacedInTests } from '../replaced-in-tests.ts';
import type { Importing } from './importing.ts';
import type { Modules } from './modules.ts';
import type { OffLoopReason } from './reasons.ts';
import type { SqliteHandle } from './sqlite-handles.ts';

/** What stands in the way, and where. */
export interface Blocker extends Place {
  reason: OffLoopReason;
}

/** Edits of one file. */
export interface Patch {
  file: string;
  edits: readonly WrappingEdit[];
  /** They are made in the asynchronous twin of the function around them, and not in the function. */
  isForTwin?: boolean;
}

/** What the recipe stands on. */
export interface Ground {
  modules: Modules;
  /** The text of a file of the program; undefined for what is not part of it. */
  textOf(file: string): string | undefined;
  references: References;
  importing: Importing;
  /** Whether a file is an ES module for certain, which may wait at its top level. */
  isEsModule(file: string): boolean;
  /** Whether what a file exports may be called from outside of the program. */
  isPublic(file: string): boolean;
  /** Whether the request handlers of a file may give promises: Express waits for them since 5. */
  isExpressWaiting(file: string): boolean;
  /** Whether a file may be edited. */
  isGiven(file: string): boolean;
  /** The names by which other files call the default export of a file. */
  defaultNames(file: string): readonly string[];
  replacedInTests: ReplacedInTests;
  /** Whether what a test replaces moves all the same. */
  despiteDoubles: boolean;
  /** The databases that a module opens or uses. */
  databasesOf(module: LoopModule): readonly SqliteHandle[];
  /** Whether what a function is given to wants nothing back, by its types: it must give no promise. */
  isVoid(file: string, given: TSESTree.Node): boolean;
  /** Whether exported functions may change. */
  allowApiChange: boolean;
  /** Whether functions that must stay as they are get an asynchronous twin. */
  twins: boolean;
}

/** A call that is awaited from now on. */
export interface AwaitPoint {
  module: LoopModule;
  node: TSESTree.Node;
  /** The function that it enters; none for the blocking call itself. */
  enters?: FunctionNode | undefined;
}

/** What a call makes of a function that it is given. */
export interface Given {
  /** It must give no promise there, by its types. */
  isVoid: boolean;
  /** What becomes of the rejection of the promise that it gives. */
  rejections: Callbacks['rejections'];
}

/** All that must be so that a call can be awaited, or a function be async. */
export interface Requirements {
  /** The functions that must be async for it. */
  needs: Set<FunctionNode>;
  blockers: Blocker[];
  patches: Patch[];
  notes: Set<NoteCode>;
  /** Whether the event loop waits for it, as far as its own callers tell. */
  isOnLoop: boolean;
  /** The calls that are awaited. */
  awaits: AwaitPoint[];
  /** Callbacks that would run at the same time: they may only read. */
  concurrent: Set<FunctionNode>;
  /** The calls that the function is given to. */
  given: Given[];
  /** Something that calls the function waits for nothing. */
  isUnawaited: boolean;
  /** The databases that must move to the facade for it. */
  databases: Set<SqliteHandle>;
}

export const noRequirements = (): Requirements => ({
  needs: new Set(),
  blockers: [],
  patches: [],
  notes: new Set(),
  isOnLoop: false,
  awaits: [],
  concurrent: new Set(),
  given: [],
  isUnawaited: false,
  databases: new Set(),
});

/** Leaves the whole set, for a reason and the node that it lies in. */
export function block(
  its: Requirements,
  reason: OffLoopReason,
  module: LoopModule,
  node: TSESTree.Node,
): void {
  blockAt(its, reason, placeOf(module.view.filename, node));
}

/** As {@link block}, by a place: a line is named once for a reason. */
export function blockAt(its: Requirements, reason: OffLoopReason, { file, line, column }: Place): void {
  if (!its.blockers.some((each) => each.file === file && each.line === line && each.reason === reason))
    its.blockers.push({ reason, file, line, column });
}

export const patch = (its: Requirements, module: LoopModule, edits: readonly WrappingEdit[]): void => {
  if (edits.length > 0) its.patches.push({ file: module.view.filename, edits });
};

/** Requires that a call's value is waited for in its place. */
export function requireAwait(
  ground: Ground,
  its: Requirements,
  module: LoopModule,
  call: TSESTree.Node,
  before = '',
  after = '',
  enters?: FunctionNode,
): void {
  const node = awaitTarget(call);
  if (!node) {
    block(its, 'optional-chain', module, call);
    return;
  }
  requirePlace(ground, its, module, node);
  its.awaits.push({ module, node, enters });
  patch(its, module, awaitEdits(module.view, node, before, after));
}

/** Requires that `await` may stand at a node. */
export function requirePlace(
  ground: Ground,
  its: Requirements,
  module: LoopModule,
  node: TSESTree.Node,
): void {
  const place = awaitPlace(node);
  if ('reason' in place) {
    block(its, place.reason, module, node);
    return;
  }
  const { fn } = place;
  if (!ground.isGiven(module.view.filename)) block(its, 'outside-paths', module, node);
  if (contextOf(module).unitOf(node).where === 'loop') its.isOnLoop = true;
  if (!fn && !ground.isEsModule(module.view.filename)) block(its, 'top-level', module, node);
  if (fn && !fn.async) its.needs.add(fn);
}
