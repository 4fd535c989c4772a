export type { SpawnSettings } from './apis/tables.ts';
export type { Edit } from './edits/edit.ts';
export { intentOf, type Intent } from './read/intent.ts';
export { parseModule, viewOf, type ModuleSyntaxError, type ModuleView } from './read/module-view.ts';
export type { KnownBy, Origin, SpawnForm, SpawnSite, Verdict } from './read/site.ts';
export { findSpawns } from './read/spawns.ts';
