import type { OwnedGroup } from './registry.ts';

/** A child is about to be started; `seq` is in its environment mark. Must be in the kernel before fork(2). */
export const intentLine = (seq: number): string => `? ${seq}\n`;

/** The child of that intent is registered, or was never started. */
export const settledLine = (seq: number): string => `! ${seq}\n`;

const LETTERS = { group: '', process: ' p', session: ' s' } as const;

/**
 * What is to end with the owner: its leader's start time (0: unknown) tells it from a stranger with its number; the grace
 * is in tenths of a second; a letter says that the process alone is meant, or its whole session.
 */
export const groupLine = ({ pgid, start, graceMs, extent }: OwnedGroup): string =>
  `+ ${pgid} ${start || 0} ${Math.ceil(graceMs / 100)}${LETTERS[extent]}\n`;

/** All that a new supervisor must know of a group: one whose escapees are to be ended stays announced, and so is hunted by its mark. */
export const replayLines = (group: OwnedGroup): string =>
  (isHunted(group) ? intentLine(group.seq) : '') + groupLine(group);

/** Whether what left the group is to end with the owner too. */
export const isHunted = ({ escapees, seq }: OwnedGroup): boolean => escapees === 'kill' && seq > 0;

/** A group that is no longer owned. */
export const releasedLine = (pgid: number): string => `- ${pgid}\n`;
