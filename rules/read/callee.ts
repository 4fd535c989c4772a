import type { TSESTree } from '@typescript-eslint/utils';
import { dirname, join } from 'node:path/posix';
import { bare, type ProcessApi, type ProcessTable } from '../apis/tables.ts';
import { constantText, thisOwner, type ModuleIndex, type ThisOwner, type Variable } from './module-index.ts';
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
}

/** The callee, the arguments, and whether there may be more of them. */
export function invocationOf(call: CallNode): Invocation {
  const target = calleeOf(call);
  if (call.type === 'TaggedTemplateExpression') return { target, args: [call.quasi], open: false };
  const { args, open } = spreadOut(call.arguments);
  const last = call.arguments.at(-1);
  const tail = open && last?.type !== 'SpreadElement' ? last : undefined;
  if (target.type !== 'MemberExpression') return { target, args, open, tail };
  const [first, , list] = args;
  switch (lastName(target)) {
    case 'call':
      return { target: bareExpression(target.object), args: args.slice(1), open };
    case 'apply':
      return lastName(target.object) === 'Reflect' && first
        ? { target: bareExpression(first), ...listed(list) }
        : { target: bareExpression(target.object), ...listed(args[1]) };
    default:
      return { target, args, open, tail };
  }
}

function listed(list: TSESTree.Node | undefined): { args: readonly TSESTree.Node[]; open: boolean } {
  return list?.type === 'ArrayExpression' ? spreadOut(list.elements) : { args: [], open: true };
}

function spreadOut(list: readonly (TSESTree.Node | null)[]): {
  args: readonly TSESTree.Node[];
  open: boolean;
} {
  const args: TSESTree.Node[] = [];
  for (const item of list) {
    if (!item) return { args, open: true };
    if (item.type !== 'SpreadElement') args.push(item);
    else if (item.argument.type !== 'ArrayExpression') return { args, open: true };
    else {
      const inner = spreadOut(item.argument.elements);
      args.push(...inner.args);
      if (inner.open) return { args, open: true };
    }
  }
  return { args, open: false };
}

/** Aliases of aliases go a few steps in code that people write; bundles would overflow the stack. */
const maximumDepth = 100;

/** The resolver of one module. */
export function calleesOf(index: ModuleIndex, table: ProcessTable): Callees {
  const { filename } = index.view;
  const meanings = new Map<TSESTree.Node, Meaning | undefined>();
  const ofVariables = new Map<Variable, Meaning | undefined>();
  const callers = new Map<FunctionNode, readonly CallNode[]>();
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
        return made?.is === 'function' ? { is: 'instance', node: index.view.ast } : undefined;
      }
      case 'ThisExpression':
        return { is: 'instance', node: thisOwner(node) };
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
    if (!variable) return ofGlobal(node.name);
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
    const given = place && argumentsFor(place.fn, place.position).map((arg) => through(meaningOf(arg)));
    return given?.find((meaning) => isForeign(meaning)) ?? ofWrites(variable);
  }

  /** What the calls of this module hand to a parameter; `import('x').then((x) => …)` hands the module over. */
  function argumentsFor(fn: FunctionNode, position: number): TSESTree.Node[] {
    const { parent } = fn;
    if (parent.type === 'CallExpression' && parent.arguments[0] === fn && position === 0) {
      const callee = calleeOf(parent);
      if (callee.type === 'MemberExpression' && lastName(callee) === 'then') return [callee.object];
    }
    return callersOf(fn).flatMap((call) => invocationOf(call).args[position] ?? []);
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
      } else if (index.keyOf(property) === key) return meaningOf(property.value);
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

  function memberOfClass(owner: ClassNode, key: string, isStatic: boolean): Meaning | undefined {
    for (const element of owner.body.body) {
      if (element.type === 'MethodDefinition' && element.kind === 'constructor') {
        const injected = isStatic ? undefined : parameterProperty(element, key);
        if (injected) return injected;
        continue;
      }
      if (!('static' in element) || element.static !== isStatic || index.keyOf(element) !== key) continue;
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
    return undefined;
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
    return undefined;
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
    if (type.typeName.type !== 'Identifier') return undefined;
    const [argument] = type.typeArguments?.params ?? [];
    if (argument && /^(Partial|Required|Readonly|NonNullable)$/.test(type.typeName.name))
      return meaningOf(argument);
    const declaration = index.variableOf(type.typeName)?.defs[0]?.node;
    if (declaration?.type === 'TSInterfaceDeclaration') return { is: 'type', members: declaration.body.body };
    return declaration?.type === 'TSTypeAliasDeclaration' ? meaningOf(declaration.typeAnnotation) : undefined;
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
    const invocation = invocationOf(call);
    const meaning = meaningOf(invocation.target);
    if (meaning?.is !== 'import') return undefined;
    const row = rowNamed(meaning);
    if (!row || (row.kind === 'construct') !== (call.type === 'NewExpression')) return undefined;
    const args = meaning.bound ? [...meaning.bound, ...invocation.args] : invocation.args;
    return { row, invocation: { ...invocation, args } };
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

  return { meaningOf, rowOf, functionOf, callersOf };
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
function namesOf(index: ModuleIndex, fn: FunctionNode): string[] {
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
