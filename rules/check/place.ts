import type { TSESLint } from '@typescript-eslint/utils';
import type { SpawnSettings } from '../apis/tables.ts';
import { loopFindings, type LoopFinding } from '../graph/module-reach.ts';
import type { PathStep } from '../graph/path.ts';
import type { PathFinding } from '../graph/program-reach.ts';
import type { Family } from '../read/blocking.ts';
import { viewOf, type ModuleView } from '../read/module-view.ts';
import { findSpawns } from '../read/spawns.ts';
import { symbolAt } from '../read/symbol-at.ts';

/** What a place of a file is called: its scope, and the API that is called there. */
export interface Place {
  symbol: string;
  callee: string | null;
  /**
   * Where what decides stands, if not at the call: the option, or the calls on the way to the one that blocks. Lines and
   * columns count from 1; `path` is the file of a step in another one.
   */
  steps: { name: string; line: number; column: number; path?: string }[];
}

/** What of a message says which finding it is; lines and columns count from 1. */
export interface Located {
  ruleId: string | null;
  message: string;
  line: number;
  column: number;
}

const FAMILIES: Readonly<Record<string, Family>> = {
  'owned-spawn/no-blocking-call': 'call',
  'owned-spawn/no-blocking-sqlite': 'sqlite',
};

const PATH_RULE = 'owned-spawn/no-blocking-call-path';

/**
 * Names places of one file. ESLint's messages carry no data, so the API comes from the same reading of the same tree
 * that the rule had.
 */
export function placesOf(
  source: Readonly<TSESLint.SourceCode>,
  filename: string,
  settings: SpawnSettings,
  paths: readonly PathFinding[] = [],
): (located: Located) => Place {
  const view = viewOf(source, filename);
  return (located) => {
    const offset = source.getIndexFromLoc({ line: located.line, column: located.column - 1 });
    const symbol = symbolAt(source.getNodeByRangeIndex(offset));
    if (located.ruleId === PATH_RULE) return { symbol, ...pathPlace(paths, located, offset) };
    const family = FAMILIES[located.ruleId ?? ''];
    return {
      symbol,
      ...(family ? blockingPlace(view, family, located, offset, settings) : spawnPlace(located, offset)),
    };
  };

  function spawnPlace({ ruleId, line }: Located, offset: number): Omit<Place, 'symbol'> {
    const sites = findSpawns(view, settings);
    const site =
      sites.find(({ name }) => name.range[0] === offset) ??
      sites.findLast(({ call }) => call.range[0] <= offset && offset < call.range[1]);
    const cause = site?.name.range[0] === offset ? site.cause?.loc.start : undefined;
    const isElsewhere = cause && cause.line !== line && ruleId === 'owned-spawn/no-detached-spawn';
    return {
      callee: site?.api ?? null,
      steps: isElsewhere ? [{ name: 'detached', line: cause.line, column: cause.column + 1 }] : [],
    };
  }
}

function pathPlace(
  paths: readonly PathFinding[],
  { message }: Located,
  offset: number,
): Omit<Place, 'symbol'> {
  const here = paths.filter(({ at }) => at.start === offset);
  const told = here.filter(({ steps }) => message.includes(stepText(steps.at(-1))));
  const [finding = here[0]] = told.sort((a, b) => b.steps.length - a.steps.length);
  return { callee: finding?.site.api ?? null, steps: finding?.steps ?? [] };
}

function blockingPlace(
  view: ModuleView,
  family: Family,
  { message }: Located,
  offset: number,
  settings: SpawnSettings,
): Omit<Place, 'symbol'> {
  // A rule's option may add to what is reported; what it adds is looked for last.
  const here = [false, true]
    .flatMap((light) => loopFindings(view, family, settings, light))
    .filter(({ node }) => node.range[0] === offset);
  const finding = here.find((each) => message.includes(lastStep(each))) ?? here[0];
  const steps = finding && finding.steps.length > 1 ? finding.steps : [];
  return {
    callee: finding?.site.api ?? null,
    steps: steps.map(({ name, line, column }) => ({ name, line, column })),
  };
}

/** The end of a finding's path, as its message has it: one call may lead to several that block. */
const lastStep = ({ steps }: Pick<LoopFinding, 'steps'>): string =>
  steps.length > 1 ? stepText(steps.at(-1)) : '';

const stepText = (step: PathStep | undefined): string =>
  step ? ` → ${step.name} (${step.file}:${String(step.line)})` : '';
