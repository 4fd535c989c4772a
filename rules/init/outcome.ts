import type { PackageManager } from 'owned-spawn/cli';

/** A project as init sees it. */
export interface Project {
  /** The folder of its package.json, which all names are relative to. */
  root: string;
  /** The text of a file without its byte order mark, as far as it has been changed already; undefined where there is none. */
  read: (name: string) => string | undefined;
  /** The names in a folder; none where there is no such folder. */
  list: (folder: string) => readonly string[];
  manager: PackageManager;
}

/** What came of a step: new texts of files; nothing to do; or what a person has to add where, and why we do not. */
export type Outcome =
  { files: Readonly<Record<string, string>> } | 'present' | { unsure: string; file: string; add: string };

/** Something that init can set up. */
export interface Step {
  /** What it does, as the question says it: `add the preset to eslint.config.js`. */
  title: string;
  run: (project: Project) => Outcome;
}
