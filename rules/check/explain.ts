import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Program } from 'typescript';
import { UserError } from 'owned-spawn/cli';
import type { LoopSettings } from '../apis/loop-table.ts';
import { compiler } from '../graph/compiler.ts';
import { nameOf } from '../graph/module-reach.ts';
import { blockingGraph, type LightCalls, type ProgramGraph } from '../graph/program-reach.ts';
import { reach } from '../graph/reach.ts';
import { sourceView } from '../graph/source-view.ts';
import { sitesBelow, waysTo } from '../graph/ways-to.ts';
import { findBlocking } from '../read/blocking.ts';
import { offPath } from '../read/file-role.ts';
import { loopModule, type LoopModule } from '../read/loop-module.ts';
import { parseModule } from '../read/module-view.ts';
import { registrationText } from '../read/registration-text.ts';
import { offFileText, silenceOf, silentCalls } from '../read/silent-call.ts';
import { baseOf, isScript, shownPath, sourceFiles } from './files.ts';
import type { Step } from './finding.ts';
import { followed, prefixesOf } from './lint.ts';
import { programOf } from './program.ts';
import { fileConfigs, forcedConfig } from './settings.ts';

/** A function on a way, and why code in it does or does not run on the event loop. */
export interface ExplainedFunction extends Step {
  why: string;
}

/** A way from code on the event loop to a blocking call. */
export interface ExplainedWay {
  /** From the one on the loop to the one that holds the blocking call. */
  functions: ExplainedFunction[];
  /** The calls that are entered, the last being the one that blocks. */
  steps: Step[];
}

/** Why a call is reported, or is not. */
export interface ExplainedCall extends Step {
  /** The API, such as `fs.readFileSync`; null for a call that no row knows. */
  callee: string | null;
  isReported: boolean;
  /** Why it is not reported, and what stops other ways to it. */
  why: string[];
  /** Every way to it, shortest first. */
  ways: ExplainedWay[];
}

export interface ExplainOptions {
  /** `src/server.ts:12` */
  place: string;
  paths: readonly string[];
  cwd: string;
  config: string | undefined;
  ignored: boolean;
}

/**
 * Explains the blocking calls in a line, or those that the calls in it lead to; none means that there are none.
 * @throws {UserError} for a place or a path that is not there, and a file that does not parse
 */
export async function explainLine({
  place,
  paths,
  cwd,
  config,
  ignored,
}: ExplainOptions): Promise<ExplainedCall[]> {
  const [, file = '', digits = ''] = /^(.+?):(\d+)(?::\d+)?$/.exec(place) ?? [];
  const line = Number(digits);
  if (file === '')
    throw new UserError(`--explain takes a file and a line, such as src/server.ts:12, not "${place}"`);
  const path = resolve(cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UserError(`${file} is not a file`);
  const roots = paths.length > 0 ? paths : ['.'];
  const base = baseOf(roots, cwd);
  const its = await fileConfigs(base, forcedConfig(config, cwd))({ path, explicit: true });
  if (!its) throw new UserError(`the ESLint config has no say about ${file}`);
  const settings = its.settings?.['owned-spawn'] as LoopSettings | undefined;
  const module = loopModule(parsed(path, file), settings);
  const show = (absolute: string): string => shownPath(absolute, base);
  const silent = silentCalls(module, line).map(({ call, name, why }): ExplainedCall => {
    const { start } = nameOf(call).loc;
    return notReported({ name, file: show(path), line: start.line, column: start.column + 1 }, null, why);
  });
  const off = offFileText(module);
  if (off !== undefined) {
    const sites = findBlocking(module).filter(({ name }) => name.loc.start.line === line);
    const told = sites.map(({ shown, api, name: { loc } }) =>
      notReported({ name: shown, file: show(path), line, column: loc.start.column + 1 }, api, off),
    );
    return [...told, ...silent];
  }
  const files = (await sourceFiles(roots, cwd, ignored)).map((each) => each.path).filter(isScript);
  const onLoop = [...new Set([...files, path])].filter((each) => offPath(each, module.table) === undefined);
  const program = programOf(compiler(), onLoop);
  const light = followed(its, prefixesOf(its)) ?? { probes: false, pointQueries: false };
  return [...explainIn({ program, settings, light, module, path, line, show }), ...silent];
}

function parsed(path: string, file: string): ReturnType<typeof parseModule> {
  try {
    return parseModule(readFileSync(path, 'utf8'), path);
  } catch (error) {
    const [why] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UserError(`${file} does not parse: ${why ?? ''}`);
  }
}

const notReported = (step: Step, callee: string | null, why: string): ExplainedCall => ({
  ...step,
  callee,
  isReported: false,
  why: [why],
  ways: [],
});

interface Question {
  program: Program;
  settings: LoopSettings | undefined;
  light: LightCalls;
  module: LoopModule;
  path: string;
  line: number;
  show: (path: string) => string;
}

function explainIn(question: Question): ExplainedCall[] {
  const { program, settings, light, path, line } = question;
  const graph = blockingGraph(compiler(), program, settings, light);
  if (!graph) return [];
  // Reads the files that lead to blocking calls.
  reach(graph);
  const here = path.replaceAll('\\', '/');
  const isHere = (each: { file: string; line: number }): boolean => each.file === here && each.line === line;
  const sites = graph.sites.flatMap((site, at) => (isHere(site) ? [at] : []));
  const calls = graph.calls.flatMap((call, at) =>
    isHere(call) || isHere({ file: call.file, line: call.at.line }) ? [at] : [],
  );
  const direct = sites.map((at) => explainSite(question, graph, at));
  const through = calls.flatMap((call) =>
    sitesBelow(graph, call)
      .filter((at) => !sites.includes(at))
      .map((at) => explainSite(question, graph, at, call)),
  );
  const known = new Set<string>();
  return [...direct, ...through].filter((each) => {
    const key = JSON.stringify(each);
    return !known.has(key) && known.add(key);
  });
}

/** @param through only ways by this call count */
function explainSite(question: Question, graph: ProgramGraph, at: number, through?: number): ExplainedCall {
  const { module, path, show } = question;
  const site = graph.sites[at];
  const unit = graph.units[site?.unit ?? -1];
  if (!site || !unit) throw new Error('A blocking call stands in no function.');
  const step = { name: site.shown, file: show(site.file), line: site.line, column: site.column };
  const isOwn = site.file === path.replaceAll('\\', '/');
  const own = isOwn ? findBlocking(module).find(({ name }) => name.range[0] === site.start) : undefined;
  const isExcused = graph.cut.sites.has(at) || graph.cut.units.has(site.unit);
  const excuse = own ? 'A marker excuses it, or the function around it.' : EXCUSED;
  const silence = (own && silenceOf(module, own)) ?? (isExcused ? excuse : undefined);
  if (silence !== undefined) return notReported(step, site.api, silence);

  const { ways: all, excused, isCut } = waysTo(graph, site.unit);
  const ways = all.filter((way) => through === undefined || way.includes(through));
  const isLittle = site.isLight && !site.isRepeated;
  const counts = (way: readonly number[]): boolean =>
    !isLittle || way.some((call) => graph.calls[call]?.isRepeated);
  const why: string[] = [];
  if (ways.length === 0 && excused.length === 0) why.push(NOBODY);
  if (ways.length > 0 && !ways.some(counts)) why.push(LITTLE[site.family]);
  for (const call of excused) {
    const { file = '', line = 0, shown = '' } = graph.calls[call] ?? {};
    why.push(`The call of \`${shown}\` in ${show(file)}:${String(line)} leads no further up: ${EXCUSED}`);
  }
  if (isCut) why.push('There are more ways than are shown.');
  return {
    ...step,
    callee: site.api,
    isReported: ways.some(counts),
    why,
    ways: ways.map((way) => wayOf(question, graph, way, at)),
  };
}

const EXCUSED = 'A marker excuses it or the function around it, or it runs once in a process.';
const NOBODY = 'No function on the event loop is seen to call what it stands in.';
const LITTLE = {
  call: 'It is little by itself, and is reported in loops only (the option `probes` of the rules).',
  sqlite: 'It is little by itself, and is reported in loops only (the option `pointQueries` of the rules).',
} as const;

function wayOf(
  { program, settings, show }: Question,
  graph: ProgramGraph,
  way: readonly number[],
  at: number,
): ExplainedWay {
  const site = graph.sites[at];
  const calls = way.flatMap((call) => graph.calls[call] ?? []);
  const units = [...calls.map(({ unit }) => unit), site?.unit ?? -1].flatMap(
    (each) => graph.units[each] ?? [],
  );
  return {
    functions: units.map((unit, index) => ({
      name: unit.name || unit.as.replace(/^an? /, ''),
      file: show(unit.file),
      line: unit.line,
      column: unit.column,
      why: index === 0 ? onLoopText(unit) : 'It runs where it is called.',
    })),
    steps: [
      ...calls.map(({ shown, file, at: { line, column } }) => ({
        name: shown,
        file: show(file),
        line,
        column,
      })),
      ...(site ? [{ name: site.shown, file: show(site.file), line: site.line, column: site.column }] : []),
    ],
  };

  function onLoopText({ as, file, start, isRegistered }: ProgramGraph['units'][number]): string {
    if (isRegistered) return `It is ${as}: another file registers it by its name.`;
    const source = program.getSourceFile(file);
    const view = source && sourceView(compiler(), source);
    const registered = view && registrationText(loopModule(view, settings), start);
    if (registered !== undefined) return `It is ${as}: ${registered}.`;
    if (as.startsWith('async')) return 'It is async, and so runs on the event loop, whoever awaits it.';
    return as.startsWith('promise-returning')
      ? "It returns a promise, which is as good as async (settings['owned-spawn'].context.promises)."
      : `It is ${as}, by what it is given or how it is declared.`;
  }
}
