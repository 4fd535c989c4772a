/**
 * A parameter as it travels: what it is now. The call may wait for its turn, and the caller may use the buffer or the object
 * again meanwhile; and a view of a larger buffer (every small Buffer is one of a pool) would take all of it along.
 * @throws TypeError for what no driver binds and no message carries
 */
export function travelling(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`a ${typeof value} cannot be bound to a parameter of SQL`);
  if (ArrayBuffer.isView(value)) return copyOf(value);
  if (Array.isArray(value))
    return value.map((each: unknown) => (ArrayBuffer.isView(each) ? copyOf(each) : each));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, ArrayBuffer.isView(each) ? copyOf(each) : each]),
  );
}

const copyOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength).slice();

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** better-sqlite3 gives Buffers; structured clone makes bytes of them. Changes the row in place. */
export function withBuffers(row: unknown): unknown {
  if (row instanceof Uint8Array) return Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  if (typeof row !== 'object' || row === null) return row;
  const fields = row as Record<string, unknown>;
  // Not entries(): this is done for each row that is got.
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'object' && value !== null) fields[name] = withBuffers(value);
  }
  return row;
}
