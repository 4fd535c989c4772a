import type { Edit } from './edit.ts';

/** Why a site cannot be rewritten, as reports name it. */
export type ReasonCode = 'outlives' | 'conditional' | 'launcher' | 'shell-text' | 'sync-api' | 'other-library';

/** The edits of one site, or why there are none. */
export type EditResult = { edits: Edit[] } | { reason: ReasonCode };
