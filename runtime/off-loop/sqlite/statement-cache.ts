import type { Flags } from './calls.ts';
import type { RawDatabase, RawStatement } from './raw-database.ts';

/**
 * Compiles each statement of a connection once for each way in which its rows may come, and keeps the newest 200. Holds
 * no reference to its module: hosts get its source.
 * @throws (the function that it returns) what the driver throws; TypeError for a shape that node:sqlite does not have
 */
export function statementCache(
  db: RawDatabase,
  isNode: boolean,
): (sql: string, flags?: Flags) => RawStatement {
  const MAX_STATEMENTS = 200;
  const statements = new Map<string, RawStatement>();

  function compile(sql: string, flags: Flags): RawStatement {
    const statement = db.prepare(sql);
    if (!isNode) {
      if (flags.safeIntegers !== undefined) statement.safeIntegers?.(flags.safeIntegers);
      for (const name of ['pluck', 'raw', 'expand'] as const) if (flags[name]) statement[name]?.(true);
      return statement;
    }
    if (flags.expand) throw new TypeError('node:sqlite has no expand()');
    if (flags.safeIntegers) statement.setReadBigInts?.(true);
    if (!flags.raw) return statement;
    if (!statement.setReturnArrays)
      throw new TypeError('this node:sqlite has no rows as arrays: Node 24 has');
    statement.setReturnArrays(true);
    return statement;
  }

  return (sql, flags = {}) => {
    let mode = '';
    for (const name in flags) {
      const on = flags[name as keyof Flags];
      // Integers as numbers may be asked for against the default of a setup; a shape is there or not.
      if (on || name === 'safeIntegers') mode += `${name} ${String(on)} `;
    }
    const key = mode + sql;
    const known = statements.get(key);
    if (known) return known;
    const statement = compile(sql, flags);
    statements.set(key, statement);
    if (statements.size > MAX_STATEMENTS) {
      const [oldest = ''] = statements.keys();
      statements.delete(oldest);
    }
    return statement;
  };
}
