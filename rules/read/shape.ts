import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from './module-index.ts';
import { bareExpression, calleeOf, isFunction, lastName, type CallNode } from './nodes.ts';

/** Options that only a process has. */
const processOnly = new Set(
  'stdio windowsHide windowsVerbatimArguments shell argv0 execPath execArgv killSignal uid gid cwd env'.split(
    ' ',
  ),
);
const starts = /spawn|fork|exec|launch|run|start|daemon/i;
const isNoStart = /kill|stop|log|assert|expect|mock|stub|calledWith|^to[A-Z]|wait|record/i;

/**
 * The options argument of a call whose callee is out of sight, if its arguments have the shape of a process start:
 * a verb that starts, a list of arguments or an option that only processes have, and options that could detach.
 * Covers injected spawns (`this.childProcess.spawn`) and wrappers that are imported.
 */
export function shapedOptions(index: ModuleIndex, call: CallNode): TSESTree.Expression | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const callee = calleeOf(call);
  const name = lastName(callee);
  if (name === undefined || !starts.test(name) || isNoStart.test(name)) return undefined;
  const args = call.arguments.filter((arg) => !isFunction(arg));
  const options = args.at(-1);
  if (!options || options.type === 'SpreadElement' || args.some((arg) => arg.type === 'SpreadElement')) {
    return undefined;
  }
  const others = args.slice(0, -1);
  if (others.some(isArgumentList)) return options;
  const bare = bareExpression(options);
  if (bare.type !== 'ObjectExpression') return undefined;
  const keys = bare.properties.map((property) =>
    property.type === 'Property' ? index.keyOf(property) : undefined,
  );
  return keys.some((key) => key !== undefined && processOnly.has(key)) ? options : undefined;
}

function isArgumentList(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  return bare.type === 'ArrayExpression' || /^(\w*args|argv)$/i.test(lastName(bare) ?? '');
}
