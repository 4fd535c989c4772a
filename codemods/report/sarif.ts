import { sarifLocation, sarifLog } from 'eslint-plugin-owned-spawn/api';
import type { Overview, PlacedSite, SetOverview } from './overview.ts';

/** For code scanners: a note for each site, with the edits of its set as a fix, or with the reason why there is none. */
export function sarif({ plan, sets, left }: Overview): string {
  return sarifLog([
    ...sets.flatMap((set) =>
      set.sites.map((site) => ({
        ruleId: `migrate/${plan.recipe}`,
        level: 'note',
        message: { text: `${site.callee} can be migrated together with: ${set.name}` },
        locations: [locationOf(site)],
        fixes: [fixOf(plan, set)],
      })),
    ),
    ...left.map((site) => ({
      ruleId: `migrate/${site.reason ?? ''}`,
      level: 'note',
      message: { text: `Left alone: ${site.short ?? ''}. ${site.long ?? ''}` },
      locations: [locationOf(site)],
      ...(site.status === 'suppressed' && { suppressions: [{ kind: 'inSource' }] }),
    })),
  ]);
}

const locationOf = ({ file, line, column }: PlacedSite): object =>
  sarifLocation(file, { startLine: line, startColumn: column });

function fixOf({ files }: Overview['plan'], { name }: SetOverview): object {
  const artifactChanges = Object.entries(files).flatMap(([file, { edits }]) => {
    const replacements = edits
      .filter(({ sets = [] }) => sets.includes(name))
      .map(({ start, end, text }) => ({
        deletedRegion: { charOffset: start, charLength: end - start },
        insertedContent: { text },
      }));
    const uri = file.split('/').map(encodeURIComponent).join('/');
    return replacements.length === 0 ? [] : [{ artifactLocation: { uri }, replacements }];
  });
  return { description: { text: `Migrate ${name}` }, artifactChanges };
}
