import { readFileSync } from 'node:fs';
import type { Program } from 'typescript';
import { loopTable, type LoopSettings } from '../apis/loop-table.ts';
import { compiler } from '../graph/compiler.ts';
import type { ProgramSource } from '../graph/given-program.ts';
import { pathFindings, type PathFinding } from '../graph/program-reach.ts';
import { relief } from './garbage.ts';
import { isScript, type SourceFile } from './files.ts';
import { programOf } from './program.ts';

/** The one program of a run, over all its files, and what blocks through several of them. */
export interface Crossing {
  /** Made at the first call; undefined where no file names an API that blocks. */
  programOf: ProgramSource;
  findingsOf(path: string, settings: LoopSettings | undefined): readonly PathFinding[];
}

/**
 * What a run knows of the calls between its files.
 * @param contentOf texts that count in the place of what is on the disk
 */
export function crossingOf(
  files: readonly SourceFile[],
  contentOf: (path: string) => string | undefined = () => undefined,
): Crossing {
  const paths = files.map(({ path }) => path).filter(isScript);
  const concerned = new Map<RegExp, boolean>();
  const relieve = relief();
  let made: Program | undefined;

  function isConcerned(mention: RegExp): boolean {
    const known =
      concerned.get(mention) ?? paths.some((path) => mention.test(contentOf(path) ?? textOf(path)));
    concerned.set(mention, known);
    return known;
  }
  const program: ProgramSource = (settings) => {
    if (!isConcerned(loopTable(settings).mention)) return undefined;
    made ??= programOf(compiler(), paths, contentOf);
    return made;
  };
  return {
    programOf: program,
    findingsOf(path, settings) {
      const its = program(settings);
      const file = its?.getSourceFile(path)?.fileName;
      if (!its || file === undefined) return [];
      const light = { probes: false, pointQueries: false };
      return pathFindings(compiler(), its, settings, light, relieve).get(file) ?? [];
    },
  };
}

/** Who lints a file says so where it cannot be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
