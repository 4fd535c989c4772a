/** The exit codes of every command: done, the answer is no, could not, interrupted. */
export const EXIT = { ok: 0, no: 1, failed: 2, interrupted: 130 } as const;

/** A mistake or a circumstance that the user can mend: shown without a stack trace, exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** What to do next, a line of its own. */
  readonly next: string | undefined;

  constructor(message: string, next?: string) {
    super(message);
    this.next = next;
  }
}
