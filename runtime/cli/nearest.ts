/** Edit distance of two words, with a swap of neighbours as one step (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(i - 2, j - 2) + 1);
      (rows[i] ?? [])[j] = best;
    }
  }
  return at(a.length, b.length);
}

/** The candidate that a mistyped word most likely meant, or undefined where none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, steps: distance(word, candidate) }))
    .filter(
      ({ candidate, steps }) => steps <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)),
    )
    .sort((a, b) => a.steps - b.steps);
  return best?.candidate;
}
