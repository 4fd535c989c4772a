import type { TSESTree } from '@typescript-eslint/utils';

/** What is known of a yes-or-no value: `maybe` carries why it is not sure, `unknown` is nobody's claim. */
export type Verdict = { is: 'yes' | 'no' | 'unknown' } | { is: 'maybe'; why: string };

/** By what a child leaves its owner. */
export type SpawnForm =
  /** The option that detaches: `{ detached: true }`. */
  | 'option'
  /** A program that leaves by itself, in argv: `spawn('setsid', …)`. */
  | 'launcher'
  /** A command line that leaves a child behind: `exec('server &')`. */
  | 'shell'
  /** An option that the API ignores: `exec(cmd, { detached: true })`. */
  | 'ineffective';

/** How the deciding option reaches the call; the codemod edits the local ones only. */
export type Origin = 'inline' | 'variable' | 'spread' | 'assignment' | 'parameter' | 'factory' | 'other';

/**
 * How the callee is known: `api` names a row of the tables, `wrapper` is a function of the same file that hands
 * its argument to one, `shape` is nobody that we know, given a command, its arguments and spawn's options.
 */
export type KnownBy = 'api' | 'wrapper' | 'shape';

/** A call that starts a process, and whether that process is made to outlive its owner. */
export interface SpawnSite {
  /** The call; or an options object that is handed out of the module, for a call elsewhere. */
  call:
    | TSESTree.CallExpression
    | TSESTree.NewExpression
    | TSESTree.TaggedTemplateExpression
    | TSESTree.ObjectExpression;
  /** The callee's name, where reports stand; of an options object the option. */
  name: TSESTree.Node;
  /** The API as its table row calls it: `child_process.spawn`, `execa`; the callee's own name where `by` is `shape`. */
  api: string;
  by: KnownBy;
  form: SpawnForm;
  verdict: Verdict;
  /** The code that decides: the option's property, the assignment, the text of the command line. */
  cause: TSESTree.Node | undefined;
  origin: Origin | undefined;
  /** The options argument of the call. */
  options: TSESTree.Expression | undefined;
  /** What leaves, for a launcher or a command line, as a clause for a message: `` `nohup` keeps … ``. */
  leaver: string | undefined;
}
