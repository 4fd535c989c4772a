import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopModule } from './loop-module.ts';
import type { ModuleIndex } from './module-index.ts';
import {
  bareExpression,
  calleeOf,
  functionAround,
  isFunction,
  isInside,
  lastName,
  type CallNode,
  type FunctionNode,
} from './nodes.ts';

/** The places of the parameters that the function which a function returns will call: `(fn) => (...args) => fn(...args)`. */
export function wrappedParameters(index: ModuleIndex, fn: FunctionNode): number[] {
  const inner = index.returnsOf(fn).flatMap((node) => functionOf(index, node) ?? []);
  if (inner.length === 0) return [];
  return fn.params.flatMap((param, position) => {
    const name = param.type === 'AssignmentPattern' ? param.left : param;
    const variable = name.type === 'Identifier' ? index.variableOf(name) : undefined;
    const isCalled = variable?.references.some(
      ({ identifier }) => isCallee(identifier) && inner.some((each) => isInside(identifier, each.body)),
    );
    return isCalled ? [position] : [];
  });
}

/** A function, or a name of one, that is returned. */
function functionOf(index: ModuleIndex, node: TSESTree.Node): FunctionNode | undefined {
  const bare = bareExpression(node);
  if (isFunction(bare)) return bare;
  const def = bare.type === 'Identifier' ? index.variableOf(bare)?.defs[0]?.node : undefined;
  const held = def?.type === 'VariableDeclarator' ? def.init : def;
  return isFunction(held) ? held : undefined;
}

/** `fn()`, `fn.call(…)`, `fn.apply(…)` */
function isCallee(name: TSESTree.Node): boolean {
  let node = name;
  const { parent } = name;
  if (parent?.type === 'MemberExpression' && parent.object === name) node = parent;
  const call = node.parent;
  if (call?.type !== 'CallExpression' || call.callee !== node) return false;
  return (
    node === name ||
    (node.type === 'MemberExpression' &&
      node.property.type === 'Identifier' &&
      /^(call|apply)$/.test(node.property.name))
  );
}

/** The arguments of a call that what it gives will call, by a row or by the function of this module that it enters. */
function wrappedBy(module: LoopModule, call: CallNode): TSESTree.Node[] {
  const { index, callees } = module;
  if (call.type !== 'CallExpression') return [];
  const callee = calleeOf(call);
  const args = call.arguments.map(bareExpression);
  if (module.rowNamed(callee)?.row.callbacks?.run === 'called') return args.slice(0, 1);
  const meaning = callees.meaningOf(callee);
  if (meaning?.is !== 'function') return [];
  return wrappedParameters(index, meaning.node).flatMap((position) => args[position] ?? []);
}

function isOfOtherFile({ callees }: LoopModule, callee: TSESTree.Node): boolean {
  const meaning = callees.meaningOf(callee);
  return meaning?.is === 'import' && meaning.module.startsWith('./');
}

/**
 * Whether a function runs when what it is given to is called. Of what a function of another file makes of it the program
 * knows more: at the top level, where nothing waits for it, it may be one.
 */
export function isWrapped(module: LoopModule, call: CallNode, fn: FunctionNode): boolean {
  return (
    wrappedBy(module, call).includes(fn) ||
    (functionAround(call) === undefined &&
      isOfOtherFile(module, calleeOf(call)) &&
      heldAs(module.index, call).length > 0)
  );
}

/** A call whose result calls some of its arguments, and the names of that result. */
interface Wrapping {
  call: TSESTree.CallExpression;
  names: readonly string[];
  args: readonly TSESTree.Node[];
  /** Whether it is a function of another file that would do so. */
  isElsewhere: boolean;
}

const known = new WeakMap<LoopModule, readonly Wrapping[]>();

/** What a module wraps and gives a name: `const load = once(read)`, `exports.load = store.load.bind(store)`. */
export function wrappingsOf(module: LoopModule): readonly Wrapping[] {
  const before = known.get(module);
  if (before) return before;
  const found = module.index.calls.flatMap((call): Wrapping[] => {
    if (call.type !== 'CallExpression') return [];
    const names = heldAs(module.index, call);
    if (names.length === 0) return [];
    const callee = calleeOf(call);
    const isBound = callee.type === 'MemberExpression' && lastName(callee) === 'bind';
    const isElsewhere = !isBound && isOfOtherFile(module, callee);
    const args = isBound
      ? [bareExpression(callee.object)]
      : isElsewhere
        ? call.arguments.map(bareExpression)
        : wrappedBy(module, call);
    return args.length > 0 ? [{ call, names, args, isElsewhere }] : [];
  });
  known.set(module, found);
  return found;
}

/** The names by which what a call gives is called: of a variable, a member or a property. */
function heldAs(index: ModuleIndex, call: TSESTree.Node): string[] {
  let node = call;
  while (node.parent && bareExpression(node.parent) === bareExpression(call)) node = node.parent;
  const { parent } = node;
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? [parent.id.name] : [];
    case 'AssignmentExpression': {
      const left = bareExpression(parent.left);
      const name = left.type === 'MemberExpression' ? index.keyOf(left) : undefined;
      return left.type === 'Identifier' ? [left.name] : name === undefined ? [] : [name];
    }
    case 'Property':
    case 'PropertyDefinition': {
      const name = index.keyOf(parent);
      return name === undefined ? [] : [name];
    }
    case 'ExportDefaultDeclaration':
      return ['default'];
    default:
      return [];
  }
}
