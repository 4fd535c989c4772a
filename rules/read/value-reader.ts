import type { TSESTree } from '@typescript-eslint/utils';
import type { Callees } from './callee.ts';
import type { Definitions, Env } from './definitions.ts';
import type { ModuleIndex } from './module-index.ts';
import type { Value } from './value.ts';

/** Reads values in one module. Calls, conditions, members and variables have a file each, and ask each other through it. */
export interface ValueReader {
  index: ModuleIndex;
  callees: Callees;
  definitions: Definitions;
  read: (node: TSESTree.Node, path: readonly string[], env: Env | undefined) => Value;
  /** What an option's own property or assignment says. */
  said: (place: TSESTree.Node, value: TSESTree.Node, env: Env | undefined) => Value;
  source: (node: TSESTree.Node) => string;
  /** Reads something once at a time: what depends on itself is unknown. */
  guarded: (subject: unknown, path: readonly string[], body: () => Value) => Value;
}
