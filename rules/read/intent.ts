import type { ModuleView } from './module-view.ts';
import type { SpawnSite } from './site.ts';

/** What a detached spawn is for, and the sign it was told by, worded for a message. */
export interface Intent {
  kind: 'outlives' | 'convenience' | 'accident';
  signal: string;
}

/** Guesses what a detached spawn is for. */
export function intentOf(_view: ModuleView, _site: SpawnSite): Intent {
  return { kind: 'accident', signal: '' };
}
