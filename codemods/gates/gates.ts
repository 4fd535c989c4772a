import { isAbsolute, join } from 'node:path';
import { compiler, isScript } from 'eslint-plugin-owned-spawn/api';
import type { Change } from '../apply/journal.ts';
import type { Planned } from '../plan/project.ts';
import { compileUnits, type CompileUnit } from './compile-units.ts';
import { delta, type Said } from './delta.ts';
import { affectedBy, overlayProgram, type OverlayProgram } from './overlay-program.ts';
import { typeCheck } from './type-check.ts';
import { typedLint } from './typed-lint.ts';

/** Something new in the edited code, and the sets to blame for it; none where no set is seen to be. */
export interface Trouble extends Said {
  sets: readonly string[];
}

/**
 * What type checker and typed lint say of the edited code and did not say before; nothing is written. Looked at are the
 * edited files and all that import them, since nothing else can get other types.
 *
 * @param sources all source files of the migration
 */
export function troubles(
  planned: Planned,
  changes: readonly Change[],
  sources: readonly string[],
): Trouble[] {
  const ts = compiler();
  const texts = new Map(
    changes
      .filter(({ path }) => !path.endsWith('.json') && isScript(path))
      .map(({ path, after }) => [path, after.replace(/^\uFEFF/, '')]),
  );
  const setsOf = setsByFile(planned);
  return compileUnits(ts, [...texts.keys()], sources).flatMap((unit) => {
    const before = overlayProgram(ts, unit, new Map());
    const after = overlayProgram(ts, unit, texts, before);
    return newIn(unit, before, after).map((said) => ({ ...said, sets: blame(said.file, after, setsOf) }));
  });
}

function newIn(
  { edited, checksJavaScript }: CompileUnit,
  before: OverlayProgram,
  after: OverlayProgram,
): Said[] {
  const ts = compiler();
  const affected = affectedBy(edited, after);
  const callers = new Set(edited.flatMap((file) => [file, ...(after.importers.get(file) ?? [])]));
  return [
    ...delta(
      typeCheck(ts, before, affected, checksJavaScript),
      typeCheck(ts, after, affected, checksJavaScript),
    ),
    ...delta(typedLint(before, callers, checksJavaScript), typedLint(after, callers, checksJavaScript)),
  ];
}

/** The sets that edit a file, by its absolute path. */
function setsByFile({ plan, base }: Planned): Map<string, string[]> {
  return new Map(
    Object.entries(plan.files).map(([shown, { edits }]) => [
      isAbsolute(shown) ? shown : join(base, shown),
      [...new Set(edits.flatMap(({ sets = [] }) => sets))],
    ]),
  );
}

/** The sets that edit a file; where none does, those of the nearest edited files that it imports. */
function blame(
  file: string,
  { importers }: OverlayProgram,
  setsOf: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const seen = new Set([file]);
  for (let level = [file]; level.length > 0;) {
    const sets = [...new Set(level.flatMap((each) => setsOf.get(each) ?? []))];
    if (sets.length > 0) return sets;
    const around = new Set(level);
    level = [...importers].flatMap(([imported, by]) =>
      !seen.has(imported) && [...by].some((each) => around.has(each)) ? [imported] : [],
    );
    for (const each of level) seen.add(each);
  }
  return [];
}
