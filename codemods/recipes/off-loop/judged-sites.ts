import { setImmediate } from 'node:timers/promises';
import {
  contextOf,
  cutOf,
  directiveAt,
  findBlocking,
  isRepeated,
  loopTable,
  offFile,
  shownPath,
  summaryOf,
  type BlockingSite,
  type LoopModule,
  type SpawnSettings,
} from 'eslint-plugin-owned-spawn/api';
import type { ProjectOptions } from '../../plan/project.ts';
import type { Reason } from '../reasons.ts';
import { judge, type Judged } from './judged.ts';
import type { Ground } from './requirements.ts';
import { surveyOf, type Closure, type SurveyedSite } from './survey.ts';
import { hasTestDouble } from './test-doubles.ts';

/** The rules whose findings the recipe mends. */
export const OFF_LOOP_RULES = ['no-blocking-call', 'no-blocking-call-path', 'no-blocking-sqlite'] as const;

/** The blocking calls of a program. */
export interface JudgedSites {
  sites: Judged[];
  /** Those that are too light to be moved for their own sake, and may be a step of others that are. */
  unseen: SurveyedSite[];
}

/**
 * Finds the blocking calls and judges each for itself.
 *
 * @param base what shown paths are relative to
 * @returns undefined where a signal has ended it
 */
export async function judgedSites(
  ground: Ground,
  settings: ReadonlyMap<string, SpawnSettings>,
  base: string,
  { signal, progress, everywhere = false }: ProjectOptions,
): Promise<JudgedSites | undefined> {
  const survey = surveyOf(ground);
  const sites: Judged[] = [];
  const unseen: SurveyedSite[] = [];
  const files = [...settings.keys()].sort();
  for (const [i, file] of files.entries()) {
    if (signal.aborted) return undefined;
    const text = ground.textOf(file);
    const table = loopTable(settings.get(file));
    if (text === undefined || !(table.mention.test(text) || ground.modules.isHanded(file))) continue;
    progress(`planning ${i + 1}/${files.length} ${shownPath(file, base)}`);
    // Between two files a signal is heard.
    await setImmediate();
    const module = ground.modules.at(file);
    const blocking = module ? findBlocking(module) : [];
    if (!module || blocking.length === 0 || (offFile(module) !== undefined && !everywhere)) continue;
    const excuse = excusesOf(module);
    for (const [at, site] of blocking.entries()) {
      const surveyed = survey.site(module, site);
      const closure = survey.closureOf(surveyed);
      if (site.isLight && !site.isRepeated && !isRepeatedBy(closure) && !everywhere) {
        unseen.push(surveyed);
        continue;
      }
      const excused = excuse(at, site);
      sites.push({
        ...surveyed,
        closure,
        ...(excused ? { status: 'suppressed', reason: excused, blockers: [] } : judge(closure, everywhere)),
        set: '',
      });
    }
  }
  for (const { site, closure } of sites)
    if (closure.patches.some(({ file }) => hasTestDouble(ground.textOf(file) ?? '', site.api)))
      closure.notes.add('test-double');
  return { sites, unseen };
}

/** Whether a call on the way to a site runs many times. */
const isRepeatedBy = ({ awaits }: Closure): boolean =>
  awaits.some(({ module, node }) => isRepeated(node, contextOf(module).unitOf(node).fn));

/** What a marker, a group of the settings or a directive says of a module's blocking calls. */
function excusesOf(module: LoopModule): (at: number, site: BlockingSite) => Reason | undefined {
  const read = summaryOf(module);
  const cut = cutOf(module, read);
  const disabled = directiveAt(module.view, OFF_LOOP_RULES);
  return (at, site) => {
    const { line, column } = site.name.loc.start;
    const unit = read.summary.sites[at]?.unit ?? -1;
    const excuse = cut?.sites.get(at) ?? cut?.units.get(unit);
    if (excuse) return excuse.by === 'group' ? 'allow' : 'marker';
    return disabled(line, column) && 'eslint-disabled';
  };
}
