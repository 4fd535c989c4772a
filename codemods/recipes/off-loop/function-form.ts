import { lastName, literalText, walk, type FunctionNode } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { OffLoopReason } from './reasons.ts';

/** Methods that the language or a runtime calls, and whose value it wants at once. */
const SYNC_CONTRACTS = new Set([
  'toJSON',
  'toString',
  'toLocaleString',
  'valueOf',
  'inspect',
  'next',
  'return',
  'throw',
]);
/** Methods that a framework calls to get markup. */
const RENDERS = new Set(['render', 'renderToString', 'getDerivedStateFromProps', 'shouldComponentUpdate']);

/** Why a function cannot be async whoever calls it. */
export function formReason(fn: FunctionNode): OffLoopReason | undefined {
  const { parent } = fn;
  const isMember = parent.type === 'MethodDefinition' || parent.type === 'Property';
  if (isMember && parent.value === fn) {
    if (parent.kind === 'constructor') return 'constructor';
    if (parent.kind === 'get' || parent.kind === 'set') return 'accessor';
    if (parent.computed && literalText(parent.key) === undefined)
      return isSymbol(parent.key) ? 'sync-contract' : 'escapes';
  }
  if (fn.generator) return 'generator';
  if (fn.returnType?.typeAnnotation.type === 'TSTypePredicate') return 'type-use';
  const name = nameOf(fn);
  if (name !== undefined && isMember && SYNC_CONTRACTS.has(name)) return 'sync-contract';
  if ((name !== undefined && RENDERS.has(name)) || hasMarkup(fn)) return 'render';
  return undefined;
}

function nameOf(fn: FunctionNode): string | undefined {
  const { parent } = fn;
  if (fn.id) return fn.id.name;
  const key = 'key' in parent ? parent.key : parent.type === 'VariableDeclarator' ? parent.id : undefined;
  return key && (key.type === 'Identifier' ? key.name : literalText(key));
}

/** `[Symbol.iterator]` */
const isSymbol = (key: TSESTree.Node): boolean =>
  key.type === 'MemberExpression' && lastName(key.object) === 'Symbol';

/** Whether a function makes JSX itself. */
function hasMarkup(fn: FunctionNode): boolean {
  let found = false;
  walk(fn.body, (node, inner) => {
    found ||= /^JSX(Element|Fragment)$/.test(node.type) && inner === undefined;
  });
  return found;
}
