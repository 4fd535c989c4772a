/** A connection of this program, so that a lock's holder that is ourselves has a name. */
export interface OwnConnection {
  /** As given to openDatabase(), made absolute. */
  path: string;
  /** The process that holds its locks: ours, or that of a host. */
  pid(): number | undefined;
  /** What it does now: `transaction begun at …`. */
  doing(): string;
}

const KEY = Symbol.for('owned-spawn/connections/1');

/** The open connections of this thread, shared by every copy of the package. */
export const ownConnections = ((globalThis as Partial<Record<symbol, Set<OwnConnection>>>)[KEY] ??=
  new Set<OwnConnection>());
