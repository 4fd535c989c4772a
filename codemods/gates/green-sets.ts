/**
 * The sets with which the tests stay green, found by halves: a red half is parted until the sets to blame stand alone.
 * The sets that are kept have been tested together.
 *
 * @param sets in the order in which they are tried
 * @param isGreen tries some sets together
 */
export async function greenSets(
  sets: readonly string[],
  isGreen: (sets: readonly string[]) => Promise<boolean>,
): Promise<string[]> {
  const good: string[] = [];
  const add = async (some: readonly string[]): Promise<void> => {
    if (some.length === 0) return;
    if (await isGreen([...good, ...some])) {
      good.push(...some);
      return;
    }
    if (some.length === 1) return;
    const middle = Math.ceil(some.length / 2);
    await add(some.slice(0, middle));
    await add(some.slice(middle));
  };
  await add(sets);
  return good;
}
