import type { TSESTree } from '@typescript-eslint/utils';
import { dirname, join } from 'node:path/posix';
import { bare, type ProcessApi, type ProcessTable } from '../apis/tables.ts';
import { callersIn } from './callers.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import { isForeign, ofGlobal, type Meaning } from './meaning.ts';
import { memberMeaningsOf } from './member-meanings.ts';
import { constantText, isStatic, thisOwner, type ModuleIndex, type Variable } from './module-index.ts';
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
import { typeMeaningsOf } from './type-meanings.ts';
import { wrappedParameters } from './wrapped.ts';

/** Resolves what the expressions of one module stand for, by binding and module specifier, never by name alone. */
export interface Callees {
  meaningOf(node: TSESTree.Node): Meaning | undefined;
  /** The table's row that a call starts a process with. */
  rowOf(call: CallNode): { row: ProcessApi; invocation: Invocation } | undefined;
  /** The function of this module that a call enters. */
  functionOf(call: CallNode): FunctionNode | undefined;
  /** The calls of this module that enter a function. */
  callersOf(fn: FunctionNode): readonly CallNode[];
  /** What the module of a specifier stands for. */
  ofModule(specifier: string): Meaning | undefined;
  memberOf(meaning: Meaning | undefined, key: string): Meaning | undefined;
  /** What a call or a construction gives. */
  resultOf(meaning: Meaning | undefined): Meaning | undefined;
}

/** Aliases of aliases go a few steps in code that people write; bundles would overflow the stack. */
const maximumDepth = 100;

/** What the resolver asks of a table. */
export interface ApiTable extends Pick<ProcessTable, 'knows' | 'row'> {
  /** What a call or a type stands for, as the start of a path. */
  makes?(module: string, path: string): string | undefined;
  /** Whether what a call gives calls the function that it is given first. */
  wraps?(module: string, path: string): boolean;
  /** What something of another file stands for, or leads to; `()` in its path is what a call gives. */
  linked?: Links | undefined;
}

/** Follows what a module imports into the files of its program; undefined for what leads to no API there. */
export type Links = (module: string, path: string) => Meaning | undefined;

/** The resolver of one module. */
export function calleesOf(index: ModuleIndex, table: ApiTable): Callees {
  const { filename } = index.view;
  const meanings = new Map<TSESTree.Node, Meaning | undefined>();
  const ofVariables = new Map<Variable, Meaning | undefined>();
  const callersOf = callersIn(index, functionOf);
  const usesZx = /['"]zx\/globals['"]|^#!.*\bzx\b/.test(index.view.text);
  const { ofType, ofTypeNode, ofEntity, memberOfType } = typeMeaningsOf(index, {
    meaningOf,
    memberOf,
    firstImport,
    ofModule,
    madeBy,
  });
  const { memberOfObject, memberOfInstance, memberOfClass } = memberMeaningsOf(index, {
    meaningOf,
    memberOf,
    returned,
    resultOf,
  });
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
    return foreignOf(found) ?? found[0];
  }

  /** Of several APIs the one that starts a child and lets it run, for that is the one whose options tell. */
  function foreignOf(meanings: readonly (Meaning | undefined)[]): Meaning | undefined {
    return meanings.find(isStart) ?? meanings.find(isForeign);
  }

  function isStart(meaning: Meaning | undefined): boolean {
    if (meaning?.is !== 'import' || /sync$/i.test(meaning.path)) return false;
    return rowNamed(meaning)?.effect === 'detaches';
  }

  function ofModule(specifier: string | undefined): Meaning | undefined {
    if (specifier === undefined) return undefined;
    return { is: 'import', module: moduleName(specifier, filename), path: '' };
  }

  /** What a file requires, or its default export. */
  function ofWhole(specifier: string | undefined): Meaning | undefined {
    const module = ofModule(specifier);
    return module?.is === 'import' ? linked(module) : module;
  }

  const linked = (meaning: Meaning & { is: 'import' }): Meaning =>
    table.linked?.(meaning.module, meaning.path) ?? meaning;

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
        return ofValues(variable, ofInitial(def.name, def.node)) ?? ofType(def.name);
      default:
        return undefined;
    }
  }

  function ofImport(node: TSESTree.Node): Meaning | undefined {
    if (node.type === 'TSImportEqualsDeclaration') {
      const { moduleReference } = node;
      if (moduleReference.type !== 'TSExternalModuleReference') return ofEntity(moduleReference);
      return ofWhole(constantText(index, moduleReference.expression));
    }
    if (node.parent?.type !== 'ImportDeclaration') return undefined;
    const module = ofModule(node.parent.source.value);
    if (node.type === 'ImportDefaultSpecifier') return memberOf(module, 'default');
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

  /** `let start = spawnSync; if (asynchronous) start = spawn;` */
  function ofValues(variable: Variable, initial: Meaning | undefined): Meaning | undefined {
    const first = initial ?? ofWrites(variable);
    return isForeign(first) && !isStart(first) ? (ofWrites(variable, isStart) ?? first) : first;
  }

  function ofWrites(
    variable: Variable,
    fits: (meaning: Meaning) => boolean = () => true,
  ): Meaning | undefined {
    for (const { identifier, writeExpr, init } of variable.references) {
      if (!writeExpr || init) continue;
      const path = bindingOf(index, identifier)?.path ?? [];
      const meaning = path.reduce<Meaning | undefined>(memberOf, meaningOf(writeExpr));
      if (meaning && fits(meaning)) return meaning;
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
    return foreignOf(given ?? []) ?? ofWrites(variable);
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
    const taker = parent.type === 'CallExpression' ? functionOf(parent) : undefined;
    if (taker)
      return handedBy(
        taker,
        (parent as TSESTree.CallExpression).arguments.indexOf(fn as TSESTree.Expression),
        position,
      );
    return callersOf(fn).map((call) => {
      const arg = invocationOf(call).args[position];
      return arg && meaningOf(arg);
    });
  }

  /** What a function of this module gives a callback of its own: `function withDb(fn) { return fn(open()); }`. */
  function handedBy(taker: FunctionNode, at: number, position: number): (Meaning | undefined)[] {
    const param = taker.params[at];
    const variable = param?.type === 'Identifier' ? index.variableOf(param) : undefined;
    const type = param?.type === 'Identifier' ? param.typeAnnotation?.typeAnnotation : undefined;
    const typed = type?.type === 'TSFunctionType' ? type.params[position] : undefined;
    const byType = typed && ofType(typed);
    if (byType) return [byType];
    return (variable?.references ?? []).map(({ identifier: { parent }, identifier }) => {
      const arg =
        parent.type === 'CallExpression' && parent.callee === identifier
          ? parent.arguments[position]
          : undefined;
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
    for (const value of index.assignedTo(place.root, place.path)) {
      const meaning = meaningOf(value);
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
        if (key === 'default') return linked(meaning);
        if (meaning.module === 'global' && meaning.path === '') return ofGlobal(key);
        if (meaning.module === 'global' && meaning.path === 'globalThis') return ofGlobal(key);
        return linked({ ...meaning, path: meaning.path === '' ? key : `${meaning.path}.${key}` });
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

  function ofCall(call: TSESTree.CallExpression): Meaning | undefined {
    const { target, args } = invocationOf(call);
    const [first] = args;
    const name = lastName(target);
    // Bundlers rename `require`, and wrap it: the specifier decides.
    if (name !== undefined && /require|import|getBuiltinModule/i.test(name) && first) {
      const specifier = constantText(index, first);
      if (specifier !== undefined && (name === 'require' || isKnown(specifier)) && !isOwnRequire(target)) {
        return ofWhole(specifier);
      }
    }
    if (first && isInterop(target)) return meaningOf(first);
    const meaning = meaningOf(target);
    if (meaning?.is === 'function') return wrappedIn(meaning.node, args) ?? returned(meaning.node);
    if (meaning?.is === 'import' && first && isWrapper(meaning)) return meaningOf(first);
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
      return ofWhole(constantText(index, first));
    }
    return madeBy(meaning);
  }

  const isWrapper = ({ module, path }: { module: string; path: string }): boolean =>
    table.wraps?.(module, path) === true || /promisify|^(pify|thenify)/i.test(`${module}.${path}`);

  /** The function of this module that what a function gives will call: `once(load)`. */
  function wrappedIn(fn: FunctionNode, args: readonly TSESTree.Node[]): Meaning | undefined {
    return wrappedParameters(index, fn)
      .map((position) => args[position] && meaningOf(args[position]))
      .find((meaning) => meaning?.is === 'function');
  }

  /** What a call of an API, or a type that it exports, stands for. */
  function madeBy(meaning: Meaning | undefined): Meaning | undefined {
    if (meaning?.is !== 'import') return undefined;
    const path = table.makes?.(meaning.module, meaning.path);
    return path === undefined
      ? table.linked?.(meaning.module, `${meaning.path}()`)
      : { is: 'import', module: meaning.module, path };
  }

  function resultOf(meaning: Meaning | undefined): Meaning | undefined {
    if (meaning?.is === 'function') return returned(meaning.node);
    return meaning?.is === 'class' ? { is: 'instance', node: meaning.node } : madeBy(meaning);
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

  return { meaningOf, rowOf, functionOf, callersOf, ofModule, memberOf, resultOf };
}

/** What meanings call the module that a file imports: a package by its name, a file by its path without the extension. */
export function moduleName(specifier: string, filename: string): string {
  if (!specifier.startsWith('.')) return bare(specifier);
  return `./${join(dirname(filename.replaceAll('\\', '/')), specifier).replace(/\.[cm]?[jt]sx?$/, '')}`;
}

function constructorOf(owner: ClassNode): FunctionNode | undefined {
  for (const element of owner.body.body) {
    if (element.type !== 'MethodDefinition' || element.kind !== 'constructor') continue;
    return element.value.type === 'FunctionExpression' ? element.value : undefined;
  }
  return undefined;
}
