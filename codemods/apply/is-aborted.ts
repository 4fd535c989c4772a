/** Whether a signal has been aborted by now: the compiler takes what it once saw for what is. */
export const isAborted = (signal: AbortSignal): boolean => signal.aborted;
