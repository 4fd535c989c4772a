import type { SourceFile } from 'typescript';
import { pushTo } from '../read/push-to.ts';

/** Finds the files of a program that hold an identifier, `#name` too, in their order. */
export function holdersOf(sources: readonly SourceFile[]): (name: string) => readonly SourceFile[] {
  const byName = new Map<string, SourceFile[]>();
  for (const source of sources) for (const name of identifiersOf(source).keys()) pushTo(byName, name, source);
  return (name) => byName.get(name) ?? [];
}

/** The identifiers of a file. */
export function identifiersOf(source: SourceFile): Pick<ReadonlyMap<string, unknown>, 'has' | 'keys'> {
  // Not in the public types; the words of the text are as good, and slower.
  const { identifiers } = source as unknown as { identifiers?: ReadonlyMap<string, string> };
  return identifiers ?? new Set(source.text.match(/#?[\w$\u0080-\uffff]+/g));
}
