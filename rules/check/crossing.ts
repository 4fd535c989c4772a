import { readFileSync } from 'node:fs';
import { loopTable, type LoopSettings, type LoopTable } from '../apis/loop-table.ts';
import { compiler } from '../graph/compiler.ts';
import type { PathSource } from '../graph/given-paths.ts';
import type { LightCalls } from '../graph/program-graph.ts';
import { pathFindings, type PathFindings } from '../graph/program-reach.ts';
import { offPath } from '../read/file-role.ts';
import type { ConfigFault } from './file-options.ts';
import { isScript, type SourceFile } from './files.ts';
import { collectGarbage } from './garbage.ts';
import { programOf } from './program.ts';

/** What blocks through several files of a run. */
export interface Crossing {
  /** The findings of a file; all are found at the first question, and the program is given up for them. */
  findingsOf: PathSource;
  /** Whether a file is known to parse. */
  parses(path: string): boolean;
  /** Why calls could not be followed; undefined where they were. */
  failure(): unknown;
  /** The tsconfigs that are broken, so that modules may not be found by them. */
  faults(): readonly ConfigFault[];
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
  const found = new Map<LoopTable, Map<string, PathFindings>>();
  const sound = new Set<string>();
  const faults = new Map<string, ConfigFault>();
  let failure: unknown;

  const findingsOf: PathSource = (path, settings, light) => {
    const table = loopTable(settings);
    const ofTable = found.get(table) ?? new Map<string, PathFindings>();
    found.set(table, ofTable);
    const key = JSON.stringify([light.probes, light.pointQueries]);
    const findings = ofTable.get(key) ?? find(table, settings, light);
    ofTable.set(key, findings);
    return findings.get(slashed(path)) ?? [];
  };

  function find(table: LoopTable, settings: LoopSettings | undefined, light: LightCalls): PathFindings {
    // What failed once fails again.
    if (failure !== undefined) return NONE;
    const onLoop = paths.filter((path) => offPath(path, table) === undefined);
    if (!onLoop.some((path) => table.mention.test(contentOf(path) ?? textOf(path)))) return NONE;
    try {
      const program = programOf(compiler(), onLoop, contentOf, (fault) => faults.set(fault.file, fault));
      for (const source of program.getSourceFiles()) if (isSound(source)) sound.add(source.fileName);
      return pathFindings(compiler(), program, settings, light);
    } catch (error) {
      failure = error;
      return NONE;
    } finally {
      collectGarbage();
    }
  }

  return {
    findingsOf,
    parses: (path) => sound.has(slashed(path)),
    failure: () => failure,
    faults: () => [...faults.values()],
  };
}

const NONE: PathFindings = new Map();

/** Whether a file of a program has no syntax error; of one that the program does not read nothing is known. */
function isSound({ text, ...source }: object & { text: string }): boolean {
  // Not in the public types.
  const { parseDiagnostics } = source as { parseDiagnostics?: readonly unknown[] };
  return text !== '' && parseDiagnostics?.length === 0;
}

/** Programs name files so. */
const slashed = (path: string): string => path.replaceAll('\\', '/');

/** Who lints a file says so where it cannot be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
