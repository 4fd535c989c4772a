import { UserError } from 'owned-spawn/cli';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import type { FilePlan } from '../plan/plan.ts';
import type { Planned } from '../plan/project.ts';
import type { Change } from './journal.ts';

type Apply = (path: string, text: string, plan: FilePlan) => string;

/** The new texts of all files with edits; with `isChecked` they go through the transform, which checks hashes and parses. */
export async function changesOf({ plan, texts }: Planned, isChecked: boolean): Promise<Change[]> {
  const unchecked: Apply = (_path, text, { edits }) => spliced(text, edits);
  const apply = isChecked ? await checkedTransform() : unchecked;
  return [...texts].map(([shown, { path, text }]) => {
    const filePlan = plan.files[shown] ?? { sha256: '', edits: [], sites: [] };
    const edit = path.endsWith('.json') ? unchecked : apply;
    try {
      return { path, before: text, after: edit(path, text, filePlan) };
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'PlanMismatch') throw error;
      throw new UserError(
        `${shown}: ${error.message}`,
        'Nothing was changed. This is a bug of the codemod: please report it.',
      );
    }
  });
}

/** A text with a file's edits made; a byte order mark stays. */
export function spliced(text: string, edits: FilePlan['edits']): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + applyEdits(text.slice(mark.length), edits);
}

/** Loaded on demand: a dry run needs no second parser. */
async function checkedTransform(): Promise<Apply> {
  const [{ default: jscodeshift }, { transform }] = await Promise.all([
    import('jscodeshift'),
    import('./transform.ts'),
  ]);
  return (path, source, plan) => transform({ path, source }, { jscodeshift }, plan) ?? source;
}
