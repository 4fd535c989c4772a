import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from './module-index.ts';
import { bareExpression, calleeOf, functionAround, isFunction, lastName, type CallNode } from './nodes.ts';

// What is here is not known by binding but by its shape: injected spawns, wrappers that are imported, options that are
// handed out. Each needs a name that starts something and arguments that only a process has.

const processOnly = new Set(
  'stdio windowsHide windowsVerbatimArguments shell argv0 execPath execArgv killSignal uid gid cwd env'.split(
    ' ',
  ),
);
const starts = /spawn|exec|fork|launch|run|start|daemon/i;
const isNoStart =
  /^(record|track|report|notify|emit|on[A-Z]|to[A-Z]|wait|assert|expect|mock|stub)|kill|calledWith|Owned$/;
const namesLog = /^_?(log|logger|debug|trace|console)(?![a-z])|(?<=[a-z])(?<!And)(Log|Logger)$/;

/**
 * The options argument of a call whose callee is out of sight, if its arguments have the shape of a process start:
 * a verb that starts, a list of arguments or an option that only processes have, and options that could detach.
 */
export function shapedOptions(index: ModuleIndex, call: CallNode): TSESTree.Expression | undefined {
  if (call.type !== 'CallExpression' || !hasStartingName(call)) return undefined;
  const args = call.arguments.filter((arg) => !isFunction(arg));
  const list = args.findIndex(isArgumentList);
  // A callback may be a parameter: `spawn(file, args, { … }, onData)`.
  const isObject = (arg: TSESTree.Node, at: number) =>
    at > list && bareExpression(arg).type === 'ObjectExpression';
  const options = args.findLast(isObject) ?? args.at(-1);
  if (!options || options.type === 'SpreadElement') return undefined;
  if (list !== -1 && args.indexOf(options) > list) return options;
  return hasProcessOption(index, options) || isCommandRecord(index, options) ? options : undefined;
}

/** The keys of a wrapper's options that hold the options of a process: `{ execaOpts: { detached: true } }`. */
export function innerOptions(index: ModuleIndex, options: TSESTree.Node): string[] {
  return keysOf(index, options).filter((key) =>
    /(^|spawn|exec|execa|child|process|fork)_?opt(ion)?s$/i.test(key),
  );
}

/** Whether an object says what to run: `{ command: 'node', args: [entry] }`. */
function isCommandRecord(index: ModuleIndex, options: TSESTree.Node): boolean {
  const keys = keysOf(index, options);
  return (
    keys.some((key) => /^(cmd|command|file|program|executable|bin|exe)$/i.test(key)) &&
    keys.some((key) => /^(args|argv|arguments)$/i.test(key))
  );
}

function keysOf(index: ModuleIndex, node: TSESTree.Node): string[] {
  const bare = bareExpression(node);
  if (bare.type !== 'ObjectExpression') return [];
  return bare.properties.flatMap((property) =>
    property.type === 'Property' ? (index.keyOf(property) ?? []) : [],
  );
}

/** Whether an expression is an object with an option that only processes have. */
export function hasProcessOption(index: ModuleIndex, options: TSESTree.Node): boolean {
  return keysOf(index, options).some((key) => processOnly.has(key));
}

/** Whether a callee's name says that it writes a file: `writeFile`, `fs.writeFileSync`. */
export function hasWritingName(call: CallNode): boolean {
  return /^write\w*file/i.test(lastName(calleeOf(call)) ?? '');
}

/** Whether a callee's name says that it starts something: `runCommand`, `sshExec`. */
export function hasStartingName(call: CallNode): boolean {
  const callee = calleeOf(call);
  const name = lastName(callee);
  return name !== undefined && starts.test(name) && !isNoStart.test(name) && !isLog(callee);
}

/** Whether a callee writes a record of what happens: `debugLaunch(…)`, `logger.spawn(…)`, `this.launchLog(…)`. */
function isLog(callee: TSESTree.Node): boolean {
  const name = lastName(callee);
  if (name !== undefined && namesLog.test(name)) return true;
  return callee.type === 'MemberExpression' && isLog(bareExpression(callee.object));
}

function isArgumentList(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  const named = bare.type === 'SpreadElement' ? bare.argument : bare;
  return bare.type === 'ArrayExpression' || /^(\w*args|\w*arguments|argv)$/i.test(lastName(named) ?? '');
}

/**
 * Whether an object is made here as options for a start elsewhere: the value of a field, returned, or exported,
 * with another option that only processes have or under a name that says so (`getSpawnOptions`).
 */
export function isHandedOut(index: ModuleIndex, object: TSESTree.ObjectExpression): boolean {
  let at: TSESTree.Node = object;
  while (at.parent && /^(ConditionalExpression|LogicalExpression|TS\w+Expression)$/.test(at.parent.type)) {
    at = at.parent;
  }
  const parent = at.parent;
  if (!parent) return false;
  const holder = holderOf(parent, at);
  if (!holder) return false;
  const name =
    'key' in holder ? lastName(holder.key) : 'id' in holder && holder.id ? lastName(holder.id) : undefined;
  return hasProcessOption(index, object) || /(spawn|child|process|fork)\w*opt/i.test(name ?? '');
}

type Holder =
  TSESTree.PropertyDefinition | TSESTree.VariableDeclarator | NonNullable<ReturnType<typeof namedFunction>>;

function holderOf(parent: TSESTree.Node, value: TSESTree.Node): Holder | undefined {
  if (parent.type === 'PropertyDefinition') return parent;
  if (parent.type === 'VariableDeclarator') {
    return parent.parent.parent.type === 'ExportNamedDeclaration' ? parent : undefined;
  }
  const isReturned =
    parent.type === 'ReturnStatement' || (parent.type === 'ArrowFunctionExpression' && parent.body === value);
  return isReturned ? namedFunction(value) : undefined;
}

/** What names the function around a returned value. */
function namedFunction(value: TSESTree.Node) {
  const fn = functionAround(value);
  if (fn?.type === 'FunctionDeclaration') return fn;
  const parent = fn?.parent;
  return parent?.type === 'VariableDeclarator' || parent?.type === 'MethodDefinition' ? parent : undefined;
}
