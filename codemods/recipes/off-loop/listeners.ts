import {
  functionAround,
  isInside,
  lastName,
  literalText,
  walk,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { HandedOver } from './callbacks.ts';
import { changesOthers } from './effects.ts';
import type { Ground } from './requirements.ts';

const LISTENS = /^(on|once|addListener|prependListener|prependOnceListener)$/;
/** One of many, after which something else says that it was the last. */
const SERIES = /^(data|entry|field|file|line|readable|record|row)$/;
const LAST = /^(close|end|finish)$/;

/**
 * Whether an event counts on its listener being through when it is over: the listener puts something into what it is given,
 * which the one who emits it looks at, or it collects what another listener takes at the end.
 */
export function isListenerInStep(ground: Ground, { module, call, fn }: HandedOver): boolean {
  const event = eventOf(call);
  if (event === undefined) return false;
  if (fillsArgument(module, fn)) return isEmitted(ground, event);
  if (!SERIES.test(event) || !changesOthers(module, fn)) return false;
  const around = functionAround(call);
  return module.index.calls.some(
    (other) => LAST.test(eventOf(other) ?? '') && functionAround(other) === around,
  );
}

function eventOf(call: TSESTree.Node): string | undefined {
  if (call.type !== 'CallExpression' || !LISTENS.test(lastName(call.callee) ?? '')) return undefined;
  return call.arguments[0] && literalText(call.arguments[0]);
}

/** `(context) => { context.value = … }` */
function fillsArgument({ index }: LoopModule, fn: FunctionNode): boolean {
  let found = false;
  walk(fn.body, (node) => {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return;
    const root = index.rootOf(node.left)?.root;
    found ||=
      root !== undefined &&
      'identifiers' in root &&
      root.identifiers.some((id) => fn.params.some((param) => isInside(id, param)));
  });
  return found;
}

const isEmitted = ({ references, modules }: Ground, event: string): boolean =>
  references.usesOf('emit').some(({ file, end }) => {
    const text = modules.textOf(file)?.slice(end) ?? '';
    return /^\s*\(\s*(['"`])([^'"`\n]*)\1/.exec(text)?.[2] === event;
  });
