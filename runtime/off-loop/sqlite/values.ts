/**
 * A parameter as it travels. A view of a larger buffer (every small Buffer is one of a pool) would take all of it along.
 */
export function travelling(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return isPart(value) ? new Uint8Array(bytesOf(value)) : value;
  if (
    typeof value !== 'object' ||
    value === null ||
    !Object.values(value).some((each) => ArrayBuffer.isView(each))
  ) {
    return value;
  }
  const copy = (each: unknown): unknown => (ArrayBuffer.isView(each) ? travelling(each) : each);
  if (Array.isArray(value)) return value.map(copy);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)]));
}

const isPart = (view: ArrayBufferView): boolean => view.byteLength !== view.buffer.byteLength;

const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

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
