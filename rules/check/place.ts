import type { TSESLint } from '@typescript-eslint/utils';
import type { SpawnSettings } from '../apis/tables.ts';
import { findSpawns } from '../read/spawns.ts';
import { symbolAt } from '../read/symbol-at.ts';
import { viewOf } from '../read/module-view.ts';

/** What a place of a file is called: its scope, and the API that is called there. */
export interface Place {
  symbol: string;
  callee: string | null;
  /** The code that decides, where that stands in another line than the call; the line and the column count from 1. */
  cause?: { name: string; line: number; column: number };
}

/**
 * Names places of one file. ESLint's messages carry no data, so the API comes from the same reading of the same tree
 * that the rule had.
 * @returns a function of a line that counts from 1 and a column that counts from 1
 */
export function placesOf(
  source: Readonly<TSESLint.SourceCode>,
  filename: string,
  settings: SpawnSettings,
): (line: number, column: number) => Place {
  const sites = findSpawns(viewOf(source, filename), settings);
  return (line, column) => {
    const offset = source.getIndexFromLoc({ line, column: column - 1 });
    const site =
      sites.find(({ name }) => name.range[0] === offset) ??
      sites.findLast(({ call }) => call.range[0] <= offset && offset < call.range[1]);
    const place = { symbol: symbolAt(source.getNodeByRangeIndex(offset)), callee: site?.api ?? null };
    const cause = site?.name.range[0] === offset ? site.cause?.loc.start : undefined;
    if (!cause || cause.line === line) return place;
    return { ...place, cause: { name: 'detached', line: cause.line, column: cause.column + 1 } };
  };
}
