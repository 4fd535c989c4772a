/** Where a call came from, as a stack to be read later. */
export interface CallSite {
  stack?: string;
}

/** Frames of a caller that an error shows: each costs a tenth of what a call costs. */
const FRAMES = 6;

/**
 * The stack above a function, for the error that its call may come to: what fails elsewhere has no other trace of who asked.
 * @param method the function that the caller called; it and what it calls are left out
 */
export function callSite(method: Method | undefined): CallSite {
  const site = {};
  fill(site, method);
  return site;
}

/** The same for one call, filled in when it is on its way: the host works meanwhile. */
export function withCallSite<T>(method: Method, call: (site: CallSite) => T): T {
  const site = {};
  const answer = call(site);
  fill(site, method);
  return answer;
}

type Method = (...args: never[]) => unknown;

function fill(site: CallSite, method: Method | undefined): void {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Math.min(limit, FRAMES);
  Error.captureStackTrace(site, method);
  Error.stackTraceLimit = limit;
}
