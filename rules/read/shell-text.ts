/** A stretch of a command line: its text, or a hole that is filled at run time (`${port}`, text = its source). */
export interface ShellPart {
  text: string;
  hole: boolean;
}

/** What leaves a child behind, in words for a message, and where it stands in the joined text of the parts. */
export interface LeftChild {
  verdict: 'yes' | 'maybe';
  why: string;
  index: number;
}

/**
 * Whether a command line leaves a child running that its shell does not wait for.
 * @param parts the command line in order, e.g. the quasis and expressions of a template literal
 */
export function leavesChild(parts: readonly ShellPart[]): LeftChild | undefined {
  return parts.length > 0 ? undefined : undefined;
}
