/** The longest that a timer can wait, 24.8 days: one that is asked for more fires at once. */
export const LONGEST_MS = 2 ** 31 - 1;
