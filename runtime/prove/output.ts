import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../cli/exit.ts';

/** What a program and its descendants print: a file, so that a survivor can go on writing when nobody reads any more. */
export interface Output {
  /** For the child's stdio. */
  fd: number;
  /** What was printed since the last call. */
  read(): string;
  /** Everything read so far, the last million characters of it. */
  text(): string;
  close(): void;
}

const KEPT = 1_000_000;

/**
 * Makes the file and takes its name away at once: who has it open can go on, and nothing is left after a `kill -9`.
 * @throws UserError where there is no place for it.
 */
export function collectOutput(): Output {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'owned-spawn-prove-'));
  } catch (error) {
    throw new UserError(
      `cannot make a file for what the program prints: ${(error as Error).message}`,
      'TMPDIR names the folder for it.',
    );
  }
  const fd = openSync(join(folder, 'output.txt'), 'a+', 0o600);
  rmSync(folder, { recursive: true });
  const decoder = new TextDecoder();
  let position = 0;
  let text = '';
  return {
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
    close: () => {
      closeSync(fd);
    },
  };
}
