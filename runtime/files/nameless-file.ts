import { openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file without a name, as memory that two processes share and that outlives either; undefined where none is to be had. */
export function namelessFile(): number | undefined {
  const path = join(tmpdir(), `owned-spawn-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } catch {
    return undefined;
  }
}
