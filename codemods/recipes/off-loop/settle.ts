import {
  applyEdits,
  facadeNameEdits,
  hasOverlap,
  joinEdits,
  parseModule,
  sortedEdits,
  twinNameEdits,
  type Edit,
  type FunctionNode,
  type LoopModule,
  type WrappingEdit,
} from 'eslint-plugin-owned-spawn/api';
import type { FilePlan } from '../../plan/plan.ts';
import { todoEdit } from '../../plan/todo-edit.ts';
import { REASONS, type Reason } from '../reasons.ts';
import { leave, type Judged } from './judged.ts';
import type { Modules } from './modules.ts';
import { twinEdit } from './twin-family.ts';
import { twinShapeOf } from './twin-shape.ts';

/** The edits of all that is migrated; where two cannot be made together, their sets are left, and all is made again. */
export function settle(
  sites: readonly Judged[],
  modules: Modules,
  hasTodos: boolean,
): Map<string, FilePlan['edits']> {
  for (;;) {
    const { plans, failed } = draft(sites, modules, hasTodos);
    if (failed.size === 0) return plans;
    const sets = new Set(sites.filter((each) => failed.has(each)).map(({ set }) => set));
    for (const each of sites)
      if (each.status === 'migrate' && sets.has(each.set)) leave(each, failed.get(each) ?? 'overlap');
  }
}

/** An edit, the set that needs it, and whether it is made in the copy of the function around it only. */
interface FileEdit {
  edit: WrappingEdit;
  set: string;
  isForTwin: boolean;
}

interface Drafted {
  plans: Map<string, FilePlan['edits']>;
  failed: Map<Judged, Reason>;
}

function draft(sites: readonly Judged[], modules: Modules, hasTodos: boolean): Drafted {
  const byFile = new Map<string, FileEdit[]>();
  const add = (file: string, edits: readonly WrappingEdit[], set: string, isForTwin = false): void => {
    byFile.set(file, [...(byFile.get(file) ?? []), ...edits.map((edit) => ({ edit, set, isForTwin }))]);
  };
  const failed = new Map<Judged, Reason>();
  const going = sites.filter(({ status }) => status === 'migrate');
  for (const { closure, set } of going)
    for (const { file, edits, isForTwin } of closure.patches) add(file, edits, set, isForTwin);
  for (const [module, its] of grouped(going, ({ twin, module }) => (twin ? [module] : []))) {
    const calls = its.flatMap(({ twin }) => twin ?? []);
    const kept = new Set(its.flatMap(({ twin, closure }) => (twin && closure.isForTwin ? twin : [])));
    const { edits, copied, done } = twinNameEdits(module, calls, (call) => kept.has(call));
    for (const each of its) if (!each.twin || !done.has(each.twin)) failed.set(each, 'indirect-call');
    for (const set of new Set(its.map((each) => each.set))) {
      add(module.view.filename, edits, set);
      add(module.view.filename, copied, set, true);
    }
  }
  const databases = new Set(going.flatMap(({ closure }) => [...closure.databases]));
  for (const [module, its] of grouped([...databases], (each) => [each.module])) {
    const edits = facadeNameEdits(
      module,
      its.flatMap(({ names }) => names),
    );
    const users = going.filter(({ closure }) => its.some((each) => closure.databases.has(each)));
    for (const each of users) if (!edits) failed.set(each, 'type-use');
    const wraps = its.flatMap((each) => [...each.wraps.values()]);
    for (const set of new Set(users.map((each) => each.set))) {
      add(module.view.filename, edits ?? [], set);
      for (const wrap of wraps) add(wrap.module.view.filename, wrap.edits, set);
    }
  }
  if (hasTodos) for (const [file, edits] of todosOf(sites)) add(file, edits, '');
  const fail = (sets: ReadonlySet<string>, reason: Reason): void => {
    for (const each of going) if (sets.has(each.set)) failed.set(each, reason);
  };
  for (const [fn, its] of grouped(going, ({ closure }) => [...closure.twins])) {
    const sets = new Set(its.map(({ set }) => set));
    const module = modules.of(fn);
    const edit = copyOf(module, fn, byFile.get(module.view.filename) ?? []);
    if (edit) for (const set of sets) add(module.view.filename, [edit], set);
    else fail(sets, 'overlap');
  }
  const plans: Drafted['plans'] = new Map();
  for (const [file, all] of byFile) {
    const its = all.filter(({ isForTwin }) => !isForTwin);
    const text = modules.textOf(file) ?? '';
    const edits = sortedEdits(joinEdits(its.map(({ edit }) => edit)));
    const isOverlapping = hasOverlap(edits);
    if (isOverlapping || !isProgram(applyEdits(text, edits), file))
      fail(new Set(its.map(({ set }) => set)), isOverlapping ? 'overlap' : 'reparse');
    plans.set(
      file,
      edits.map((edit) => ({
        ...edit,
        old: text.slice(edit.start, edit.end),
        sets: setsOf(its, edit),
      })),
    );
  }
  return { plans, failed };
}

/** By the strict parser: TypeScript's own takes `async import`. */
function isProgram(text: string, file: string): boolean {
  try {
    parseModule(text, file);
    return true;
  } catch {
    return false;
  }
}

/** The items by each of the keys that they have. */
function grouped<Key, Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly Key[],
): Map<Key, Item[]> {
  const found = new Map<Key, Item[]>();
  for (const item of items) for (const key of keysOf(item)) found.set(key, [...(found.get(key) ?? []), item]);
  return found;
}

/** The edit that writes a function's twin beside it: a copy with all edits that are made in it. */
function copyOf(module: LoopModule, fn: FunctionNode, its: readonly FileEdit[]): Edit | undefined {
  const shape = twinShapeOf(module, fn);
  if (!shape) return undefined;
  // What is put in at its edges, an import for instance, is none of the copy's.
  const inside = its.flatMap(({ edit, isForTwin }) =>
    isForTwin
      ? edit.start >= shape.start && edit.end <= shape.end
        ? edit
        : []
      : edit.start > shape.start && edit.end < shape.end
        ? edit
        : [],
  );
  return twinEdit(module, shape, inside);
}

function setsOf(its: readonly { edit: Edit; set: string }[], { start, end }: Edit): string[] {
  const found = its.filter(({ edit }) => edit.start === start && edit.end === end).map(({ set }) => set);
  return [...new Set(found)].filter(Boolean).sort();
}

/** A comment above each statement with a call that is left, in front of all else that is put there. */
function todosOf(sites: readonly Judged[]): Map<string, WrappingEdit[]> {
  const found = new Map<string, Map<number, WrappingEdit>>();
  for (const { module, site, status, reason, text } of sites) {
    if (status !== 'left' || reason === undefined) continue;
    const edit = todoEdit(module.view, site.call, reason, text ?? REASONS[reason].short);
    const file = module.view.filename;
    const its = found.get(file) ?? new Map<number, WrappingEdit>();
    if (edit && !its.has(edit.start)) its.set(edit.start, { ...edit, rank: -1e8 });
    found.set(file, its);
  }
  return new Map([...found].map(([file, its]) => [file, [...its.values()]]));
}
