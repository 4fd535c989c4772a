import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a program and its descendants print: a file, so that a survivor can go on writing when nobody reads any more. */
export interface Output {
  path: string;
  /** For the child's stdio. */
  fd: number;
  /** What was printed since the last call. */
  read(): string;
  /** Everything read so far, the last million characters of it. */
  text(): string;
  close(options: { keep: boolean }): void;
}

const KEPT = 1_000_000;

/** Makes the file, in a temporary folder of its own. */
export function collectOutput(): Output {
  const path = join(mkdtempSync(join(tmpdir(), 'owned-spawn-prove-')), 'output.txt');
  const fd = openSync(path, 'a+', 0o600);
  const decoder = new TextDecoder();
  let position = 0;
  let text = '';
  return {
    path,
    fd,
    read() {
      const buffer = Buffer.alloc(Math.min(fstatSync(fd).size - position, 2 * KEPT));
      const length = readSync(fd, buffer, 0, buffer.length, position);
      position += length;
      const fresh = decoder.decode(buffer.subarray(0, length), { stream: true });
      text = (text + fresh).slice(-KEPT);
      return fresh;
    },
    text: () => text,
    close({ keep }) {
      closeSync(fd);
      if (!keep) rmSync(dirname(path), { recursive: true, force: true });
    },
  };
}
