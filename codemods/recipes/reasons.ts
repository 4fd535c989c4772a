import type { NoteCode, ReasonCode } from 'eslint-plugin-owned-spawn/api';
import type { PlannedSite } from '../plan/plan.ts';
import { OFF_LOOP_REASONS, type OffLoopReason } from './off-loop/reasons.ts';

/** Why a site is not migrated. */
export type Reason =
  | ReasonCode
  | OffLoopReason
  /** Its child must outlive the owner, as far as the code tells. */
  | 'outlives'
  /** Code of a worker thread. */
  | 'worker'
  /** A test, which may well replace child_process by a double. */
  | 'test-code'
  /** The file cannot be parsed. */
  | 'syntax-error'
  /** The edited file would not parse. */
  | 'reparse'
  /** A person said no to it. */
  | 'declined'
  /** A gate found something new in the edited code. */
  | 'gate'
  /** The project's tests failed with it, and not without it. */
  | 'tests'
  /** A marker with its reason stands there. */
  | 'marker'
  /** A group of the user's settings gives the reason. */
  | 'allow'
  /** An eslint-disable comment stands there. */
  | 'eslint-disabled';

/** A reason in words: a line for the report, and what to do about it. */
export interface ReasonText {
  short: string;
  long: string;
}

export const REASONS: Readonly<Record<Reason, ReasonText>> = {
  ...OFF_LOOP_REASONS,
  outlives: {
    short: 'the child seems meant to outlive its owner',
    long: 'Say why in a marker (--insert-markers writes a skeleton), use spawnDetached with its reason (--outliving detach), or let it die with its owner (--outliving own).',
  },
  conditional: {
    short: 'whether it detaches is decided at run time',
    long: 'Decide at the place that knows: spawnOwned for the one case, spawnDetached with its reason for the other.',
  },
  launcher: {
    short: 'the command leaves its owner by itself',
    long: 'Start the program without the launcher through spawnOwned, or say in a marker why it must outlive its owner.',
  },
  'shell-text': {
    short: 'the command line leaves a child behind',
    long: 'Start the background command through spawnOwned, or say in a marker why it must outlive its owner.',
  },
  'sync-api': {
    short: 'a synchronous call has no owned form',
    long: 'The call waits for the child, so `detached` only takes it away from Ctrl-C: remove the option, or use spawnOwned.',
  },
  'other-library': {
    short: 'another library starts the child',
    long: 'Hand the child to ownProcessGroups() once it has started, or start it with spawnOwned.',
  },
  'indirect-callee': {
    short: "the call does not name child_process's own function",
    long: 'The function is handed in, bound, promisified or wrapped: change the place that it comes from.',
  },
  'options-elsewhere': {
    short: 'the option is made elsewhere',
    long: 'Remove `detached` where the options are made, then call spawnOwned here.',
  },
  'options-shared': {
    short: 'the options object serves other code too',
    long: 'Give this call options of its own without `detached`, then call spawnOwned.',
  },
  'no-detached-form': {
    short: 'fork has no detached form that takes a reason',
    long: 'Use spawnDetached(process.execPath, [module, …args], { why }) or say why in a marker.',
  },
  'no-why': {
    short: 'spawnDetached has no reason yet',
    long: 'Write in `why`, in at least three words, why the child must outlive its owner.',
  },
  overlap: {
    short: 'the edits of two sites touch the same text',
    long: 'Migrate one of them by hand, then run the command again.',
  },
  worker: {
    short: 'code of a worker thread',
    long: 'A child of a terminated worker stays a zombie of the process: start it on the main thread, or call spawnOwned by hand.',
  },
  'test-code': {
    short: 'a test, which may replace child_process by a double',
    long: 'Migrate it by hand if it starts real processes.',
  },
  'syntax-error': {
    short: 'the file cannot be parsed',
    long: 'Mend the syntax error and run the command again.',
  },
  reparse: {
    short: 'the edited file would not parse',
    long: 'This is a bug of the codemod: please report it. The file was left as it is.',
  },
  declined: {
    short: 'declined in --interactive, in the plan, or by --only and --skip',
    long: "Take the decision out of the plan's file, or run the command without it.",
  },
  gate: {
    short: 'the edited code raises something new',
    long: 'The type checker, typed lint or our own check found in the edited code what was not there before: migrate it by hand. A function that is both waited for and given to what wants no promise (no-misused-promises): part it.',
  },
  tests: {
    short: "the project's tests fail with it",
    long: 'The tests passed before, and without it: see what they expect, then migrate it by hand.',
  },
  marker: { short: 'a marker says why', long: 'Nothing to do.' },
  allow: { short: "a group of settings['owned-spawn'].allow says why", long: 'Nothing to do.' },
  'eslint-disabled': {
    short: 'an eslint-disable comment stands here',
    long: 'Replace it by a marker with a reason.',
  },
};

const NOTES: Readonly<Record<NoteCode, string>> = {
  'assumed-array': 'the list is taken for an array: a Map would give pairs',
  'child-streams': "the child's errors are not shown any more, and its input stays open",
  concurrent: 'the calls run at the same time now',
  'eager-throw': 'an error before the first wait is a rejection now',
  interleaving: 'other code can run between what was one step',
  'test-double': 'a test replaces the call by a double, which nothing calls any more: adapt it',
  twin: 'the function stays, and an async twin stands beside it: what does not wait, or cannot, still calls the blocking one',
  unawaited:
    'nothing can wait where the database is opened: all later calls of it come after, and an error is an unhandled rejection now',
  'void-callback': 'nobody waits for the callback: its error is an unhandled rejection now',
  wrapped: 'what reads and what writes is one transaction now: an error in it takes all of it back',
  'begin-immediate':
    'the transaction begins IMMEDIATE now, and DEFERRED before: it takes the lock for writing at once',
  'comment-kept': 'a comment on the removed option was kept: see whether it still fits',
  'unused-left': 'a variable that only the removed option used is unused now',
  'import-for-effects':
    'an import that only the removed option used names nothing now: remove it if loading the module does nothing',
  'group-kill-kept':
    'process.kill(-pid) of this child was kept: it still reaches the group, killOwned() would wait and make sure',
};

/** A note of a site in words, with the places that it speaks of. */
export function noteText(note: NoteCode, { kept = [] }: Pick<PlannedSite, 'kept'>): string {
  if (note !== 'group-kill-kept' || kept.length === 0) return NOTES[note];
  return `${NOTES[note]} (${kept.map(({ line, column }) => `${line}:${column}`).join(', ')})`;
}
