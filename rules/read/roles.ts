import type { TSESTree } from '@typescript-eslint/utils';
import {
  ERROR_PARAMETER,
  HANDLER_PROPERTY,
  HOSTS,
  NOW_METHODS,
  REQUEST,
  ROUTE_EXPORTS,
} from '../apis/handlers.ts';
import type { Callbacks } from '../apis/loop-rows.ts';
import type { LoopModule } from './loop-module.ts';
import {
  bareExpression,
  calleeOf,
  functionAround,
  isFunction,
  lastName,
  type CallNode,
  type FunctionNode,
} from './nodes.ts';
import { decoratorsOf } from './decorators.ts';
import { givesPromise, isMadeAsync } from './gives-promise.ts';
import { heldBy, registrationsOf, type Handed } from './registrations.ts';
import { takesRequest, takesRequestType } from './request-shape.ts';
import { STREAM_CODE } from '../apis/streams.ts';
import { isStreamMethod } from './stream-methods.ts';
import { symbolAt } from './symbol-at.ts';
import { isWrapped } from './wrapped.ts';

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
  /** Whether a function itself, or a callback that runs with it, makes a server, gives it its routes or lets it listen. */
  opensServer(fn: FunctionNode): boolean;
  /** How a function calls back later what it is given at a position, if it does. */
  keeps(fn: FunctionNode, position: number): Callbacks | undefined;
  /** Names that are registered and stand for no function of the module. */
  handed: readonly Handed[];
}

const roleBy = ({ run, as }: Callbacks): Role =>
  run === 'now' ? inline : run === 'called' ? plain : { run, as };
const inline: Role = { run: 'inline', as: '' };
const plain: Role = { run: 'plain', as: '' };

/** The roles of a module's functions. */
export function rolesOf(module: LoopModule): Roles {
  const before = rolesKnown.get(module);
  if (before) return before;
  const made = makeRoles(module);
  rolesKnown.set(module, made);
  return made;
}

/** The roles of a module's functions once some of them have become async. */
export const rolesOnceAsync = (module: LoopModule, functions: ReadonlySet<FunctionNode>): Roles =>
  makeRoles(module, (fn) => fn.async || functions.has(fn));

const rolesKnown = new WeakMap<LoopModule, Roles>();

function makeRoles(module: LoopModule, isAsync = (fn: FunctionNode): boolean => fn.async): Roles {
  const { index, callees, table } = module;
  const { functions, openings, callbacks, ...registrations } = registrationsOf(module);
  const handed = [...registrations.handed];
  const registered = new Map(functions);
  const known = new Map<FunctionNode, Role>();

  function of(fn: FunctionNode): Role {
    const before = known.get(fn);
    if (before) return before;
    const its = registered.get(fn);
    const role = its ? roleBy(its) : readRole(fn);
    known.set(fn, role);
    return role;
  }

  const kept = new Map<FunctionNode, (Callbacks | undefined)[]>();
  registerKept();

  /** `route('/x', load)` of `function route(path, handler) { app.get(path, (req, res) => handler(req)); }`. */
  function registerKept(): void {
    for (const call of index.calls) {
      if (call.type === 'TaggedTemplateExpression' || !call.arguments.some(mayHoldFunction)) continue;
      const fn = callees.functionOf(call);
      if (!fn) continue;
      call.arguments.forEach((arg, position) => {
        const callbacks = mayHoldFunction(arg) ? keeps(fn, position) : undefined;
        if (!callbacks) return;
        for (const held of heldBy(module, arg)) {
          if (!isFunction(held)) handed.push({ node: held, callbacks });
          else if (!registered.has(held)) registered.set(held, callbacks);
        }
      });
    }
    known.clear();
  }

  function keeps(fn: FunctionNode, position: number): Callbacks | undefined {
    const its = kept.get(fn) ?? fn.params.map((param) => keptBy(fn, param));
    kept.set(fn, its);
    return its[position];
  }

  /** How a function's parameter is called back later, where it registers it or calls it from what runs later. */
  function keptBy(fn: FunctionNode, param: TSESTree.Node): Callbacks | undefined {
    const name = param.type === 'AssignmentPattern' ? param.left : param;
    const variable = name.type === 'Identifier' ? index.variableOf(name) : undefined;
    for (const { identifier } of variable?.references ?? []) {
      const given = handed.find(({ node }) => node === identifier);
      if (given) return given.callbacks;
      const { parent } = identifier;
      if (parent.type !== 'CallExpression' || parent.callee !== identifier) continue;
      for (let at = functionAround(identifier); at && at !== fn; at = functionAround(at)) {
        const { run, as } = of(at);
        if (run === 'loop') return { run, as };
      }
    }
    return undefined;
  }

  let opening: Set<FunctionNode> | undefined;
  function opensServer(fn: FunctionNode): boolean {
    opening ??= new Set(openings.flatMap((call) => runnerOf(call) ?? []));
    return opening.has(fn);
  }

  /** The function that a node runs with. */
  function runnerOf(node: TSESTree.Node): FunctionNode | undefined {
    let fn = functionAround(node);
    while (fn && of(fn).run === 'inline') fn = functionAround(fn);
    return fn;
  }

  function readRole(fn: FunctionNode): Role {
    const asked = givenTo(fn);
    if (asked?.kind === 'invoked') return inline;
    // A generator that is not async runs where it is iterated.
    if (asked?.kind === 'argument' && isMadeAsync(asked.call)) return { run: 'async', as: asyncName(fn) };
    const isPromising = isAsync(fn) || (table.context.promises && givesPromise(fn));
    if (asked?.kind === 'argument' && !isWrapped(module, asked.call, fn)) {
      // Nothing of a generator runs by calling it: `Duplex.from(async function* () { … })`.
      if (isAsync(fn) && (fn.generator || !runsNow(asked.call))) return { run: 'async', as: asyncName(fn) };
      if (table.context.shapes && !runsNow(asked.call) && isErrorFirst(fn, asked.call))
        return { run: 'later', as: 'a callback' };
      if (table.context.shapes && !runsNow(asked.call) && takesRequest(fn))
        return { run: 'loop', as: REQUEST };
      return inline;
    }
    if (isPromising) return { run: 'async', as: asyncName(fn) };
    const host = hostRole(fn);
    if (host) return host;
    if (isStreamMethod(module, fn)) return { run: 'loop', as: STREAM_CODE };
    if (!table.context.shapes) return plain;
    if (takesRequest(fn) || isRouteExport(fn)) return { run: 'loop', as: `request handler${quoted(fn)}` };
    if (takesRequestType(callees, fn)) return { run: 'loop', as: 'code of a request' };
    if (isAssignedHandler(fn)) return { run: 'loop', as: 'an event handler' };
    return plain;
  }

  /** A method that a framework calls: by its decorator (`@Get()`), or as one of an interface of its host. */
  function hostRole({ parent }: FunctionNode): Role | undefined {
    if (parent.type !== 'MethodDefinition' || parent.kind !== 'method') return undefined;
    // Only TypeScript's parser knows interfaces.
    const { implements: interfaces = [] } = parent.parent.parent as Partial<TSESTree.ClassDeclaration>;
    for (const decorator of decoratorsOf(index, parent)) {
      const bare = bareExpression(decorator);
      const callbacks = module.rowNamed(bare.type === 'CallExpression' ? bare.callee : bare)?.row.callbacks;
      if (callbacks) return roleBy(callbacks);
    }
    const isPublic = parent.accessibility !== 'private' && parent.key.type !== 'PrivateIdentifier';
    return isPublic && !parent.static && interfaces.some(isOfHost)
      ? { run: 'loop', as: 'a method that its host calls' }
      : undefined;
  }

  /** `implements vscode.HoverProvider` */
  function isOfHost({ expression }: TSESTree.TSClassImplements): boolean {
    const meaning = callees.meaningOf(expression);
    return meaning?.is === 'import' && HOSTS.has(meaning.module);
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

  return { of, callbacks, opensServer, keeps, handed };
}

const mayHoldFunction = (arg: TSESTree.Node): boolean =>
  isFunction(arg) || arg.type === 'Identifier' || arg.type === 'MemberExpression';

/** Whether a call runs its callbacks before it returns, by its name. */
export function runsNow(call: CallNode): boolean {
  const callee = calleeOf(call);
  const name = lastName(callee) ?? '';
  return call.type === 'NewExpression' ? name === 'Promise' : NOW_METHODS.has(name);
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
