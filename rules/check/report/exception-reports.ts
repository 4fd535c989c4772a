import type { Terminal } from 'owned-spawn/cli';
import type { ListedException } from '../exceptions.ts';
import { exceptionTable } from './exception-table.ts';
import { exceptionSarif } from './exception-sarif.ts';

/** Writes a list of exceptions down; `paint` has the colours. */
export type ExceptionReport = (exceptions: readonly ListedException[], paint: Terminal) => string;

/** The formats of `markers --format`. */
export const exceptionReports = {
  table: exceptionTable,
  json: (exceptions) => `${JSON.stringify({ version: 1, exceptions }, null, 2)}\n`,
  sarif: exceptionSarif,
} satisfies Record<string, ExceptionReport>;
