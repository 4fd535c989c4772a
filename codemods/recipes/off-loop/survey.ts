import {
  contextOf,
  twinCallEdits,
  twinCallOf,
  type BlockingSite,
  type FunctionNode,
  type LoopModule,
  type NoteCode,
  type TwinCall,
} from 'eslint-plugin-owned-spawn/api';
import { changesOthers, isReading } from './effects.ts';
import { functionPlan } from './function-plan.ts';
import { isLedTo } from './program-callers.ts';
import {
  block,
  blockAt,
  noRequirements,
  patch,
  requirePlace,
  type AwaitPoint,
  type Blocker,
  type Ground,
  type Patch,
  type Requirements,
} from './requirements.ts';
import { seenAtOnce } from './seen-at-once.ts';
import type { SqliteHandle } from './sqlite-handles.ts';
import { twinsOf } from './twins.ts';

/** A blocking call, what it can become, and what must be so for it. */
export interface SurveyedSite {
  module: LoopModule;
  site: BlockingSite;
  twin: TwinCall | undefined;
  its: Requirements;
  /** The database that it is a call of. */
  handle?: SqliteHandle | undefined;
}

/** All that a site leads to. */
export interface Closure {
  functions: ReadonlySet<FunctionNode>;
  /** The callbacks whose calls run at the same time then. */
  concurrent: ReadonlySet<FunctionNode>;
  databases: ReadonlySet<SqliteHandle>;
  /** The functions that stay as they are, and have an asynchronous twin beside them. */
  twins: ReadonlySet<FunctionNode>;
  /** The blocking call itself is in one of these, and is awaited in the twin only. */
  isForTwin?: boolean;
  blockers: readonly Blocker[];
  patches: readonly Patch[];
  awaits: readonly AwaitPoint[];
  notes: Set<NoteCode>;
  isOnLoop: boolean;
}

/** Finds what each blocking call of a program would change, a function planned once for all of them. */
export interface Survey {
  site(module: LoopModule, site: BlockingSite): SurveyedSite;
  /** What a site leads to: its own requirements and those of all functions that must be async for it. */
  closureOf(site: SurveyedSite): Closure;
}

/** The survey of a program; a function is planned once, at the first site that leads to it. */
export function surveyOf(ground: Ground): Survey {
  const plans = new Map<FunctionNode, Requirements>();

  function planOf(fn: FunctionNode): Requirements {
    const known = plans.get(fn);
    if (known) return known;
    const made = functionPlan(ground, fn);
    plans.set(fn, made);
    return made;
  }

  /** What a site leads to by functions that are planned in one way or another. */
  function closureOf(
    { its, site }: SurveyedSite,
    planFor: (fn: FunctionNode) => Requirements = planOf,
  ): Closure {
    const functions = new Set<FunctionNode>();
    const databases = new Set<SqliteHandle>();
    const all = [its];
    const concurrent = new Set(its.concurrent);
    // Each function and database that is added is planned in turn.
    const pending = new Set<FunctionNode | SqliteHandle>([...its.needs, ...its.databases]);
    for (const each of pending) {
      if ('calls' in each) databases.add(each);
      else functions.add(each);
      const plan = 'calls' in each ? each.its : planFor(each);
      all.push(plan);
      for (const other of [...plan.needs, ...plan.databases]) pending.add(other);
      for (const other of plan.concurrent) concurrent.add(other);
    }
    const mixed = noRequirements();
    for (const fn of concurrent) {
      const module = ground.modules.of(fn);
      if (!isReading(site.api) || databases.size > 0 || changesOthers(module, fn))
        block(mixed, 'array-callback', module, fn);
    }
    const whole = [...all, mixed];
    const awaits = whole.flatMap((each) => each.awaits);
    return {
      functions,
      concurrent,
      databases,
      twins: new Set(),
      blockers: whole.flatMap(({ blockers }) => blockers),
      patches: whole.flatMap(({ patches }) => patches),
      awaits,
      notes: new Set(whole.flatMap(({ notes }) => [...notes])),
      isOnLoop: whole.some(({ isOnLoop }) => isOnLoop) || awaits.some((each) => isLedTo(ground, each)),
    };
  }

  const twins = twinsOf(ground, planOf, closureOf);

  return {
    site(module, site) {
      const its = noRequirements();
      const twin = twinCallOf(module, site);
      its.isOnLoop = site.unit.where === 'loop';
      const handle = ground.databasesOf(module).find(({ calls }) => calls.has(site.call));
      if (handle) {
        its.databases.add(handle);
        if (handle.begun.has(site.call)) its.notes.add('begin-immediate');
        return { module, site, twin: undefined, its, handle };
      }
      requirePlace(ground, its, module, site.call);
      if (site.family === 'sqlite') block(its, 'sqlite', module, site.name);
      else if ('reason' in twin) block(its, twin.reason, module, site.name);
      else {
        const edits = twinCallEdits(module, twin);
        its.awaits.push({ module, node: site.call });
        if (edits) patch(its, module, edits);
        else block(its, 'optional-chain', module, site.name);
        if (twin.twin.form === 'output') its.notes.add('child-streams');
      }
      if (contextOf(module).isOff(site.call)) block(its, 'exit-handler', module, site.name);
      const name = site.api.slice(site.api.lastIndexOf('.') + 1);
      for (const place of ground.replacedInTests(module.view.filename, name))
        if (ground.despiteDoubles) its.notes.add('test-double');
        else blockAt(its, 'replaced-in-test', place);
      return { module, site, twin: 'reason' in twin ? undefined : twin, its };
    },
    closureOf(surveyed) {
      const closure = closureOf(surveyed);
      const chosen =
        ground.twins && closure.blockers.length > 0 ? twins.closureOf(surveyed, closure) : closure;
      if (chosen.blockers.length > 0) return chosen;
      const late = noRequirements();
      for (const place of seenAtOnce(ground, chosen.awaits, chosen.functions))
        blockAt(late, 'unawaited-caller', place);
      return { ...chosen, blockers: late.blockers };
    },
  };
}
