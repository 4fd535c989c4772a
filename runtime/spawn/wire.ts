import type { OwnedGroup } from './registry.ts';

/** A child is about to be started; `seq` is in its environment mark. Must be in the kernel before fork(2). */
export const intentLine = (seq: number): string => `? ${seq}\n`;

/** The child of that intent is registered, or was never started. */
export const settledLine = (seq: number): string => `! ${seq}\n`;

/** A group to end with the owner: its leader's start time (0: unknown) tells it from a stranger with its number; the grace is in tenths of a second. */
export const groupLine = ({ pgid, start, graceMs }: OwnedGroup): string =>
  `+ ${pgid} ${start || 0} ${Math.ceil(graceMs / 100)}\n`;

/** A group that is no longer owned. */
export const releasedLine = (pgid: number): string => `- ${pgid}\n`;
