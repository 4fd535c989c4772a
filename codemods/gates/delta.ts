/** Something that a tool says of a place; `key` leaves the place out, which edits move. */
export interface Said {
  /** Absolute. */
  file: string;
  /** Counts from 1, in the edited text. */
  line: number;
  key: string;
  text: string;
  /** From 1: where something stands that gives a promise to what wants nothing back. */
  voidColumn?: number;
}

/** What is said after an edit more often than before it. */
export function delta(before: readonly Said[], after: readonly Said[]): Said[] {
  const counts = new Map<string, number>();
  const idOf = ({ file, key }: Said): string => `${file}\0${key}`;
  for (const each of before) counts.set(idOf(each), (counts.get(idOf(each)) ?? 0) + 1);
  return after.filter((each) => {
    const left = counts.get(idOf(each)) ?? 0;
    counts.set(idOf(each), left - 1);
    return left <= 0;
  });
}
