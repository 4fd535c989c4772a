import { loopTable } from '../apis/loop-table.ts';
import { processTable } from '../apis/tables.ts';
import { isScript } from './files.ts';
import { looksBroken } from './syntax.ts';

/** Markers, well spelt or nearly, directives about our rules, and signals sent by pid. */
const OURS =
  /spawn\s*:|blocking-call|owned-spawn|\bprocess\s*[?.!['"]{1,3}\s*kill\b|\b(?:from|require\(|import\()\s*["'](?:node:)?process["']/;

/** Handlers of `exit`, and drivers that only look asynchronous. */
const STRICT = /["'`]exit["'`]\s*,|exit-hook|signal-exit|SqliteDialect|@libsql\//;

/** What asks the disk again and again; processes and databases are named by the tables. */
const pollsDisk = (text: string): boolean =>
  /\b(?:setInterval|setTimeout|sleep|delay|wait|pause)\b/.test(text) &&
  /["'](?:node:)?fs(?:\/promises|-extra)?["']/.test(text);

/**
 * Whether a file is worth parsing in full: its text names an API, a marker or a rule of ours, or it has a syntax error.
 *
 * @param parses whether it is known to have none
 */
export const concerns = (path: string, text: string, settings: unknown, parses = false): boolean =>
  processTable(settings).mention.test(text) ||
  loopTable(settings as object | undefined).mention.test(text) ||
  OURS.test(text) ||
  STRICT.test(text) ||
  pollsDisk(text) ||
  (!parses && isScript(path) && looksBroken(text, path));
