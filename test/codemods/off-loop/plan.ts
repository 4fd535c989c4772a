import assert from 'node:assert/strict';
import { applyEdits, type Edit } from 'eslint-plugin-owned-spawn/api';
import { planOffLoop } from '../../../codemods/recipes/off-loop/off-loop.ts';
import type { ProjectOptions } from '../../../codemods/plan/project.ts';
import type { PlannedSite } from '../../../codemods/plan/plan.ts';
import { Project } from '../project.ts';

/** The package.json of an application in ESM: nobody else calls what it exports. */
export const PACKAGE = JSON.stringify({ name: 'app', private: true, type: 'module' });

export interface Moved {
  /** The texts of all files after the migration. */
  texts: Record<string, string>;
  sites: (PlannedSite & { file: string })[];
  /** `file:line status reason notes`, a line a site. */
  said: string[];
}

type Options = Partial<ProjectOptions>;

/**
 * Migrates a project of some files in memory: with the edits taken back each file is what it was, and a second run has
 * nothing to do.
 */
export async function moved(files: Readonly<Record<string, string>>, options: Options = {}): Promise<Moved> {
  using project = new Project(files);
  const first = await plan(project, files, options);
  for (const [name, text] of Object.entries(first.texts)) project.write(name, text);
  const second = await plan(project, first.texts, options);
  assert.deepEqual(second.texts, first.texts, 'a second run changes nothing');
  return first;
}

async function plan(
  project: Project,
  files: Readonly<Record<string, string>>,
  options: Options,
): Promise<Moved> {
  const { plan: made, failures } = await planOffLoop({
    paths: [],
    cwd: project.folder,
    signal: new AbortController().signal,
    progress: () => undefined,
    outliving: 'leave',
    markers: false,
    todos: false,
    ...options,
  });
  assert.deepEqual(failures, []);
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(files)) {
    const edits = made.files[name]?.edits ?? [];
    texts[name] = applyEdits(text, edits);
    assert.equal(applyEdits(texts[name], reverted(edits)), text, 'nothing changes outside of the edits');
  }
  const sites = Object.entries(made.files).flatMap(([file, { sites: its }]) =>
    its.map((site) => ({ ...site, file })),
  );
  return {
    texts,
    sites,
    said: sites.map(({ file, line, status, reason, notes }) =>
      [`${file}:${String(line)}`, status, reason, ...(notes ?? [])].filter(Boolean).join(' '),
    ),
  };
}

function reverted(edits: readonly (Edit & { old: string })[]): Edit[] {
  let shift = 0;
  return edits.map(({ start, end, text, old }) => {
    const at = start + shift;
    shift += text.length - (end - start);
    return { start: at, end: at + text.length, text: old };
  });
}
