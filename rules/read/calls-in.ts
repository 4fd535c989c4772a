import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from './module-index.ts';
import type { CallNode } from './nodes.ts';

/** The calls inside a node, in the order of the text. */
export function callsIn({ calls }: ModuleIndex, { range: [start, end] }: TSESTree.Node): CallNode[] {
  // They are sorted by where they begin.
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calls[middle]?.range[0] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const found: CallNode[] = [];
  for (let at = low; at < calls.length; at++) {
    const call = calls[at];
    if (!call || call.range[0] >= end) break;
    found.push(call);
  }
  return found;
}
