import type { TSESTree } from '@typescript-eslint/utils';
import { PROMISE_CALLBACK, PROMISE_METHODS, REGISTERS, REQUEST, SHAPES } from '../apis/handlers.ts';
import type { Callbacks } from '../apis/loop-rows.ts';
import { COMMAND, COMMAND_METHODS, FIRST_EVENTS, LAST_EVENTS } from '../apis/off-loop.ts';
import type { LoopModule } from './loop-module.ts';
import { constantText } from './module-index.ts';
import { bareExpression, calleeOf, isFunction, lastName, type CallNode, type FunctionNode } from './nodes.ts';
import { takesRequest } from './request-shape.ts';
import { withoutModifiers } from './test-runner.ts';

/** A function of another file, perhaps, that is registered by its name. */
export interface Handed {
  node: TSESTree.Node;
  callbacks: Callbacks;
}

/** Who is told by a module's calls to call back. */
export interface Registrations {
  /** The functions of the module. */
  functions: ReadonlyMap<FunctionNode, Callbacks>;
  /** Names that stand for no function of the module. */
  handed: readonly Handed[];
  /** What becomes of functions that are handed to a call. */
  callbacks: (call: CallNode) => Callbacks | undefined;
  /** Calls that make a server, give it its routes or let it listen. */
  openings: readonly CallNode[];
}

/** Functions that a value may hold, by lists, properties and wrappers this deep. */
const MOST_DEEP = 3;

/** What the calls of a module register, by the rows of the table and by their shape. */
export function registrationsOf(module: LoopModule): Registrations {
  const { index, table } = module;
  const functions = new Map<FunctionNode, Callbacks>();
  const handed: Handed[] = [];
  const openings: CallNode[] = [
    ...index.callsNamed('listen').filter((call) => calleeOf(call).type === 'MemberExpression'),
    ...['createServer', 'createSecureServer'].flatMap((name) => index.callsNamed(name)),
  ];
  for (const call of index.calls) register(call);
  return { functions, handed, callbacks: callbacksAt, openings };

  /** Notes what a call registers, by reference too. */
  function register(call: CallNode): void {
    if (call.type === 'TaggedTemplateExpression' || call.arguments.length === 0) return;
    const callbacks = callbacksAt(call);
    if (!callbacks || callbacks.run === 'called') return;
    for (const held of call.arguments.flatMap((arg) => heldBy(module, arg))) {
      if (!isFunction(held)) handed.push({ node: held, callbacks });
      else functions.set(held, callbacks);
      // A client's `get('/path')` takes no function.
      if (isFunction(held) && callbacks.as === REQUEST && openings.at(-1) !== call) openings.push(call);
    }
  }

  function callbacksAt(call: CallNode): Callbacks | undefined {
    if (call.type === 'TaggedTemplateExpression') return undefined;
    const test = testsOf(calleeOf(call));
    if (test) return test;
    const name = lastName(calleeOf(call));
    if (name === undefined) return undefined;
    const isNamed = table.registers(name) || PROMISE_METHODS.has(name) || call.callee.type === 'Identifier';
    return isNamed ? callbacksOf(call, name) : undefined;
  }

  /** `it.each([1, 2])('adds', fn)`, `it.only('adds', fn)`, and `t.test('adds', fn)` of a test's own context. */
  function testsOf(callee: TSESTree.Node): Callbacks | undefined {
    const runner = withoutModifiers(callee);
    if (runner !== callee) {
      const callbacks = module.rowNamed(runner)?.row.callbacks;
      return callbacks?.as === 'a test' ? callbacks : undefined;
    }
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined;
    if (!/^(?:test|(?:before|after)(?:Each)?)$/.test(lastName(callee) ?? '')) return undefined;
    const def = index.variableOf(callee.object)?.defs[0];
    const around = def?.type === 'Parameter' && isFunction(def.node) ? def.node.parent : undefined;
    const callbacks = around?.type === 'CallExpression' ? callbacksAt(around) : undefined;
    return callbacks?.as === 'a test' ? callbacks : undefined;
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
      return isBootPromise(call.callee.object) ? undefined : { run: 'loop', as: PROMISE_CALLBACK };
    if (COMMAND_METHODS.has(name)) return { run: 'off', as: COMMAND };
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
    const [fn] = handler ? heldBy(module, handler) : [];
    return (
      isFunction(fn) &&
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
    const { as, rejections } = shape;
    return fits ? { run: 'loop', as, ...(rejections && { rejections }) } : undefined;
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
}

/**
 * The functions that an expression holds: itself, by name, in a list, in an object's properties, in a wrapper's
 * arguments; a name that stands for no function of the module is given as it is.
 */
export function heldBy(module: LoopModule, given: TSESTree.Node, depth = MOST_DEEP): TSESTree.Node[] {
  const { callees } = module;
  const node = bareExpression(given.type === 'SpreadElement' ? given.argument : given);
  if (isFunction(node)) return [node];
  if (depth < 0) return [];
  switch (node.type) {
    case 'ArrayExpression':
      return node.elements.flatMap((element) => (element ? heldBy(module, element, depth - 1) : []));
    case 'ObjectExpression':
      return node.properties.flatMap((property) =>
        property.type === 'Property' ? heldBy(module, property.value, depth - 1) : [],
      );
    case 'Identifier':
    case 'MemberExpression': {
      const meaning = callees.meaningOf(node);
      if (meaning?.is === 'object') return heldBy(module, meaning.node, depth - 1);
      return [meaning?.is === 'function' ? meaning.node : node];
    }
    case 'CallExpression': {
      const meaning = callees.meaningOf(node);
      if (meaning?.is === 'function') return [meaning.node];
      const callee = calleeOf(node);
      // `controller.list.bind(controller)`
      if (callee.type === 'MemberExpression' && lastName(callee) === 'bind')
        return heldBy(module, callee.object, depth - 1);
      return node.arguments.flatMap((each) => heldBy(module, each, depth - 1));
    }
    default:
      return [];
  }
}
