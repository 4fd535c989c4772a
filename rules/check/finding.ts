import type { Edit } from '../edits/edit.ts';

/** A place on a path of calls. */
export interface Step {
  name: string;
  file: string;
  line: number;
  column: number;
}

export interface Suggestion {
  messageId: string | null;
  desc: string;
  /** Offsets count UTF-16 units of the text without a byte order mark. */
  edits: Edit[];
}

/** What `check` reports, one element of its JSON; lines and columns count from 1. */
export interface Finding {
  /** `owned-spawn/<rule>`; null where no rule could judge the file. */
  ruleId: string | null;
  /** For a null rule: `unparsable`, `unreadable` or `crashed`. */
  messageId: string | null;
  message: string;
  severity: 1 | 2;
  /** Relative to the base of the run, with `/`. */
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /** The scope, `Class.method`; empty at the top level. */
  symbol: string;
  /** The API, `child_process.spawn`; null where the finding is not about a call. */
  callee: string | null;
  /** Where what decides stands, if not at the call: the option's place; the calls on the way to the one that blocks. */
  path?: Step[];
  suggestions: Suggestion[];
}

/** A finding that an `eslint-disable` with a reason waives. */
export interface Exception {
  finding: Finding;
  reason: string;
}

/** Orders numbers and texts, the latter by their code units. */
export const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of reports: file, line, column, rule. */
export const byPlace = (a: Finding, b: Finding): number =>
  compare(a.file, b.file) ||
  a.line - b.line ||
  a.column - b.column ||
  compare(a.ruleId ?? '', b.ruleId ?? '') ||
  compare(a.message, b.message);
