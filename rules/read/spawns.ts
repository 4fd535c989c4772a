import type { SpawnSettings } from '../apis/tables.ts';
import type { ModuleView } from './module-view.ts';
import type { SpawnSite } from './site.ts';

/** Every call of the module that starts a process, in the order of the text, each with its verdict. */
export function findSpawns(_view: ModuleView, _settings: SpawnSettings = {}): SpawnSite[] {
  return [];
}
