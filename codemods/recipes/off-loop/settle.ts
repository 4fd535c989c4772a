import {
  applyEdits,
  facadeNameEdits,
  hasOverlap,
  joinEdits,
  looksBroken,
  sortedEdits,
  twinNameEdits,
  type Edit,
  type LoopModule,
  type WrappingEdit,
} from 'eslint-plugin-owned-spawn/api';
import type { FilePlan } from '../../plan/plan.ts';
import { todoEdit } from '../../plan/todo-edit.ts';
import { REASONS, type Reason } from '../reasons.ts';
import { leave, type Judged } from './judged.ts';
import type { Modules } from './modules.ts';
import type { SqliteHandle } from './sqlite-handles.ts';

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

interface Drafted {
  plans: Map<string, FilePlan['edits']>;
  failed: Map<Judged, Reason>;
}

function draft(sites: readonly Judged[], modules: Modules, hasTodos: boolean): Drafted {
  const byFile = new Map<string, { edit: WrappingEdit; set: string }[]>();
  const twins = new Map<LoopModule, Judged[]>();
  const add = (file: string, edits: readonly WrappingEdit[], set: string): void => {
    byFile.set(file, [...(byFile.get(file) ?? []), ...edits.map((edit) => ({ edit, set }))]);
  };
  const failed = new Map<Judged, Reason>();
  const going = sites.filter(({ status }) => status === 'migrate');
  for (const each of going) {
    for (const { file, edits } of each.closure.patches) add(file, edits, each.set);
    if (each.twin) twins.set(each.module, [...(twins.get(each.module) ?? []), each]);
  }
  for (const [module, its] of twins) {
    const calls = its.flatMap(({ twin }) => twin ?? []);
    const { edits, done } = twinNameEdits(module, calls);
    for (const each of its) if (!each.twin || !done.has(each.twin)) failed.set(each, 'indirect-call');
    for (const set of new Set(its.map((each) => each.set))) add(module.view.filename, edits, set);
  }
  const opened = new Map<LoopModule, Set<SqliteHandle>>();
  for (const { closure } of going)
    for (const each of closure.databases)
      opened.set(each.module, (opened.get(each.module) ?? new Set()).add(each));
  for (const [module, its] of opened) {
    const edits = facadeNameEdits(
      module,
      [...its].flatMap(({ names }) => names),
    );
    const users = going.filter(({ closure }) => [...closure.databases].some((each) => its.has(each)));
    for (const each of users) if (!edits) failed.set(each, 'type-use');
    for (const set of new Set(users.map((each) => each.set))) add(module.view.filename, edits ?? [], set);
  }
  if (hasTodos) for (const [file, edits] of todosOf(sites)) add(file, edits, '');
  const plans: Drafted['plans'] = new Map();
  for (const [file, its] of byFile) {
    const text = modules.at(file)?.view.text ?? '';
    const edits = sortedEdits(joinEdits(its.map(({ edit }) => edit)));
    const reason = hasOverlap(edits)
      ? 'overlap'
      : looksBroken(applyEdits(text, edits), file)
        ? 'reparse'
        : undefined;
    if (reason) {
      const sets = new Set(its.map(({ set }) => set));
      for (const each of going) if (sets.has(each.set)) failed.set(each, reason);
    }
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
