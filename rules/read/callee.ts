import type { TSESTree } from '@typescript-eslint/utils';
import { dirname, join } from 'node:path/posix';
import { bare, type ProcessApi, type ProcessTable } from '../apis/tables.ts';
import {
  constantText,
  isStatic,
  thisOwner,
  type ModuleIndex,
  type ThisOwner,
  type Variable,
} from './module-index.ts';
import {
  bareExpression,
  calleeOf,
  isClass,
  isFunction,
  lastName,
  type CallNode,
  type ClassNode,
  type FunctionNode,
} from './nodes.ts';
import { bindingOf, parameterOf } from './pattern.ts';

/** What an expression stands for. Globals are members of the module `global`; `Bun` and `Deno` of `bun` and `deno`. */
export type Meaning =
  | { is: 'import'; module: string; path: string; bound?: readonly TSESTree.Node[] }
  | { is: 'function'; node: FunctionNode }
  | { is: 'class'; node: ClassNode }
  | { is: 'instance'; node: ThisOwner }
  | { is: 'object'; node: TSESTree.ObjectExpression }
  | { is: 'type'; members: readonly TSESTree.TypeElement[] };

/** A call as it arrives at the function: `f.call(this, a)` and `Reflect.apply(f, this, [a])` are `f(a)`. */
export interface Invocation {
  target: TSESTree.Node;
  args: readonly TSESTree.Node[];
  /** Whether more arguments follow that cannot be seen (`...args`). */
  open: boolean;
  /** The list that holds them. */
  rest?: TSESTree.Node | undefined;
  /** The last argument, where those before it cannot be counted. */
  tail?: TSESTree.Node | undefined;
}

/** Resolves what the expressions of one module stand for, by binding and module specifier, never by name alone. */
export interface Callees {
  meaningOf(node: TSESTree.Node): Meaning | undefined;
  /** The table's row that a call starts a process with. */
  rowOf(call: CallNode): { row: ProcessApi; invocation: Invocation } | undefined;
  /** The function of this module that a call enters. */
  functionOf(call: CallNode): FunctionNode | undefined;
  /** The calls of this module that enter a function. */
  callersOf(fn: FunctionNode): readonly CallNode[];
  /** Whether nothing but those calls can enter it. */
  isPrivate(fn: FunctionNode): boolean;
}

/**
 * The callee, the arguments, and whether there may be more of them.
 *
 * @param listOf what a name of a list of arguments stands for
 */
export function invocationOf(call: CallNode, listOf: ListOf = (node) => node): Invocation {
  const target = calleeOf(call);
  if (call.type === 'TaggedTemplateExpression') return { target, args: [call.quasi], open: false };
  const given = spreadOut(call.arguments, listOf);
  const { args, open } = given;
  const last = call.arguments.at(-1);
  const tail = open && last?.type !== 'SpreadElement' ? last : undefined;
  if (target.type !== 'MemberExpression') return { target, ...given, tail };
  const [first, , list] = args;
  switch (lastName(target)) {
    case 'call':
      return { target: bareExpression(target.object), ...given, args: args.slice(1) };
    case 'apply':
      return lastName(target.object) === 'Reflect' && first
        ? { target: bareExpression(first), ...listed(list, listOf) }
        : { target: bareExpression(target.object), ...listed(args[1], listOf) };
    default:
      return { target, ...given, tail };
  }
}

type ListOf = (node: TSESTree.Node) => TSESTree.Node;
type Arguments = Pick<Invocation, 'args' | 'open' | 'rest'>;

function listed(node: TSESTree.Node | undefined, listOf: ListOf): Arguments {
  const list = node && listOf(node);
  return list?.type === 'ArrayExpression'
    ? spreadOut(list.elements, listOf)
    : { args: [], open: true, rest: list };
}

function spreadOut(list: readonly (TSESTree.Node | null)[], listOf: ListOf): Arguments {
  const args: TSESTree.Node[] = [];
  for (const item of list) {
    if (!item) return { args, open: true };
    if (item.type === 'SpreadElement') {
      const inner = listed(item.argument, listOf);
      args.push(...inner.args);
      if (inner.open) return { args, open: true, rest: inner.rest };
    } else args.push(item);
  }
  return { args, open: false };
}

/** Aliases of aliases go a few steps in code that people write; bundles would overflow the stack. */
const maximumDepth = 100;

/** What the resolver asks of a table; `makes` names what a call or a type stands for, as the start of a path. */
export interface ApiTable extends Pick<ProcessTable, 'knows' | 'row'> {
  makes?(module: string, path: string): string | undefined;
}

/** The resolver of one module. */
export function calleesOf(index: ModuleIndex, table: ApiTable): Callees {
  const { filename } = index.view;
  const meanings = new Map<TSESTree.Node, Meaning | undefined>();
  const ofVariables = new Map<Variable, Meaning | undefined>();
  const callers = new Map<FunctionNode, readonly CallNode[]>();
  const usesZx = /['"]zx\/globals['"]|^#!.*\bzx\b/.test(index.view.text);
  let depth = 0;

  function meaningOf(node: TSESTree.Node): Meaning | undefined {
    const bareNode = bareExpression(node);
    if (meanings.has(bareNode)) return meanings.get(bareNode);
    if (depth > maximumDepth) return undefined;
    // A cycle means nothing: `x = x || y` is told by y.
    meanings.set(bareNode, undefined);
    depth += 1;
    const meaning = readMeaning(bareNode);
    depth -= 1;
    meanings.set(bareNode, meaning);
    return meaning;
  }

  function readMeaning(node: TSESTree.Node): Meaning | undefined {
    switch (node.type) {
      case 'Identifier':
        return ofIdentifier(node);
      case 'MemberExpression':
        return ofMember(node);
      case 'CallExpression':
        return ofCall(node);
      case 'NewExpression': {
        const made = meaningOf(node.callee);
        if (made?.is === 'class') return { is: 'instance', node: made.node };
        return made?.is === 'function' ? { is: 'instance', node: index.view.ast } : madeBy(made);
      }
      case 'ThisExpression': {
        const owner = thisOwner(node);
        return isClass(owner) && isStatic(node)
          ? { is: 'class', node: owner }
          : { is: 'instance', node: owner };
      }
      case 'AwaitExpression':
        return meaningOf(node.argument);
      case 'ImportExpression':
        return ofModule(constantText(index, node.source));
      case 'AssignmentExpression':
        return meaningOf(node.right);
      case 'ConditionalExpression':
        return firstImport([node.consequent, node.alternate]);
      case 'LogicalExpression':
        return firstImport([node.left, node.right]);
      case 'ObjectExpression':
        return { is: 'object', node };
      case 'ClassDeclaration':
      case 'ClassExpression':
        return { is: 'class', node };
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return { is: 'function', node };
      default:
        return ofTypeNode(node as TSESTree.TypeNode);
    }
  }

  /** Of several candidates the one that is an API's, else the first that is known. */
  function firstImport(nodes: readonly TSESTree.Node[]): Meaning | undefined {
    const found = nodes.map(meaningOf).filter((meaning) => meaning !== undefined);
    return found.find(isForeign) ?? found[0];
  }

  function ofModule(specifier: string | undefined): Meaning | undefined {
    if (specifier === undefined) return undefined;
    const module = bare(specifier);
    if (!specifier.startsWith('.')) return { is: 'import', module, path: '' };
    const file = join(dirname(filename.replaceAll('\\', '/')), specifier).replace(/\.[cm]?[jt]sx?$/, '');
    return { is: 'import', module: `./${file}`, path: '' };
  }

  function ofIdentifier(node: TSESTree.Identifier): Meaning | undefined {
    const variable = index.variableOf(node);
    if (!variable) return usesZx && node.name === '$' ? ofModule('zx/globals') : ofGlobal(node.name);
    if (ofVariables.has(variable)) return ofVariables.get(variable);
    ofVariables.set(variable, undefined);
    const meaning = ofVariable(variable);
    ofVariables.set(variable, meaning);
    return meaning;
  }

  function ofVariable(variable: Variable): Meaning | undefined {
    const [def] = variable.defs;
    if (!def) return undefined;
    switch (def.type) {
      case 'ImportBinding':
        return ofImport(def.node);
      case 'FunctionName':
        return isFunction(def.node) ? { is: 'function', node: def.node } : undefined;
      case 'ClassName':
        return { is: 'class', node: def.node };
      case 'Parameter':
        return ofParameter(variable, def.name);
      case 'Variable':
        if (def.parent.declare) return ofGlobal(variable.name);
        return ofInitial(def.name, def.node) ?? ofWrites(variable) ?? ofType(def.name);
      default:
        return undefined;
    }
  }

  function ofImport(node: TSESTree.Node): Meaning | undefined {
    if (node.type === 'TSImportEqualsDeclaration') {
      const { moduleReference } = node;
      if (moduleReference.type !== 'TSExternalModuleReference') return ofEntity(moduleReference);
      return ofModule(constantText(index, moduleReference.expression));
    }
    if (node.parent?.type !== 'ImportDeclaration') return undefined;
    const module = ofModule(node.parent.source.value);
    if (node.type !== 'ImportSpecifier') return module;
    return memberOf(module, node.imported.type === 'Identifier' ? node.imported.name : node.imported.value);
  }

  function ofInitial(name: TSESTree.Node, declarator: TSESTree.VariableDeclarator): Meaning | undefined {
    if (!declarator.init) return undefined;
    const binding = bindingOf(index, name);
    if (!binding || binding.without) return undefined;
    const whole = meaningOf(declarator.init);
    const meaning = binding.path.reduce<Meaning | undefined>(memberOf, whole);
    return meaning ?? (binding.fallback && meaningOf(binding.fallback));
  }

  function ofWrites(variable: Variable): Meaning | undefined {
    for (const { identifier, writeExpr, init } of variable.references) {
      if (!writeExpr || init) continue;
      const path = bindingOf(index, identifier)?.path ?? [];
      const meaning = path.reduce<Meaning | undefined>(memberOf, meaningOf(writeExpr));
      if (meaning) return meaning;
    }
    return undefined;
  }

  function ofParameter(variable: Variable, name: TSESTree.Node): Meaning | undefined {
    const binding = bindingOf(index, name);
    if (!binding || binding.without) return undefined;
    const byDefault = binding.fallback && meaningOf(binding.fallback);
    const through = (meaning: Meaning | undefined) => binding.path.reduce(memberOf, meaning);
    const known =
      (byDefault && through(byDefault)) ?? byDefault ?? ofType(name) ?? through(ofType(binding.top));
    if (known) return known;
    const place = parameterOf(binding.top);
    const given = place && givenTo(place.fn, place.position).map(through);
    return given?.find((meaning) => isForeign(meaning)) ?? ofWrites(variable);
  }

  /**
   * What the calls of this module hand to a parameter. `import('x').then((x) => …)` and AMD's `define(['x'], (x) => …)`
   * hand a module over.
   */
  function givenTo(fn: FunctionNode, position: number): (Meaning | undefined)[] {
    const { parent } = fn;
    if (parent.type === 'CallExpression' && parent.callee !== fn) {
      const callee = calleeOf(parent);
      const name = lastName(callee) ?? '';
      if (
        callee.type === 'MemberExpression' &&
        name === 'then' &&
        parent.arguments[0] === fn &&
        position === 0
      )
        return [meaningOf(callee.object)];
      const list = parent.arguments.find((arg) => arg.type === 'ArrayExpression');
      const specifier = list?.elements[position];
      if (/^(define|require|requirejs)$/.test(name) && specifier)
        return [ofModule(constantText(index, specifier))];
    }
    return callersOf(fn).map((call) => {
      const arg = invocationOf(call).args[position];
      return arg && meaningOf(arg);
    });
  }

  function ofMember(node: TSESTree.MemberExpression): Meaning | undefined {
    const key = index.keyOf(node);
    if (key === undefined) return undefined;
    return memberOf(meaningOf(node.object), key) ?? ofMemberWrites(node);
  }

  /** `deps.spawn = spawn` before `deps.spawn(…)`. */
  function ofMemberWrites(node: TSESTree.MemberExpression): Meaning | undefined {
    const place = index.rootOf(node);
    if (!place) return undefined;
    for (const write of index.memberWrites(place.root)) {
      if (write.node.type !== 'AssignmentExpression' || write.path.join() !== place.path.join()) continue;
      const meaning = meaningOf(write.node.right);
      if (meaning) return meaning;
    }
    return undefined;
  }

  function memberOf(meaning: Meaning | undefined, key: string): Meaning | undefined {
    if (depth > maximumDepth) return undefined;
    depth += 1;
    const member = readMember(meaning, key);
    depth -= 1;
    return member;
  }

  function readMember(meaning: Meaning | undefined, key: string): Meaning | undefined {
    switch (meaning?.is) {
      case 'import': {
        if (key === 'default') return meaning;
        if (meaning.module === 'global' && meaning.path === '') return ofGlobal(key);
        if (meaning.module === 'global' && meaning.path === 'globalThis') return ofGlobal(key);
        return { ...meaning, path: meaning.path === '' ? key : `${meaning.path}.${key}` };
      }
      case 'object':
        return memberOfObject(meaning.node, key);
      case 'class':
        return memberOfClass(meaning.node, key, true);
      case 'instance':
        return memberOfInstance(meaning.node, key);
      case 'type':
        return memberOfType(meaning.members, key);
      default:
        return undefined;
    }
  }

  function memberOfObject(object: TSESTree.ObjectExpression, key: string): Meaning | undefined {
    for (const property of object.properties.toReversed()) {
      if (property.type === 'SpreadElement') {
        const meaning = memberOf(meaningOf(property.argument), key);
        if (meaning) return meaning;
      } else if (index.keyOf(property) === key) {
        return property.kind === 'get' && isFunction(property.value)
          ? returned(property.value)
          : meaningOf(property.value);
      }
    }
    return undefined;
  }

  function memberOfInstance(owner: ThisOwner, key: string): Meaning | undefined {
    const member =
      owner.type === 'ObjectExpression'
        ? memberOfObject(owner, key)
        : isClass(owner)
          ? memberOfClass(owner, key, false)
          : undefined;
    if (member) return member;
    for (const { node, path } of index.memberWrites(owner)) {
      if (node.type !== 'AssignmentExpression' || path.length !== 1 || path[0] !== key) continue;
      const meaning = meaningOf(node.right);
      if (meaning) return meaning;
    }
    return owner.type === 'Program' ? prototypeMember(key) : undefined;
  }

  /** `Monitor.prototype.start = function () {}` of a function that is used as a class. */
  function prototypeMember(key: string): Meaning | undefined {
    return prototypeMembers().get(key);
  }

  let prototypes: Map<string, Meaning> | undefined;
  function prototypeMembers(): Map<string, Meaning> {
    if (prototypes) return prototypes;
    prototypes = new Map();
    for (const scope of index.view.scopeManager.scopes) {
      for (const variable of scope.variables) {
        for (const { node, path } of variable.defs.length > 0 ? index.memberWrites(variable) : []) {
          if (node.type !== 'AssignmentExpression') continue;
          const at = path.indexOf('prototype');
          const name = at >= 0 ? path[at + 1] : undefined;
          if (name !== undefined && isFunction(node.right))
            prototypes.set(name, { is: 'function', node: node.right });
        }
      }
    }
    return prototypes;
  }

  function memberOfClass(owner: ClassNode, key: string, ofClass: boolean): Meaning | undefined {
    for (const element of owner.body.body) {
      if (element.type === 'MethodDefinition' && element.kind === 'constructor') {
        const injected = ofClass ? undefined : parameterProperty(element, key);
        if (injected) return injected;
        continue;
      }
      if (!('static' in element) || element.static !== ofClass || index.keyOf(element) !== key) continue;
      if (element.type === 'MethodDefinition') {
        const method = element.value.type === 'FunctionExpression' ? element.value : undefined;
        if (element.kind === 'method') return method && { is: 'function', node: method };
        return element.kind === 'get' && method ? returned(method) : undefined;
      }
      if (element.type === 'PropertyDefinition') {
        const meaning = element.value ? meaningOf(element.value) : undefined;
        return meaning ?? (element.typeAnnotation && meaningOf(element.typeAnnotation.typeAnnotation));
      }
    }
    const base = owner.superClass ? meaningOf(owner.superClass) : undefined;
    return base?.is === 'class'
      ? memberOf(ofClass ? base : { is: 'instance', node: base.node }, key)
      : undefined;
  }

  function parameterProperty(constructor: TSESTree.MethodDefinition, key: string): Meaning | undefined {
    for (const param of constructor.value.params) {
      if (param.type !== 'TSParameterProperty') continue;
      const name = param.parameter.type === 'AssignmentPattern' ? param.parameter.left : param.parameter;
      if (name.name === key) return meaningOf(name);
    }
    return undefined;
  }

  function ofCall(call: TSESTree.CallExpression): Meaning | undefined {
    const { target, args } = invocationOf(call);
    const [first] = args;
    const name = lastName(target);
    // Bundlers rename `require`, and wrap it: the specifier decides.
    if (name !== undefined && /require|import|getBuiltinModule/i.test(name) && first) {
      const specifier = constantText(index, first);
      if (specifier !== undefined && (name === 'require' || isKnown(specifier)) && !isOwnRequire(target)) {
        return ofModule(specifier);
      }
    }
    if (first && isInterop(target)) return meaningOf(first);
    const meaning = meaningOf(target);
    if (meaning?.is === 'function') return returned(meaning.node);
    if (
      meaning?.is === 'import' &&
      first &&
      /promisify|^(pify|thenify)/i.test(`${meaning.module}.${meaning.path}`)
    ) {
      return meaningOf(first);
    }
    if (target.type === 'MemberExpression' && name === 'bind') {
      const function_ = meaningOf(target.object);
      return function_?.is === 'import' && args.length > 1
        ? { ...function_, bound: args.slice(1) }
        : function_;
    }
    // `createRequire(import.meta.url)('child_process')`
    if (meaning?.is === 'import' && meaning.path.endsWith('createRequire')) {
      return { is: 'import', module: 'global', path: 'require' };
    }
    if (meaning?.is === 'import' && meaning.module === 'global' && meaning.path === 'require' && first) {
      return ofModule(constantText(index, first));
    }
    return madeBy(meaning);
  }

  /** What a call of an API, or a type that it exports, stands for. */
  function madeBy(meaning: Meaning | undefined): Meaning | undefined {
    if (meaning?.is !== 'import') return undefined;
    const path = table.makes?.(meaning.module, meaning.path);
    return path === undefined ? undefined : { is: 'import', module: meaning.module, path };
  }

  const isKnown = (specifier: string) =>
    table.knows(bare(specifier)) || /^(node:)?(process|os|util|module)$/.test(specifier);

  /** A function of this module that happens to be called `require`. */
  function isOwnRequire(target: TSESTree.Node): boolean {
    if (target.type !== 'Identifier' || target.name !== 'require') return false;
    return meaningOf(target)?.is === 'function';
  }

  /** Compilers hand a required module through a helper: `__importStar`, `_interopRequireWildcard`, `__toESM`. */
  function isInterop(target: TSESTree.Node): boolean {
    const name = lastName(target);
    const holder = target.type === 'MemberExpression' ? lastName(target.object) : undefined;
    return [name, holder].some(
      (part) =>
        part !== undefined && /interop|importStar|importDefault|to_?esm|to_?module|esmImport/i.test(part),
    );
  }

  /** What a function returns: `const cp = () => require('child_process')`. */
  function returned(fn: FunctionNode): Meaning | undefined {
    return firstImport(index.returnsOf(fn));
  }

  /** `spawn: typeof nodeSpawn`, in an annotation, a type or an interface of this module. */
  function ofType(name: TSESTree.Node): Meaning | undefined {
    const annotated = name.type === 'AssignmentPattern' ? name.left : name;
    const annotation = 'typeAnnotation' in annotated ? annotated.typeAnnotation : undefined;
    return annotation?.type === 'TSTypeAnnotation' ? meaningOf(annotation.typeAnnotation) : undefined;
  }

  function ofTypeNode(type: TSESTree.TypeNode): Meaning | undefined {
    switch (type.type) {
      case 'TSTypeQuery':
        return ofEntity(type.exprName);
      case 'TSUnionType':
        return firstImport(type.types);
      case 'TSTypeLiteral':
        return { is: 'type', members: type.members };
      case 'TSTypeReference':
        return ofTypeReference(type);
      default:
        return undefined;
    }
  }

  function ofTypeReference(type: TSESTree.TSTypeReference): Meaning | undefined {
    if (type.typeName.type !== 'Identifier') return madeBy(ofEntity(type.typeName));
    const [argument] = type.typeArguments?.params ?? [];
    if (argument && /^(Partial|Required|Readonly|NonNullable)$/.test(type.typeName.name))
      return meaningOf(argument);
    const declaration = index.variableOf(type.typeName)?.defs[0]?.node;
    if (isClass(declaration)) return { is: 'instance', node: declaration };
    if (declaration?.type === 'TSInterfaceDeclaration') return { is: 'type', members: declaration.body.body };
    if (declaration?.type === 'TSTypeAliasDeclaration') return meaningOf(declaration.typeAnnotation);
    return declaration ? madeBy(ofEntity(type.typeName)) : undefined;
  }

  function memberOfType(members: readonly TSESTree.TypeElement[], key: string): Meaning | undefined {
    for (const member of members) {
      if (member.type !== 'TSPropertySignature' || member.computed || !member.typeAnnotation) continue;
      if (member.key.type === 'Identifier' && member.key.name === key) {
        return meaningOf(member.typeAnnotation.typeAnnotation);
      }
    }
    return undefined;
  }

  function ofEntity(entity: TSESTree.Node): Meaning | undefined {
    if (entity.type === 'Identifier') return meaningOf(entity);
    if (entity.type === 'TSQualifiedName') return memberOf(ofEntity(entity.left), entity.right.name);
    if (entity.type !== 'TSImportType') return undefined;
    const module = ofModule(constantText(index, entity.source));
    const names: string[] = [];
    for (let at: TSESTree.Node | null = entity.qualifier; at;) {
      names.unshift(at.type === 'TSQualifiedName' ? at.right.name : (at as TSESTree.Identifier).name);
      at = at.type === 'TSQualifiedName' ? at.left : null;
    }
    return names.reduce<Meaning | undefined>(memberOf, module);
  }

  function rowOf(call: CallNode): { row: ProcessApi; invocation: Invocation } | undefined {
    const invocation = invocationOf(call, constantList);
    const meaning = meaningOf(invocation.target);
    if (meaning?.is !== 'import') return undefined;
    const row = rowNamed(meaning);
    if (!row || (row.kind === 'construct') !== (call.type === 'NewExpression')) return undefined;
    const args = meaning.bound ? [...meaning.bound, ...invocation.args] : invocation.args;
    return { row, invocation: { ...invocation, args } };
  }

  /** The list that a name holds for good: set once, and nothing is asked of it but to be spread. */
  function constantList(node: TSESTree.Node): TSESTree.Node {
    const variable = node.type === 'Identifier' ? index.variableOf(node) : undefined;
    const def = variable?.defs[0];
    if (!variable || def?.type !== 'Variable' || def.node.id.type !== 'Identifier' || !def.node.init)
      return node;
    const isChanged = variable.references.some(
      ({ identifier, init, writeExpr }) =>
        (writeExpr && !init) || identifier.parent.type === 'MemberExpression',
    );
    return isChanged ? node : bareExpression(def.node.init);
  }

  function rowNamed({ module, path }: { module: string; path: string }): ProcessApi | undefined {
    if (!module.startsWith('./')) return table.row(module, path);
    // A user's row names a file of the project by the end of its path.
    const steps = module.split('/').slice(1);
    for (let at = 0; at < steps.length; at++) {
      const row = table.row(`./${steps.slice(at).join('/')}`, path);
      if (row) return row;
    }
    return undefined;
  }

  function functionOf(call: CallNode): FunctionNode | undefined {
    const meaning = meaningOf(invocationOf(call).target);
    if (call.type === 'NewExpression' && meaning?.is === 'class') return constructorOf(meaning.node);
    return meaning?.is === 'function' ? meaning.node : undefined;
  }

  function callersOf(fn: FunctionNode): readonly CallNode[] {
    const known = callers.get(fn);
    if (known) return known;
    callers.set(fn, []);
    const found = namesOf(index, fn).flatMap((name) =>
      index.callsNamed(name).filter((call) => functionOf(call) === fn),
    );
    const invoked = fn.parent.type === 'CallExpression' && calleeOf(fn.parent) === fn ? [fn.parent] : [];
    const all = [...new Set([...invoked, ...found])];
    callers.set(fn, all);
    return all;
  }

  function isPrivate(fn: FunctionNode): boolean {
    const { parent } = fn;
    const holder =
      parent.type === 'MethodDefinition' && parent.kind === 'constructor'
        ? parent.parent.parent
        : parent.type === 'VariableDeclarator'
          ? parent
          : fn;
    const around = holder.type === 'VariableDeclarator' ? holder.parent : holder;
    const variable = holder.id?.type === 'Identifier' ? index.variableOf(holder.id) : undefined;
    if (!variable || around.parent.type.startsWith('Export')) return false;
    return variable.references.every(({ identifier, init }) => {
      const use = identifier.parent;
      return (
        init ?? ((use.type === 'CallExpression' || use.type === 'NewExpression') && use.callee === identifier)
      );
    });
  }

  return { meaningOf, rowOf, functionOf, callersOf, isPrivate };
}

const isForeign = (meaning: Meaning | undefined) => meaning?.is === 'import';

function constructorOf(owner: ClassNode): FunctionNode | undefined {
  for (const element of owner.body.body) {
    if (element.type !== 'MethodDefinition' || element.kind !== 'constructor') continue;
    return element.value.type === 'FunctionExpression' ? element.value : undefined;
  }
  return undefined;
}

function ofGlobal(name: string): Meaning {
  if (name === 'Bun' || name === 'Deno') return { is: 'import', module: name.toLowerCase(), path: '' };
  return { is: 'import', module: 'global', path: name };
}

/** The names under which a function may be called in its module. */
export function namesOf(index: ModuleIndex, fn: FunctionNode): string[] {
  const names = [fn.id?.name];
  const { parent } = fn;
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier') names.push(parent.id.name);
  if (parent.type === 'AssignmentExpression') names.push(lastName(parent.left));
  if (
    parent.type === 'Property' ||
    parent.type === 'MethodDefinition' ||
    parent.type === 'PropertyDefinition'
  ) {
    names.push(index.keyOf(parent));
    if (parent.type === 'MethodDefinition' && parent.kind === 'constructor')
      names.push(parent.parent.parent.id?.name);
  }
  return [...new Set(names.filter((name) => name !== undefined))];
}
