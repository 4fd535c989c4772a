import { LONGEST_MS } from '../longest-ms.ts';
import { offLoopError } from './codec.ts';

/** Who is let in, and who is still inside. */
export interface Admission {
  readonly pending: number;
  readonly isClosed: boolean;
  /** Why a call is refused now. One that is part of another is refused only where all are. */
  refusal: (isInner?: boolean) => Error | undefined;
  enter: () => void;
  leave: () => void;
  /** Does work inside; rejects where it is refused. */
  admit: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Lets nobody in any more, and waits for those inside.
   * @param withinMs how long at most, in milliseconds
   * @returns whether all have left
   */
  close: (withinMs: number) => Promise<boolean>;
}

/** @param what for messages: `the database /a/b.db` */
export function createAdmission(what: string, maxPending: number): Admission {
  let pending = 0;
  let isClosed = false;
  let onIdle: (() => void) | undefined;
  const admission: Admission = {
    get pending() {
      return pending;
    },
    get isClosed() {
      return isClosed;
    },
    refusal: (isInner = false) => {
      if (isClosed) return offLoopError('ERR_OWNED_SPAWN_CLOSED', `${what} is closed`);
      if (isInner || pending < maxPending) return undefined;
      return offLoopError(
        'ERR_OWNED_SPAWN_OVERLOAD',
        `${pending} calls wait for ${what} already (maxPending): wait for them, or let fewer in`,
      );
    },
    enter: () => {
      pending++;
    },
    leave: () => {
      if (--pending === 0) onIdle?.();
    },
    admit: (work) => {
      const refused = admission.refusal();
      if (refused) return Promise.reject(refused);
      admission.enter();
      const result = work();
      void result.then(admission.leave, admission.leave);
      return result;
    },
    close: async (withinMs) => {
      isClosed = true;
      if (pending > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(withinMs, LONGEST_MS));
          onIdle = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return pending === 0;
    },
  };
  return admission;
}
