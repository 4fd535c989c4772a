import { AsyncLocalStorage } from 'node:async_hooks';
import { offLoopError } from '../host/codec.ts';

/** The right to be alone on a connection, for one transaction. */
export interface Lease {
  readonly queue: LeaseQueue;
  /** The lease that this one is nested in, of this or another database. */
  readonly outer: Lease | undefined;
  /** Where it was asked for. */
  readonly site: { stack?: string };
  /** Resolves when it is our turn. */
  ready: Promise<void>;
  /** Calls of this lease wait for a transaction nested in it. */
  inner: Gate;
  waitsFor: LeaseQueue | undefined;
  isActive: boolean;
  /** Begun by a statement, so a statement ends it. */
  isByHand: boolean;
  isOver: boolean;
  /** Its connection is gone, and the transaction with it. */
  isLost: boolean;
  onEnd?: () => void;
  end(): void;
}

/** Those who passed before; undefined where nobody has to be waited for. */
interface Gate {
  tail: Promise<void> | undefined;
}

/** Who may use a connection that writes, in the order in which they asked. */
export interface LeaseQueue extends Gate {
  /** The real path: two handles on one file wait for each other in SQLite itself. */
  readonly file: string;
  active: Lease | undefined;
  waiting: number;
}

const storage = new AsyncLocalStorage<Lease | undefined>();

/** The nearest lease that is not over. */
const living = (lease: Lease | undefined): Lease | undefined => {
  let each = lease;
  while (each?.isOver) each = each.outer;
  return each;
};

const chain = (lease: Lease | undefined): Lease[] => {
  const found: Lease[] = [];
  for (let each = living(lease); each; each = living(each.outer)) found.push(each);
  return found;
};

/** The innermost lease on this queue that the running code is inside of. */
export function currentLease(queue: LeaseQueue): Lease | undefined {
  let each = living(storage.getStore());
  while (each && each.queue !== queue) each = living(each.outer);
  return each;
}

/** Runs code inside a lease. */
export const inside = <T>(lease: Lease, work: () => T): T => storage.run(lease, work);

/** Makes what runs from here on, in this async context, part of a lease. */
export const enter = (lease: Lease | undefined): void => {
  storage.enterWith(lease);
};

/**
 * Throws where waiting for a queue would never end: its holder waits, through others perhaps, for a lease that we hold; or
 * we hold the same file by another handle.
 * @throws ERR_OWNED_SPAWN_DEADLOCK
 */
export function checkDeadlock(queue: LeaseQueue): void {
  const held = chain(storage.getStore());
  if (held.length === 0) return;
  const same = held.find(
    (each) => each.queue !== queue && each.queue.file === queue.file && queue.file !== '',
  );
  if (same) {
    throw deadlock(
      `a transaction on ${queue.file} writes to it by a second handle, which would wait for the first one`,
    );
  }
  for (let each = queue.active, steps = 0; each && steps < 100; each = each.waitsFor?.active, steps++) {
    if (held.includes(each)) {
      throw deadlock(`this transaction waits for ${queue.file}, whose holder waits for this transaction`);
    }
  }
}

const deadlock = (message: string): Error => offLoopError('ERR_OWNED_SPAWN_DEADLOCK', `deadlock: ${message}`);

/** Waits for those before us; {@link checkDeadlock} sees that we do. */
export async function passed(gate: Gate, queue: LeaseQueue): Promise<void> {
  const held = chain(storage.getStore());
  for (const each of held) each.waitsFor = queue;
  try {
    await gate.tail;
  } finally {
    for (const each of held) each.waitsFor = undefined;
  }
}

/**
 * Asks for a lease: it is ours once `ready` resolves, until `end()`.
 * @param parent the lease of the same queue that it is nested in
 * @throws ERR_OWNED_SPAWN_DEADLOCK
 */
export function lease(queue: LeaseQueue, parent: Lease | undefined, site: { stack?: string }): Lease {
  if (!parent) checkDeadlock(queue);
  const gate = parent ? parent.inner : queue;
  let open = (): void => undefined;
  const mine = new Promise<void>((resolve) => (open = resolve));
  const before = gate.tail === undefined ? Promise.resolve() : passed(gate, queue);
  gate.tail = mine;
  const given: Lease = {
    queue,
    outer: storage.getStore(),
    site,
    ready: before,
    inner: { tail: undefined },
    waitsFor: undefined,
    isActive: false,
    isByHand: false,
    isOver: false,
    isLost: false,
    end: () => {
      if (given.isOver) return;
      given.isOver = true;
      given.onEnd?.();
      if (queue.active === given) queue.active = undefined;
      if (gate.tail === mine) gate.tail = undefined;
      open();
    },
  };
  given.ready = before.then(() => {
    if (!parent) queue.active = given;
  });
  return given;
}

/** Of a transaction whose connection has ended under it. */
export const lostError = ({ site }: Pick<Lease, 'site'>): Error =>
  offLoopError(
    'ERR_OWNED_SPAWN_HOST_LOST',
    `the transaction${siteText(site)} is gone with its connection: what it has not committed is undone, begin it again`,
  );

/** ` at file:line`, the first place in a stack. */
export const siteText = ({ stack }: { stack?: string }): string => {
  const line = stack?.split('\n')[1]?.trim().replace(/^at /, '');
  return line === undefined ? '' : ` at ${line}`;
};
