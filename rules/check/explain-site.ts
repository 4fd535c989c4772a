import type { Linter } from 'eslint';
import type { Program } from 'typescript';
import type { LoopSettings } from '../apis/loop-table.ts';
import { compiler } from '../graph/compiler.ts';
import type { ProgramGraph } from '../graph/program-graph.ts';
import { isCrossing } from '../graph/program-reach.ts';
import type { Excuse } from '../graph/reach.ts';
import { sourceView } from '../graph/source-view.ts';
import { waysTo } from '../graph/ways-to.ts';
import { findBlocking } from '../read/blocking.ts';
import { directiveAt } from '../read/directives.ts';
import { loopModule, type LoopModule } from '../read/loop-module.ts';
import { registrationText } from '../read/registration-text.ts';
import { silenceOf } from '../read/silent-call.ts';
import type { Step } from './finding.ts';
import { optionsOf, prefixesOf } from './lint.ts';

/** A function on a way, and why code in it does or does not run on the event loop. */
interface ExplainedFunction extends Step {
  why: string;
}

/** A way from code on the event loop to a blocking call. */
export interface ExplainedWay {
  /** From the one on the loop to the one that holds the blocking call. */
  functions: ExplainedFunction[];
  /** The calls that are entered, the last being the one that blocks. */
  steps: Step[];
  /** What tells ESLint not to report it. */
  silence: string | null;
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

/** What is asked, and of which program. */
export interface Question {
  program: Program;
  graph: ProgramGraph;
  settings: LoopSettings | undefined;
  /** The asked file. */
  module: LoopModule;
  path: string;
  show: (path: string) => string;
  configOf: (path: string) => Promise<Linter.Config | undefined>;
}

export const notReported = (step: Step, callee: string | null, why: string): ExplainedCall => ({
  ...step,
  callee,
  isReported: false,
  why: [why],
  ways: [],
});

/**
 * Explains one blocking call of a program.
 * @param through only ways by this call count
 */
export async function explainSite(question: Question, at: number, through?: number): Promise<ExplainedCall> {
  const { module, graph, path, show } = question;
  const { sites, calls, cut } = graph;
  const site = sites[at];
  if (!site) throw new Error('A blocking call stands in no function.');
  const step = { name: site.shown, file: show(site.file), line: site.line, column: site.column };
  const isOwn = site.file === path.replaceAll('\\', '/');
  const own = isOwn ? findBlocking(module).find(({ name }) => name.range[0] === site.start) : undefined;
  const silence =
    (own && silenceOf(module, own)) ?? excuseText(step.file, cut.sites.get(at), cut.units.get(site.unit));
  if (silence !== undefined) return notReported(step, site.api, silence);

  const { ways: all, excused, isCut } = waysTo(graph, site.unit);
  const ways = all.filter((way) => through === undefined || way.includes(through));
  const isLittle = site.isLight && !site.isRepeated;
  const heavy = ways.filter((way) => !isLittle || way.some((call) => calls[call]?.isRepeated));
  const why: string[] = [];
  if (ways.length === 0 && excused.length === 0) why.push(NOBODY);
  if (ways.length > 0 && heavy.length === 0) why.push(LITTLE[site.family]);
  for (const call of excused) {
    const { file = '', line = 0, shown = '', unit = -1 } = calls[call] ?? {};
    const excuse = excuseText(show(file), cut.calls.get(call), cut.units.get(unit)) ?? '';
    why.push(`The call of \`${shown}\` in ${show(file)}:${String(line)} leads no further up. ${excuse}`);
  }
  if (isCut) why.push('There are more ways than are shown.');
  const told = await Promise.all(ways.map((way) => wayOf(question, way, at)));
  return {
    ...step,
    callee: site.api,
    isReported: ways.some((way, index) => heavy.includes(way) && told[index]?.isSilenced === false),
    why,
    ways: told.map(({ way }) => way),
  };
}

const NOBODY = 'No function on the event loop is seen to call what it stands in.';
const LITTLE = {
  call: 'It is little by itself, and is reported in loops only (the option `probes` of the rules).',
  sqlite: 'It is little by itself, and is reported in loops only (the option `pointQueries` of the rules).',
} as const;
const RULES = { call: 'no-blocking-call', sqlite: 'no-blocking-sqlite' } as const;

/** What excuses a call, or the function that it stands in. */
function excuseText(file: string, own: Excuse | undefined, around: Excuse | undefined): string | undefined {
  const excuse = own ?? around;
  const what = own ? 'it' : 'the function around it';
  switch (excuse?.by) {
    case 'marker':
      return `A marker in ${file}:${String(excuse.line)} excuses ${what}: "${excuse.reason}".`;
    case 'group':
      return `A group of settings['owned-spawn'].allow excuses ${what}: "${excuse.reason}".`;
    case 'once':
      return "It runs once in a process, for what it gives is kept (settings['owned-spawn'].context.once).";
    default:
      return undefined;
  }
}

async function wayOf(
  question: Question,
  way: readonly number[],
  at: number,
): Promise<{ way: ExplainedWay; isSilenced: boolean }> {
  const { graph, show } = question;
  const site = graph.sites[at];
  const calls = way.flatMap((call) => graph.calls[call] ?? []);
  const units = [...calls.map(({ unit }) => unit), site?.unit ?? -1].flatMap(
    (each) => graph.units[each] ?? [],
  );
  const places = [
    ...calls.map(({ shown, file, at: { line, column } }) => ({ name: shown, file, line, column })),
    ...(site ? [{ name: site.shown, file: site.file, line: site.line, column: site.column }] : []),
  ];
  const rule = isCrossing(graph, { calls: way, site: at })
    ? 'no-blocking-call-path'
    : RULES[site?.family ?? 'call'];
  const [first] = places;
  const silence = first && (await silenceAt(question, first, rule));
  return {
    way: {
      functions: units.map((unit, index) => ({
        name: unit.name || unit.as.replace(/^an? /, ''),
        file: show(unit.file),
        line: unit.line,
        column: unit.column,
        why: index === 0 ? onLoopText(question, unit) : 'It runs where it is called.',
      })),
      steps: places.map((place) => ({ ...place, file: show(place.file) })),
      silence: silence?.text ?? null,
    },
    isSilenced: silence?.isObeyed ?? false,
  };
}

/** What keeps a rule from reporting a place, and whether `check` obeys it too. */
async function silenceAt(
  { program, show, configOf }: Question,
  { file, line, column }: Step,
  rule: string,
): Promise<{ text: string; isObeyed: boolean } | undefined> {
  const config = await configOf(file);
  const prefixes = prefixesOf(config ?? {});
  if (prefixes.length > 0 && !optionsOf(config ?? {}, prefixes, rule))
    return { text: `The ESLint config has \`${rule}\` off in ${show(file)}.`, isObeyed: true };
  const source = program.getSourceFile(file);
  const view = source && sourceView(compiler(), source);
  const directive = view && directiveAt(view, [rule])(line, column - 1);
  if (!directive) return undefined;
  const { comment, directive: name, reason } = directive;
  const place = `\`${name}\` in ${show(file)}:${String(comment.loc.start.line)}`;
  if (name === 'eslint') return { text: `${place} switches \`${rule}\` off.`, isObeyed: true };
  return reason === ''
    ? {
        text: `${place} silences ESLint, and gives no reason: the command reports it all the same.`,
        isObeyed: false,
      }
    : { text: `${place} silences it: "${reason}".`, isObeyed: true };
}

function onLoopText(
  { program, settings }: Question,
  { as, file, start, isRegistered }: ProgramGraph['units'][number],
): string {
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
