/**
 * The environment mark: which owner started a process, and why it may outlive it. A child inherits its parent's marks and
 * gets one more, so that the chain of owners reads from left to right. `ps eww` and /proc/PID/environ show it.
 */
export const MARK_VARIABLE = 'OWNED_SPAWN_MARK';

export interface Mark {
  ownerPid: number;
  /** 12 hex digits, random per owner process: a pid alone is reused. */
  nonce: string;
  /** Counts the spawns of one owner. */
  seq: number;
  /** Why the process may outlive its owner; absent for an owned one. */
  why?: string;
}

/** The fixed text with which every mark of one owner begins. */
export const markPrefix = (ownerPid: number, nonce: string): string => `${ownerPid}.${nonce}.`;

/** The fixed text by which one spawn is found among all environments: no other entry contains it. */
export const markNeedle = ({ ownerPid, nonce, seq }: Omit<Mark, 'why'>): string =>
  `${markPrefix(ownerPid, nonce)}${seq}:`;

/** One entry of the variable: `PID.NONCE.SEQ:WHY;`, the reason percent-encoded. */
export const formatMark = (mark: Mark): string => `${markNeedle(mark)}${encodeURIComponent(mark.why ?? '')};`;

/** The marks in the variable's text, the outermost owner first; what is no entry is passed over. */
export function parseMarks(text: string | undefined): Mark[] {
  return [...(text ?? '').matchAll(/(\d+)\.([0-9a-f]{12})\.(\d+):([^;]*);/g)].map(
    ([, pid, nonce, seq, why]) => ({
      ownerPid: Number(pid),
      nonce: String(nonce),
      seq: Number(seq),
      ...(why && { why: decode(why) }),
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
