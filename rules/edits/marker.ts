import type { ModuleView } from '../read/module-view.ts';
import type { SpawnSite } from '../read/site.ts';
import type { EditResult } from './reasons.ts';

/** Edits that put a marker without a reason directly above a site's statement: the rule rejects it until a person writes why. */
export function markerSkeletonEdits(view: ModuleView, site: SpawnSite): EditResult {
  void view;
  void site;
  return { reason: 'other-library' };
}
