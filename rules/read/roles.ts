import type { TSESTree } from '@typescript-eslint/utils';
import {
  ERROR_PARAMETER,
  HANDLER_PROPERTY,
  NOW_METHODS,
  PROMISE_METHODS,
  REGISTERS,
  REQUEST_PARAMETERS,
  ROUTE_EXPORTS,
  SHAPES,
} from '../apis/handlers.ts';
import type { Callbacks } from '../apis/loop-rows.ts';
import { COMMAND_METHODS, FIRST_EVENTS, LAST_EVENTS } from '../apis/off-loop.ts';
import type { LoopModule } from './loop-module.ts';
import { constantText } from './module-index.ts';
import { bareExpression, calleeOf, isFunction, lastName, type CallNode, type FunctionNode } from './nodes.ts';
import { symbolAt } from './symbol-at.ts';

/** How a function comes to run. */
export interface Role {
  run:
    /** Whenever something happens, on the loop. */
    | 'loop'
    /** As the callback of something that is asynchronous: on the loop unless that was started at the start. */
    | 'later'
    /** Elsewhere, or when nothing else runs. */
    | 'off'
    /** With the function around it, or handed to somebody by it. */
    | 'inline'
    /** When it is called, and then it is on the loop, for it gives a promise. */
    | 'async'
    /** When it is called. */
    | 'plain';
  /** What it is, for a message: `async \`load\``, `a request handler`. */
  as: string;
}

export interface Roles {
  of(fn: FunctionNode): Role;
  /** What becomes of functions that are handed to a call. */
  callbacks(call: CallNode): Callbacks | undefined;
}

const inline: Role = { run: 'inline', as: '' };
const plain: Role = { run: 'plain', as: '' };

/** The roles of a module's functions. */
export function rolesOf(module: LoopModule): Roles {
  const { index, callees, table } = module;
  const registered = new Map<FunctionNode, Role>();
  for (const call of index.calls) register(call);
  const known = new Map<FunctionNode, Role>();

  function of(fn: FunctionNode): Role {
    const before = known.get(fn);
    if (before) return before;
    const role = registered.get(fn) ?? readRole(fn);
    known.set(fn, role);
    return role;
  }

  /** Notes the functions that a call registers as handlers, by reference too. */
  function register(call: CallNode): void {
    if (call.type === 'TaggedTemplateExpression' || call.arguments.length === 0) return;
    const callbacks = callbacksAt(call);
    if (!callbacks) return;
    const role: Role = callbacks.run === 'now' ? inline : { run: callbacks.run, as: callbacks.as };
    for (const arg of call.arguments) for (const fn of functionsIn(arg, 2)) registered.set(fn, role);
  }

  function callbacksAt(call: CallNode): Callbacks | undefined {
    const name = lastName(calleeOf(call));
    if (name === undefined || call.type === 'TaggedTemplateExpression') return undefined;
    const isNamed = table.registers(name) || PROMISE_METHODS.has(name) || call.callee.type === 'Identifier';
    return isNamed ? callbacksOf(call, name) : undefined;
  }

  function callbacksOf(
    call: TSESTree.CallExpression | TSESTree.NewExpression,
    name: string,
  ): Callbacks | undefined {
    const row = module.rowOf(call)?.row;
    if (call.type === 'NewExpression') return row?.callbacks;
    const event = eventOf(call, name);
    if (event) return event;
    if (row?.callbacks) return row.callbacks;
    if (row || !table.context.shapes) return undefined;
    if (PROMISE_METHODS.has(name) && call.callee.type === 'MemberExpression')
      return isBootPromise(call.callee.object) ? undefined : { run: 'loop', as: 'a promise callback' };
    if (COMMAND_METHODS.has(name)) return { run: 'off', as: 'a command' };
    return call.callee.type === 'MemberExpression' ? shaped(call, name) : undefined;
  }

  /** What an event's name says: the last ones of a process must be handled synchronously, the first ones come once. */
  function eventOf(call: TSESTree.CallExpression, name: string): Callbacks | undefined {
    if (!SHAPES[0]?.names.has(name)) return undefined;
    const [first] = call.arguments;
    const event = first && constantText(index, first);
    if (event === undefined) return undefined;
    if (FIRST_EVENTS.has(event)) return { run: 'now', as: '' };
    if (!table.context.exits) return undefined;
    const isLast = LAST_EVENTS.has(event) || (event.startsWith('SIG') && leaves(call.arguments[1]));
    return isLast ? { run: 'off', as: 'an exit handler' } : undefined;
  }

  function leaves(handler: TSESTree.Node | undefined): boolean {
    const [fn] = handler ? functionsIn(handler, 1) : [];
    return (
      fn !== undefined &&
      ['exit', 'quit'].some((name) =>
        index.callsNamed(name).some(({ range }) => range[0] > fn.range[0] && range[1] < fn.range[1]),
      )
    );
  }

  function shaped(call: TSESTree.CallExpression, name: string): Callbacks | undefined {
    if (REGISTERS.test(name)) return { run: 'loop', as: 'an event handler' };
    const shape = SHAPES.find(({ names }) => names.has(name));
    const [first] = call.arguments;
    if (!shape || !first) return undefined;
    const fits =
      shape.needs === 'event'
        ? call.arguments.length > 1
        : shape.needs === 'route'
          ? isRoute(first) || call.arguments.some((arg) => isFunction(arg) && takesRequest(arg))
          : true;
    return fits ? { run: 'loop', as: shape.as } : undefined;
  }

  function isRoute(node: TSESTree.Node): boolean {
    return /^[/*]/.test(constantText(index, node) ?? '');
  }

  /** What is awaited before there is anything to serve: `import('x')`, `app.whenReady()`, the module's own `start()`. */
  function isBootPromise(object: TSESTree.Node): boolean {
    const bare = bareExpression(object);
    if (bare.type === 'ImportExpression') return true;
    if (bare.type !== 'CallExpression') return false;
    const name = lastName(bare.callee) ?? '';
    if (PROMISE_METHODS.has(name) && bare.callee.type === 'MemberExpression')
      return isBootPromise(bare.callee.object);
    return /^(when)?(ready|main|run|start|init|initialize|initialise|boot|bootstrap|setup|connect|authenticate)/i.test(
      name,
    );
  }

  /** The functions that an argument holds: itself, by name, in a list, in an object's properties, in a wrapper's arguments. */
  function functionsIn(arg: TSESTree.Node, depth: number): FunctionNode[] {
    const node = bareExpression(arg.type === 'SpreadElement' ? arg.argument : arg);
    if (isFunction(node)) return [node];
    if (depth < 0) return [];
    switch (node.type) {
      case 'ArrayExpression':
        return node.elements.flatMap((element) => (element ? functionsIn(element, depth - 1) : []));
      case 'ObjectExpression':
        return node.properties.flatMap((property) =>
          property.type === 'Property' ? functionsIn(property.value, depth - 1) : [],
        );
      case 'Identifier':
      case 'MemberExpression': {
        const meaning = callees.meaningOf(node);
        return meaning?.is === 'function' ? [meaning.node] : [];
      }
      case 'CallExpression': {
        const meaning = callees.meaningOf(node);
        if (meaning?.is === 'function') return [meaning.node];
        return node.arguments.flatMap((each) => functionsIn(each, depth - 1));
      }
      default:
        return [];
    }
  }

  function readRole(fn: FunctionNode): Role {
    const asked = givenTo(fn);
    if (asked?.kind === 'invoked') return inline;
    // A generator that is not async runs where it is iterated.
    const isPromising = fn.async || (table.context.promises && givesPromise(fn));
    if (asked?.kind === 'argument') {
      if (fn.async && !runsNow(asked.call)) return { run: 'async', as: asyncName(fn) };
      if (table.context.shapes && !runsNow(asked.call) && isErrorFirst(fn, asked.call))
        return { run: 'later', as: 'a callback' };
      return inline;
    }
    if (isPromising) return { run: 'async', as: asyncName(fn) };
    if (!table.context.shapes) return plain;
    if (takesRequest(fn) || isRouteExport(fn)) return { run: 'loop', as: `request handler${quoted(fn)}` };
    if (isAssignedHandler(fn)) return { run: 'loop', as: 'an event handler' };
    return plain;
  }

  function isErrorFirst(fn: FunctionNode, call: CallNode): boolean {
    const [first] = fn.params;
    const name = lastName(calleeOf(call)) ?? '';
    return first?.type === 'Identifier' && ERROR_PARAMETER.test(first.name) && name !== 'listen';
  }

  /** The call that a function is an argument of, or that calls it on the spot. */
  function givenTo(fn: FunctionNode): { kind: 'argument' | 'invoked'; call: CallNode } | undefined {
    let node: TSESTree.Node = fn;
    while (node.parent && bareExpression(node.parent) === fn) node = node.parent;
    const { parent } = node;
    if (parent?.type === 'MemberExpression' && /^(call|apply)$/.test(lastName(parent) ?? '')) node = parent;
    const call = node.parent;
    if (call?.type !== 'CallExpression' && call?.type !== 'NewExpression') return undefined;
    return { kind: call.callee === node ? 'invoked' : 'argument', call };
  }

  return { of, callbacks: callbacksAt };
}

/** Whether a call runs its callbacks before it returns, by its name. */
export function runsNow(call: CallNode): boolean {
  const callee = calleeOf(call);
  const name = lastName(callee) ?? '';
  return call.type === 'NewExpression' ? name === 'Promise' : NOW_METHODS.has(name);
}

function takesRequest(fn: FunctionNode): boolean {
  return REQUEST_PARAMETERS.every((pattern, at) => {
    const param = fn.params[at];
    return param?.type === 'Identifier' && pattern.test(param.name);
  });
}

function isRouteExport(fn: FunctionNode): boolean {
  const name = fn.id?.name ?? (fn.parent.type === 'VariableDeclarator' ? lastName(fn.parent.id) : undefined);
  if (name === undefined || !ROUTE_EXPORTS.has(name)) return false;
  const declaration = fn.parent.type === 'VariableDeclarator' ? fn.parent.parent : fn;
  return declaration.parent.type === 'ExportNamedDeclaration';
}

function isAssignedHandler(fn: FunctionNode): boolean {
  const { parent } = fn;
  return (
    parent.type === 'AssignmentExpression' &&
    parent.right === fn &&
    parent.left.type === 'MemberExpression' &&
    HANDLER_PROPERTY.test(lastName(parent.left) ?? '')
  );
}

/** Says by its type or by what it returns that it gives a promise. */
function givesPromise(fn: FunctionNode): boolean {
  const type = fn.returnType?.typeAnnotation;
  if (type) return type.type === 'TSTypeReference' && /^Promise(Like)?$/.test(lastEntity(type.typeName));
  const { body } = fn;
  if (body.type !== 'BlockStatement') return isPromise(body);
  const last = body.body.at(-1);
  return last?.type === 'ReturnStatement' && last.argument !== null && isPromise(last.argument);
}

const lastEntity = (name: TSESTree.EntityName): string =>
  name.type === 'Identifier' ? name.name : name.type === 'TSQualifiedName' ? name.right.name : '';

/** `new Promise(…)`, `Promise.resolve(…)`, `x.then(…)`. */
function isPromise(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  if (bare.type === 'NewExpression') return lastName(bare.callee) === 'Promise';
  if (bare.type !== 'CallExpression' || bare.callee.type !== 'MemberExpression') return false;
  return lastName(bare.callee.object) === 'Promise' || PROMISE_METHODS.has(lastName(bare.callee) ?? '');
}

function asyncName(fn: FunctionNode): string {
  const kind = fn.async ? 'async' : 'promise-returning';
  return `${kind}${quoted(fn) || ' function'}`;
}

function quoted(fn: FunctionNode): string {
  const name = functionName(fn);
  return name ? ` \`${name}\`` : '';
}

/** A function's own name, `Class.method` for methods; empty for callbacks. */
export function functionName(fn: FunctionNode): string {
  const whole = symbolAt(fn);
  const around = fn.parent.parent ? symbolAt(outerFunction(fn)) : '';
  return around && whole.startsWith(`${around}.`)
    ? whole.slice(around.length + 1)
    : whole === around
      ? ''
      : whole;
}

function outerFunction(fn: FunctionNode): TSESTree.Node | undefined {
  let at: TSESTree.Node | undefined = fn.parent;
  while (at && !isFunction(at)) at = at.parent;
  return at;
}
