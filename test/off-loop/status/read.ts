// What the tests of status files share.
import { readFileSync } from 'node:fs';
import { use } from '../program.ts';

/** Longer than any wait of a test that passes, in milliseconds. */
export const LONG = 30_000;
/** The head of a test program. */
export const importing = use('off-loop/status.ts', 'statusFile, patchStatus');
export const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
