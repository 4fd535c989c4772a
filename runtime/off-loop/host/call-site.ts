/** Where a call came from, as a stack to be read later. */
export interface CallSite {
  stack?: string;
}

/** Frames of a caller that an error shows: a stack costs a twentieth of what a call costs, and each frame more. */
const FRAMES = 6;

/**
 * The stack above a function, for the error that its call may come to: what fails elsewhere has no other trace of who asked.
 * @param method the function that the caller called; it and what it calls are left out
 */
export function callSite(method: ((...args: never[]) => unknown) | undefined): CallSite {
  const limit = Error.stackTraceLimit;
  const site = {};
  Error.stackTraceLimit = Math.min(limit, FRAMES);
  Error.captureStackTrace(site, method);
  Error.stackTraceLimit = limit;
  return site;
}
