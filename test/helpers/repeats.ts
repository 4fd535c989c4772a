/** How often a test that goes by chance repeats itself: `times`, or a tenth of that in CI (scripts/test.mjs --steady). */
export const repeats = (times: number): number =>
  process.env.OWNED_SPAWN_FEW_REPEATS ? Math.ceil(times / 10) : times;
