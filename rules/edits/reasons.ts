import type { Edit } from './edit.ts';

/** Why a site cannot be rewritten by itself, as reports name it. */
export type ReasonCode =
  /** Whether it detaches is decided at run time. */
  | 'conditional'
  /** `setsid`, `nohup` and the like in argv. */
  | 'launcher'
  /** `&` or `disown` in a command line. */
  | 'shell-text'
  /** `spawnSync` and its kin have no owned form. */
  | 'sync-api'
  /** Another library's or runtime's function starts the child. */
  | 'other-library'
  /** The function is handed in, bound, promisified or called through a wrapper. */
  | 'indirect-callee'
  /** The options object is made elsewhere. */
  | 'options-elsewhere'
  /** The options object serves other code too. */
  | 'options-shared'
  /** `spawnDetached` without its reason. */
  | 'no-why'
  /** `fork` cannot say why its child outlives. */
  | 'no-detached-form'
  /** The edits of this site would touch those of another one. */
  | 'overlap';

/** What a person should look at although the site was rewritten. */
export type NoteCode =
  /** What a loop goes over is taken for an array. */
  | 'assumed-array'
  /** A child's streams are connected differently. */
  | 'child-streams'
  /** Calls that ran one after another run at the same time. */
  | 'concurrent'
  /** A function that gave a promise threw at once, and rejects now. */
  | 'eager-throw'
  /** Other code can run between two steps. */
  | 'interleaving'
  /** A test replaces the blocking call by a double. */
  | 'test-double'
  /** A function stayed, and has an asynchronous twin beside it. */
  | 'twin'
  /** A call is sent and not waited for. */
  | 'unawaited'
  /** Nobody waits for a callback. */
  | 'void-callback'
  /** Statements became one transaction. */
  | 'wrapped'
  /** A transaction begins otherwise. */
  | 'begin-immediate'
  /** A comment on the removed option was kept. */
  | 'comment-kept'
  /** Only the removed code used a variable, which is unused now. */
  | 'unused-left'
  /** A module was imported for names that nothing uses now; it still is, for what it does when it is loaded. */
  | 'import-for-effects'
  /** A group kill of the child was left as it is. */
  | 'group-kill-kept';

/** The edits of one site, or why there are none. */
export type EditResult =
  | {
      edits: Edit[];
      notes: NoteCode[];
      /** The group kills of the child that stay; lines and columns count from 1. */
      kept?: { line: number; column: number }[];
    }
  | { reason: ReasonCode };
