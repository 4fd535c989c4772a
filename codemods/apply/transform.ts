import { createRequire } from 'node:module';
import type { API, FileInfo } from 'jscodeshift';
import { applyEdits } from 'eslint-plugin-owned-spawn/api';
import { sha256 } from '../plan/plan-text.ts';
import type { FilePlan } from '../plan/plan.ts';

type GetParser = (name: string) => { parse: (text: string) => unknown };
const getParser = createRequire(import.meta.url)('jscodeshift/src/getParser.js') as GetParser;

/** Thrown where a file is not what its plan was made for, or what the plan makes of it is no program. */
class PlanMismatch extends Error {
  override readonly name = 'PlanMismatch';
}

/**
 * A jscodeshift transform that splices a plan's edits into one file.
 *
 * The file's hash and the old text of each edit must be those of the plan, and the result must parse; printing is never
 * used, so that nothing but the edits can change.
 *
 * @throws {PlanMismatch} naming what is wrong
 */
export function transform(
  file: FileInfo,
  { jscodeshift: j }: Pick<API, 'jscodeshift'>,
  plan: FilePlan,
): string | undefined {
  if (plan.edits.length === 0) return undefined;
  if (sha256(file.source) !== plan.sha256)
    throw new PlanMismatch('the file has changed since it was planned');
  const [mark, code] = file.source.startsWith('\uFEFF')
    ? ['\uFEFF', file.source.slice(1)]
    : ['', file.source];
  for (const { start, end, old } of plan.edits) {
    if (code.slice(start, end) !== old)
      throw new PlanMismatch(`the text at offset ${start} is not the plan's`);
  }
  const result = applyEdits(code, plan.edits);
  const isProgram = (text: string): boolean => {
    try {
      // Offsets and parsing of j(source) are those of recast, which rewrites tabs and line ends first.
      j(getParser(/\.[cm]?ts$/.test(file.path) ? 'ts' : 'tsx').parse(text) as Parameters<typeof j>[0]);
      return true;
    } catch {
      return false;
    }
  };
  // Sloppy scripts and Flow are beyond this parser: the plan was parsed by another one already.
  if (!isProgram(result) && isProgram(code)) throw new PlanMismatch('the edited file would not parse');
  return mark + result;
}
