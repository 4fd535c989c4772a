import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from 'owned-spawn/cli';
import type { LoopSettings } from '../apis/loop-table.ts';
import { compiler } from '../graph/compiler.ts';
import { nameOf } from '../graph/module-reach.ts';
import { blockingGraph } from '../graph/program-graph.ts';
import { reach } from '../graph/reach.ts';
import { sitesBelow } from '../graph/ways-to.ts';
import { findBlocking } from '../read/blocking.ts';
import { offPath } from '../read/file-role.ts';
import { loopModule } from '../read/loop-module.ts';
import { parseModule } from '../read/module-view.ts';
import { offFileText, silentCalls } from '../read/silent-call.ts';
import { explainSite, notReported, type ExplainedCall, type Question } from './explain-site.ts';
import { baseOf, isScript, shownPath, sourceFiles } from './files.ts';
import type { Step } from './finding.ts';
import { followed, prefixesOf } from './lint.ts';
import { programOf } from './program.ts';
import { fileConfigs, forcedConfig } from './settings.ts';

interface ExplainOptions {
  /** `src/server.ts:12` */
  place: string;
  paths: readonly string[];
  cwd: string;
  config: string | undefined;
  ignored: boolean;
}

interface Explanation {
  /** The blocking calls in the line, or those that the calls in it lead to. */
  calls: ExplainedCall[];
  /** Where there are none: what blocks, or leads to what does, nearest to the line in its file. */
  nearest: Step | undefined;
}

/**
 * Explains a line.
 * @throws {UserError} for a place or a path that is not there, and a file that does not parse
 */
export async function explainLine({
  place,
  paths,
  cwd,
  config,
  ignored,
}: ExplainOptions): Promise<Explanation> {
  const [, file = '', digits = ''] = /^(.+?):(\d+)(?::\d+)?$/.exec(place) ?? [];
  const line = Number(digits);
  if (file === '')
    throw new UserError(`--explain takes a file and a line, such as src/server.ts:12, not "${place}"`);
  const path = resolve(cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UserError(`${file} is not a file`);
  const roots = paths.length > 0 ? paths : ['.'];
  const base = baseOf(roots, cwd);
  const configs = fileConfigs(base, forcedConfig(config, cwd));
  const configOf = (of: string): ReturnType<typeof configs> => configs({ path: of, explicit: true });
  const its = await configOf(path);
  if (!its) throw new UserError(`the ESLint config has no say about ${file}`);
  const settings = its.settings?.['owned-spawn'] as LoopSettings | undefined;
  const module = loopModule(parsed(path, file), settings);
  const show = (absolute: string): string => shownPath(absolute, base);
  const own = findBlocking(module).map(({ shown, api, name: { loc } }) => {
    const { line, column } = loc.start;
    return { api, step: { name: shown, file: show(path), line, column: column + 1 } };
  });
  const steps = own.map(({ step }) => step);
  const silent = silentCalls(module, line).map(({ call, name, why }): ExplainedCall => {
    const { start } = nameOf(call).loc;
    return notReported({ name, file: show(path), line: start.line, column: start.column + 1 }, null, why);
  });
  const off = offFileText(module);
  if (off !== undefined) {
    const told = own.filter(({ step }) => step.line === line);
    return explanation([...told.map(({ step, api }) => notReported(step, api, off)), ...silent], steps, line);
  }
  const files = (await sourceFiles(roots, cwd, ignored)).map((each) => each.path).filter(isScript);
  const onLoop = [...new Set([...files, path])].filter((each) => offPath(each, module.table) === undefined);
  const program = programOf(compiler(), onLoop);
  const light = followed(its, prefixesOf(its)) ?? { probes: false, pointQueries: false };
  const graph = blockingGraph(compiler(), program, settings, light);
  if (!graph) return explanation(silent, steps, line);
  // Reads the files that lead to blocking calls.
  const entered = reach(graph).flatMap(({ calls: [first = -1] }) => {
    const call = graph.calls[first];
    if (call?.file !== path.replaceAll('\\', '/')) return [];
    return [{ name: call.shown, file: show(path), line: call.at.line, column: call.at.column }];
  });
  const calls = await explainIn({ program, graph, settings, module, path, show, configOf }, line);
  return explanation([...calls, ...silent], [...steps, ...entered], line);
}

/** @param steps of the file, for a line that has none */
function explanation(calls: ExplainedCall[], steps: readonly Step[], line: number): Explanation {
  const distance = (step: Step): number => Math.abs(step.line - line);
  const [nearest] = calls.length > 0 ? [] : [...steps].sort((a, b) => distance(a) - distance(b));
  return { calls, nearest };
}

function parsed(path: string, file: string): ReturnType<typeof parseModule> {
  try {
    return parseModule(readFileSync(path, 'utf8'), path);
  } catch (error) {
    const [why] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UserError(`${file} does not parse: ${why ?? ''}`);
  }
}

async function explainIn(question: Question, line: number): Promise<ExplainedCall[]> {
  const { graph, path } = question;
  const here = path.replaceAll('\\', '/');
  const isHere = (each: { file: string; line: number }): boolean => each.file === here && each.line === line;
  const sites = graph.sites.flatMap((site, at) => (isHere(site) ? [at] : []));
  const calls = graph.calls.flatMap((call, at) =>
    isHere(call) || isHere({ file: call.file, line: call.at.line }) ? [at] : [],
  );
  const direct = sites.map((at) => explainSite(question, at));
  const through = calls.flatMap((call) =>
    sitesBelow(graph, call)
      .filter((at) => !sites.includes(at))
      .map((at) => explainSite(question, at, call)),
  );
  const known = new Set<string>();
  return (await Promise.all([...direct, ...through])).filter((each) => {
    const key = JSON.stringify(each);
    return !known.has(key) && known.add(key);
  });
}
