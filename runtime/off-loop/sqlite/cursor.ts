/** An open iteration. */
export interface Cursor {
  next(): IteratorResult<unknown>;
  return(): IteratorResult<unknown>;
  /** Reads the rest into memory: what comes next must not change what this one sees. */
  drain(): void;
}

/**
 * Rows that are read as they are asked for. Holds no reference to its module: hosts get its source.
 * @param cursors those that are open on the connection; this one is among them until its end
 * @param shape what is made of a row
 * @param ended called once, at its end
 */
export function createCursor(
  cursors: Set<Cursor>,
  rows: Iterator<unknown>,
  shape: (row: unknown) => unknown,
  ended: () => void,
): Cursor {
  let kept: unknown[] | undefined;
  let failure: { error: unknown } | undefined;
  let index = 0;
  const over = { done: true, value: undefined } as const;
  const cursor: Cursor = {
    next: () => {
      if (kept) {
        if (index < kept.length) return { done: false, value: kept[index++] };
        if (failure) throw failure.error;
        return over;
      }
      try {
        const turn = rows.next();
        if (!turn.done) return { done: false, value: shape(turn.value) };
      } catch (error) {
        cursors.delete(cursor);
        ended();
        throw error;
      }
      cursors.delete(cursor);
      ended();
      return over;
    },
    return: () => {
      if (cursors.delete(cursor)) {
        rows.return?.();
        ended();
      }
      kept = [];
      return over;
    },
    drain: () => {
      const rest: unknown[] = [];
      try {
        for (let turn = cursor.next(); !turn.done; turn = cursor.next()) rest.push(turn.value);
      } catch (error) {
        failure = { error };
      }
      kept = rest;
    },
  };
  cursors.add(cursor);
  return cursor;
}
