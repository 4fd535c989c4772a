import type { ProcessTable } from '../apis/tables.ts';
import type { Meaning } from './meaning.ts';

/** What the resolver asks of a table. */
export interface ApiTable extends Pick<ProcessTable, 'knows' | 'row'> {
  /** What a call or a type stands for, as the start of a path. */
  makes?(module: string, path: string): string | undefined;
  /** Whether what a call gives calls the function that it is given first. */
  wraps?(module: string, path: string): boolean;
  /** What something of another file stands for, or leads to; `()` in its path is what a call gives. */
  linked?: Links | undefined;
}

/** Follows what a module imports into the files of its program; undefined for what leads to no API there. */
export type Links = (module: string, path: string) => Meaning | undefined;
