import type { TSESTree } from '@typescript-eslint/utils';
import { invocationOf, type Callees } from './callee.ts';
import {
  thisOwner,
  type MemberWrite,
  type ModuleIndex,
  type ThisOwner,
  type Variable,
} from './module-index.ts';
import {
  bareExpression,
  functionAround,
  isClass,
  isFunction,
  isInside,
  lastName,
  literalText,
  type CallNode,
  type FunctionNode,
} from './nodes.ts';
import { bindingOf, parameterOf } from './pattern.ts';
import { asksPlatform } from './platform.ts';
import {
  absent,
  and,
  carriedBy,
  either,
  isTrueSomewhere,
  maybe,
  no,
  not,
  or,
  otherwise,
  platform,
  throughParameter,
  unknown,
  yes,
  type Value,
} from './value.ts';

/** The arguments that a function's parameters hold while its body is read. */
export interface Env {
  fn: FunctionNode;
  args: readonly TSESTree.Node[];
  /** Whether more arguments may follow. */
  open: boolean;
  /** Where the arguments themselves are read. */
  outer: Env | undefined;
}

/** Reads values of one module. */
export interface Values {
  /** The value of an expression, or of the member of it that the path names, as a condition. */
  at(node: TSESTree.Node, path: readonly string[], env?: Env): Value;
  /** The expression that a name or a parameter holds, as far as there is exactly one. */
  definitionOf(node: TSESTree.Node, env?: Env): Definition;
  /** The expressions that a name may hold: all that are assigned to it, both sides of a choice, all returns. */
  alternativesOf(node: TSESTree.Node, env?: Env): Definition[];
}

/** An expression, and the arguments under which it is read. */
export interface Definition {
  node: TSESTree.Node;
  env: Env | undefined;
}

/** The arguments of a call as its function sees them. */
export function envOf(fn: FunctionNode, call: CallNode, outer: Env | undefined): Env {
  const { args, open } = invocationOf(call);
  return { fn, args, open, outer };
}

/** Enough for real options, little enough for a bundle's longest chains. */
const maximumSteps = 2000;

/** `Object.assign`, `_.merge` and what compilers make of spreads: the last one that says something wins. */
const lastWins =
  /^_*(assign|assignIn|extend|extends|merge\w*|objectSpread\d*|spread(Props|Values)|objectAssign|deepmerge|deepMerge)\d*$/;
/** `_.defaults`: the first one that says something wins. */
const firstWins = /^(defaults|defaultsDeep|applyDefaults|withDefaults)$/;
const handsBack = /^(freeze|seal|preventExtensions|clone|cloneDeep|structuredClone|resolve)$/;

/** The reader of one module. */
export function valuesOf(index: ModuleIndex, callees: Callees): Values {
  const { text } = index.view;
  const source = (node: TSESTree.Node) => text.slice(...node.range);
  const active = new Map<unknown, Set<string>>();
  let steps = 0;

  function at(node: TSESTree.Node, path: readonly string[], env?: Env): Value {
    steps = 0;
    return read(node, path, env);
  }

  function read(node: TSESTree.Node, path: readonly string[], env: Env | undefined): Value {
    steps += 1;
    if (steps > maximumSteps) return unknown;
    const bare = bareExpression(node);
    switch (bare.type) {
      case 'Identifier':
        return ofIdentifier(bare, path, env);
      case 'MemberExpression':
        return ofMember(bare, path, env);
      case 'ThisExpression':
        return path.length === 0 ? yes : ofThis(thisOwner(bare), path, bare, env);
      case 'ObjectExpression':
        return path.length === 0 ? yes : ofObject(bare, path, env);
      case 'ConditionalExpression':
        return either(
          read(bare.test, [], env),
          read(bare.consequent, path, env),
          read(bare.alternate, path, env),
          () => source(bare.test),
        );
      case 'LogicalExpression':
        return ofLogical(bare, path, env);
      case 'AwaitExpression':
        return read(bare.argument, path, env);
      case 'AssignmentExpression':
        return bare.operator === '=' ? read(bare.right, path, env) : unknown;
      case 'CallExpression':
        return ofCall(bare, path, env);
      case 'NewExpression':
        return ofNew(bare, path, env);
      case 'Literal':
        if (bare.value === null && !('regex' in bare)) return absent;
        return path.length > 0 ? absent : bare.value ? yes : no;
      case 'UnaryExpression':
        if (bare.operator === 'void') return absent;
        return path.length === 0 && bare.operator === '!' ? not(read(bare.argument, [], env)) : unknown;
      case 'BinaryExpression':
        return path.length === 0 ? ofComparison(bare, env) : absent;
      case 'ArrayExpression':
      case 'TemplateLiteral':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return path.length === 0 ? yes : absent;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return path.length === 0 ? yes : ofThisMembers(bare, path, bare, env, true);
      default:
        return unknown;
    }
  }

  function ofComparison(node: TSESTree.BinaryExpression, env: Env | undefined): Value {
    if (asksPlatform(node)) return platform;
    const equal = /^={2,3}$/.test(node.operator);
    if (!equal && !/^!={1,2}$/.test(node.operator)) return unknown;
    const literal = bareExpression(node.right);
    if (literal.type !== 'Literal' || typeof literal.value !== 'boolean') return unknown;
    const value = read(node.left, [], env);
    const wanted = equal === literal.value;
    // `x !== false` is true unless somebody says false.
    if (!literal.value) return wanted ? otherwise(value, yes) : not(otherwise(value, yes));
    return wanted ? value : not(value);
  }

  function ofLogical(node: TSESTree.LogicalExpression, path: readonly string[], env: Env | undefined): Value {
    const right = () => read(node.right, path, env);
    if (path.length === 0) {
      const left = read(node.left, [], env);
      if (node.operator === '&&') return and(left, right());
      return node.operator === '||' ? or(left, right()) : otherwise(left, right());
    }
    if (node.operator === '&&')
      return either(read(node.left, [], env), right(), absent, () => source(node.left));
    return otherwise(read(node.left, path, env), right());
  }

  function ofObject(object: TSESTree.ObjectExpression, path: readonly string[], env: Env | undefined): Value {
    const [key, ...rest] = path;
    let state = absent;
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') {
        state = layered(state, carriedBy(read(property.argument, path, env), 'spread'));
      } else if (index.keyOf(property) === key) {
        state =
          property.kind === 'get'
            ? returned(property.value as FunctionNode, rest, undefined)
            : rest.length > 0
              ? read(property.value, rest, env)
              : said(property, property.value, env);
      }
    }
    return state;
  }

  /** What an option's own property or assignment says; what it says about is decided at run time if not here. */
  function said(place: TSESTree.Node, value: TSESTree.Node, env: Env | undefined): Value {
    const found = read(value, [], env);
    const told =
      found.is === 'unknown' && !handsOptionOn(value)
        ? { ...maybe(source(value)), through: found.through }
        : found;
    // A parameter's default decides, but what a reader changes is the option.
    if (told.cause && told.origin !== 'parameter') return told;
    return { ...told, cause: place, origin: told.origin ?? 'inline' };
  }

  /** One layer over another, as spreads and `Object.assign` do it. */
  function layered(under: Value, over: Value): Value {
    if (over.absent) return under;
    if (over.is !== 'unknown') return over;
    return isTrueSomewhere(under) ? under : over;
  }

  function ofMember(node: TSESTree.MemberExpression, path: readonly string[], env: Env | undefined): Value {
    const key = index.keyOf(node);
    if (key === undefined) return unknown;
    const value = read(node.object, [key, ...path], env);
    return value.is === 'unknown' && path.length === 0 && asksPlatform(node) ? platform : value;
  }

  function ofIdentifier(node: TSESTree.Identifier, path: readonly string[], env: Env | undefined): Value {
    const variable = index.variableOf(node);
    if (!variable) {
      if (node.name === 'undefined') return absent;
      return path.length === 0 && asksPlatform(node) ? platform : unknown;
    }
    const value = guarded(variable, path, () => ofVariable(variable, path, node, env));
    return value.is === 'unknown' && path.length === 0 && asksPlatform(node) ? platform : value;
  }

  /** Reads something once at a time: what depends on itself is unknown. */
  function guarded(subject: unknown, path: readonly string[], body: () => Value): Value {
    const paths = active.get(subject) ?? new Set();
    active.set(subject, paths);
    const key = path.join('.');
    const depth = [...paths].filter((entry) => entry.startsWith(`${key}#`)).length;
    // A factory inside a factory reads the same parameter twice.
    if (depth > 3) return unknown;
    const entry = `${key}#${String(depth)}`;
    paths.add(entry);
    const value = body();
    paths.delete(entry);
    return value;
  }

  function ofVariable(
    variable: Variable,
    path: readonly string[],
    use: TSESTree.Node,
    env: Env | undefined,
  ): Value {
    const [def] = variable.defs;
    switch (def?.type) {
      case 'Parameter':
        return afterWrites(variable, ofParameter(def.name, path, env), path, use, env);
      case 'Variable':
        return afterWrites(variable, ofInitial(def.name, def.node, path, env), path, use, env);
      case 'ClassName':
        return path.length === 0 ? yes : ofThisMembers(def.node, path, use, env, true);
      case 'FunctionName':
        return path.length === 0 ? yes : afterWrites(variable, absent, path, use, env);
      default:
        return unknown;
    }
  }

  function ofInitial(
    name: TSESTree.Node,
    declarator: TSESTree.VariableDeclarator,
    path: readonly string[],
    env: Env | undefined,
  ): Value {
    const binding = bindingOf(index, name);
    if (!binding) return unknown;
    if (path[0] !== undefined && binding.without?.includes(path[0])) return absent;
    if (!declarator.init) return declarator.parent.parent.type.startsWith('For') ? unknown : absent;
    const value = carriedBy(read(declarator.init, [...binding.path, ...path], env), 'variable');
    return binding.fallback ? otherwise(value, read(binding.fallback, path, env)) : value;
  }

  function ofParameter(name: TSESTree.Node, path: readonly string[], env: Env | undefined): Value {
    const binding = bindingOf(index, name);
    const place = binding && parameterOf(binding.top);
    if (!binding || !place) return unknown;
    if (path[0] !== undefined && binding.without?.includes(path[0])) return absent;
    const fallback = (): Value => {
      if (!binding.fallback) return absent;
      const value = read(binding.fallback, path, undefined);
      if (!isTrueSomewhere(value)) return value;
      return { ...value, cause: value.cause ?? binding.top, origin: 'parameter' };
    };
    let frame = env;
    while (frame && frame.fn !== place.fn) frame = frame.outer;
    if (!frame) return otherwise(throughParameter(place.fn), fallback());
    const arg = frame.args[place.position];
    if (!arg) return frame.open ? unknown : fallback();
    return otherwise(read(arg, [...binding.path, ...path], frame.outer), fallback());
  }

  /** The value of a variable's member where it is used, after everything that is written to it before. */
  function afterWrites(
    variable: Variable,
    initial: Value,
    path: readonly string[],
    use: TSESTree.Node,
    env: Env | undefined,
  ): Value {
    const whole = variable.references.flatMap(({ identifier, writeExpr, init }) =>
      writeExpr && !init
        ? [{ node: identifier.parent, path: bindingOf(index, identifier)?.path, right: writeExpr }]
        : [],
    );
    let state = initial;
    const changes = [
      ...whole.map(({ node, path: taken, right }) => ({
        node,
        value: () => (taken ? carriedBy(read(right, [...taken, ...path], env), 'variable') : unknown),
        operator: node.type === 'AssignmentExpression' ? node.operator : '=',
      })),
      ...memberChanges(index.memberWrites(variable), path, env),
    ].sort((a, b) => a.node.range[0] - b.node.range[0]);
    for (const change of changes) state = changed(state, change, use, env);
    return state;
  }

  interface Change {
    node: TSESTree.Node;
    /** What is written, given what was there. */
    value: (before: Value) => Value;
    operator: string;
  }

  function memberChanges(
    writes: readonly MemberWrite[],
    path: readonly string[],
    env: Env | undefined,
  ): Change[] {
    return writes.flatMap(({ node, path: at }): Change[] => {
      if (at.length > path.length || at.some((key, depth) => path[depth] !== key)) return [];
      const rest = path.slice(at.length);
      if (node.type === 'UnaryExpression')
        return rest.length === 0 ? [{ node, value: () => absent, operator: '=' }] : [];
      if (node.type === 'CallExpression') {
        return rest.length === 0
          ? []
          : [{ node, value: (before) => mergedInto(before, node, rest, env), operator: '=' }];
      }
      if (at.length === 0) return [];
      const { right } = node;
      const value = (): Value => {
        if (rest.length > 0) return read(right, rest, env);
        const told = said(node, right, env);
        return told.cause === node ? { ...told, origin: 'assignment' } : carriedBy(told, 'assignment');
      };
      return [{ node, value, operator: node.operator }];
    });
  }

  function mergedInto(
    before: Value,
    call: TSESTree.CallExpression,
    path: readonly string[],
    env: Env | undefined,
  ): Value {
    const keepsFirst = firstWins.test(lastName(call.callee) ?? '');
    return call.arguments.slice(1).reduce((state, arg) => {
      const value = carriedBy(read(arg, path, env), 'assignment');
      return keepsFirst ? otherwise(state, value) : layered(state, value);
    }, before);
  }

  /** A state after a change, as far as the change comes before the use. */
  function changed(state: Value, change: Change, use: TSESTree.Node, env: Env | undefined): Value {
    const guard = guardOf(change.node, use, env);
    if (!guard) return state;
    const written = change.value(state);
    const after =
      change.operator === '??='
        ? otherwise(state, written)
        : change.operator === '||='
          ? or(state, written)
          : change.operator === '&&='
            ? and(state, written)
            : written;
    return guard.test ? either(guard.test, after, state, guard.source) : after;
  }

  /** Under which condition a change has happened when the use is reached; undefined where it never has. */
  function guardOf(
    change: TSESTree.Node,
    use: TSESTree.Node,
    env: Env | undefined,
  ): { test?: Value; source: () => string } | undefined {
    const home = functionAround(change);
    const sameRun = home === functionAround(use);
    if (sameRun && change.range[1] > use.range[0]) return undefined;
    const closure = home === undefined || isInside(use, home);
    let test: Value | undefined;
    const sources: TSESTree.Node[] = [];
    for (let at = change; at.parent && at !== home; at = at.parent) {
      const condition = conditionOf(at.parent, at);
      if (!condition) continue;
      if (isInside(use, at.parent)) {
        // The other branch of the same test.
        if (!isInside(use, at) && at.parent.type === 'IfStatement' && !isInside(use, at.parent.test))
          return undefined;
        continue;
      }
      const value = condition.test ? read(condition.test, [], env) : unknown;
      const holds = condition.negated ? not(value) : value;
      test = test ? and(test, holds) : holds;
      sources.push(condition.test ?? at.parent);
    }
    const shown = sources[0];
    const said = () => (shown && shown.range[1] - shown.range[0] < 80 ? source(shown) : 'what runs before');
    if (test) return { test, source: said };
    // Constructors run before methods; other functions may or may not have run.
    if (closure || isConstructor(home)) return { source: said };
    return { test: unknown, source: () => `whether \`${nameOf(home)}\` has run` };
  }

  function nameOf(fn: FunctionNode): string {
    const { parent } = fn;
    const named = 'key' in parent ? lastName(parent.key) : undefined;
    return fn.id?.name ?? named ?? 'a callback';
  }

  function ofThis(
    owner: ThisOwner,
    path: readonly string[],
    use: TSESTree.Node,
    env: Env | undefined,
  ): Value {
    return ofThisMembers(owner, path, use, env, false);
  }

  function ofThisMembers(
    owner: ThisOwner,
    path: readonly string[],
    use: TSESTree.Node,
    env: Env | undefined,
    isStatic: boolean,
  ): Value {
    return guarded(owner, path, () => {
      const [key, ...rest] = path;
      const root = isStatic && isClass(owner) && owner.id ? index.variableOf(owner.id) : owner;
      let state = initialMember(owner, key, rest, env, isStatic);
      let told = state !== unknown;
      for (const change of memberChanges(root ? index.memberWrites(root) : [], path, undefined)) {
        // Without an initial value the first method that writes is what is known.
        state = told ? changed(state, change, use, env) : guardedFirst(change, use);
        told ||= state !== unknown;
      }
      return carriedBy(state, 'other');
    });
  }

  function guardedFirst(change: Change, use: TSESTree.Node): Value {
    const guard = guardOf(change.node, use, undefined);
    if (!guard) return unknown;
    const written = change.value(unknown);
    if (!guard.test || functionAround(change.node) !== functionAround(use)) {
      return guard.test && guard.test.is !== 'unknown'
        ? either(guard.test, written, absent, guard.source)
        : written;
    }
    return either(guard.test, written, unknown, guard.source);
  }

  function initialMember(
    owner: ThisOwner,
    key: string | undefined,
    rest: readonly string[],
    env: Env | undefined,
    isStatic: boolean,
  ): Value {
    if (owner.type === 'ObjectExpression') return ofObject(owner, [key ?? '', ...rest], env);
    if (!isClass(owner)) return unknown;
    for (const element of owner.body.body) {
      if (element.type === 'MethodDefinition' && element.kind === 'constructor' && !isStatic) {
        const param = element.value.params.find(
          (each) => each.type === 'TSParameterProperty' && lastName(defaulted(each.parameter)) === key,
        );
        if (param?.type !== 'TSParameterProperty') continue;
        return ofParameter(defaulted(param.parameter), rest, env);
      }
      if (!('static' in element) || element.static !== isStatic || index.keyOf(element) !== key) continue;
      if (element.type === 'PropertyDefinition') {
        if (!element.value) return unknown;
        return rest.length > 0 ? read(element.value, rest, env) : said(element, element.value, env);
      }
      if (element.type === 'MethodDefinition' && element.kind === 'get' && isFunction(element.value)) {
        return returned(element.value, rest, undefined);
      }
    }
    return unknown;
  }

  const defaulted = (node: TSESTree.Node) => (node.type === 'AssignmentPattern' ? node.left : node);

  function ofNew(node: TSESTree.NewExpression, path: readonly string[], env: Env | undefined): Value {
    if (path.length === 0) return yes;
    const meaning = callees.meaningOf(node);
    return meaning?.is === 'instance' && isClass(meaning.node)
      ? ofThis(meaning.node, path, node, env)
      : unknown;
  }

  function ofCall(call: TSESTree.CallExpression, path: readonly string[], env: Env | undefined): Value {
    const fn = callees.functionOf(call);
    if (fn) return carriedBy(returned(fn, path, envOf(fn, call, env)), 'factory');
    const name = lastName(call.callee) ?? '';
    const [first] = call.arguments;
    if (path.length === 0) {
      if (name === 'Boolean' && first) return read(first, [], env);
      return asksPlatform(call) ? platform : unknown;
    }
    const args = call.arguments.filter((arg) => arg.type !== 'SpreadElement');
    if (lastWins.test(name)) {
      return args.map((arg) => carriedBy(read(arg, path, env), 'spread')).reduce(layered, absent);
    }
    if (firstWins.test(name)) {
      return args.map((arg) => carriedBy(read(arg, path, env), 'spread')).reduce(otherwise, absent);
    }
    if (handsBack.test(name) && first) return read(first, path, env);
    if ((name === 'omit' || name === 'pick') && first) return filtered(call, name, path, env);
    // A helper out of sight may hand on what it is given.
    const given = args.map((arg) => read(arg, path, env)).find(isTrueSomewhere);
    return given ? { ...given, ...maybe(source(call.callee)), through: given.through } : unknown;
  }

  /** lodash's `omit` and `pick` with literal names. */
  function filtered(
    call: TSESTree.CallExpression,
    name: string,
    path: readonly string[],
    env: Env | undefined,
  ): Value {
    const [object, ...keys] = call.arguments;
    const names = keys.flatMap((key) => (key.type === 'ArrayExpression' ? key.elements : [key]));
    const named = names.some((key) => key !== null && literalText(key) === path[0]);
    return object && named === (name === 'pick') ? read(object, path, env) : absent;
  }

  function returned(fn: FunctionNode, path: readonly string[], env: Env | undefined): Value {
    return guarded(fn, path, () => {
      const returns = index.returnsOf(fn).toSorted((a, b) => a.range[0] - b.range[0]);
      return (
        returns.reduceRight<Value | undefined>((after, node) => {
          const value = read(node, path, env);
          if (!after) return value;
          const condition = conditionAround(node, fn);
          const test = condition?.test ? read(condition.test, [], env) : unknown;
          return either(condition?.negated ? not(test) : test, value, after, () =>
            condition?.test ? source(condition.test) : nameOf(fn),
          );
        }, undefined) ?? unknown
      );
    });
  }

  function definitionOf(node: TSESTree.Node, env?: Env): Definition {
    let here = { node: bareExpression(node), env };
    for (let depth = 0; depth < 8; depth++) {
      const next = definitionStep(here.node, here.env);
      if (!next) return here;
      here = { node: bareExpression(next.node), env: next.env };
    }
    return here;
  }

  function alternativesOf(node: TSESTree.Node, env?: Env, depth = 4): Definition[] {
    const found = definitionOf(node, env);
    const next = depth > 0 ? choicesOf(found) : undefined;
    if (!next || next.length > 8) return [found];
    return next.flatMap((choice) => alternativesOf(choice.node, choice.env, depth - 1));
  }

  function choicesOf({ node, env }: Definition): Definition[] | undefined {
    const here = (each: TSESTree.Node): Definition => ({ node: each, env });
    if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].map(here);
    if (node.type === 'LogicalExpression') return [node.left, node.right].map(here);
    if (node.type === 'Identifier') return assignedTo(node)?.map(here);
    if (node.type !== 'CallExpression') return undefined;
    const fns =
      node.callee.type === 'Identifier'
        ? (assignedTo(node.callee) ?? [node.callee]).map((callee) => callees.meaningOf(callee))
        : [callees.meaningOf(node.callee)];
    const made = fns.flatMap((fn) =>
      fn?.is === 'function'
        ? index.returnsOf(fn.node).map((each) => ({ node: each, env: envOf(fn.node, node, env) }))
        : [],
    );
    return made.length > 0 ? made : undefined;
  }

  /** What is assigned to a variable as a whole, with a plain `=`. */
  function assignedTo(node: TSESTree.Identifier): TSESTree.Node[] | undefined {
    const variable = index.variableOf(node);
    if (variable?.defs[0]?.type !== 'Variable') return undefined;
    const writes = variable.references.flatMap(({ identifier, writeExpr }) =>
      writeExpr && bindingOf(index, identifier)?.path.length === 0 ? [writeExpr] : [],
    );
    return writes.length > 0 ? writes : undefined;
  }

  function definitionStep(node: TSESTree.Node, env: Env | undefined): Definition | undefined {
    if (node.type === 'AwaitExpression') return { node: node.argument, env };
    if (node.type === 'CallExpression') {
      const fn = callees.functionOf(node);
      const returns = fn ? index.returnsOf(fn) : [];
      return fn && returns[0] && returns.length === 1
        ? { node: returns[0], env: envOf(fn, node, env) }
        : undefined;
    }
    if (node.type !== 'Identifier') return undefined;
    const variable = index.variableOf(node);
    const [def] = variable?.defs ?? [];
    if (!variable || !def) return undefined;
    const binding = bindingOf(index, def.name);
    if (!binding || binding.path.length > 0) return undefined;
    if (def.type === 'Variable') {
      const writes = variable.references.filter((reference) => reference.isWrite());
      const write = writes.length === 1 ? writes[0]?.writeExpr : undefined;
      return write ? { node: write, env } : undefined;
    }
    if (def.type !== 'Parameter') return undefined;
    const place = parameterOf(binding.top);
    let frame = env;
    while (frame && frame.fn !== place?.fn) frame = frame.outer;
    const arg = place && frame?.args[place.position];
    if (arg) return { node: arg, env: frame?.outer };
    return binding.fallback ? { node: binding.fallback, env: undefined } : undefined;
  }

  return { at, definitionOf, alternativesOf };
}

/** The test that decides whether a child node of a statement or an expression runs. */
function conditionOf(
  parent: TSESTree.Node,
  child: TSESTree.Node,
): { test: TSESTree.Node | undefined; negated: boolean } | undefined {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === child ? undefined : { test: parent.test, negated: parent.alternate === child };
    case 'LogicalExpression':
      if (parent.right !== child) return undefined;
      return { test: parent.operator === '??' ? undefined : parent.left, negated: parent.operator === '||' };
    case 'SwitchCase':
      return { test: undefined, negated: false };
    default:
      return undefined;
  }
}

function conditionAround(node: TSESTree.Node, fn: FunctionNode): ReturnType<typeof conditionOf> {
  for (let at = node; at.parent && at !== fn; at = at.parent) {
    const condition = conditionOf(at.parent, at);
    if (condition && at.parent.type === 'IfStatement') return condition;
  }
  return undefined;
}

function isConstructor(fn: FunctionNode): boolean {
  return fn.parent.type === 'MethodDefinition' && fn.parent.kind === 'constructor';
}

/** Whether an option's value is only another's option of the same meaning, handed on: `detached: options.detached`. */
function handsOptionOn(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  switch (bare.type) {
    case 'LogicalExpression':
      return handsOptionOn(bare.left) || handsOptionOn(bare.right);
    case 'ConditionalExpression':
      return handsOptionOn(bare.test) || handsOptionOn(bare.consequent) || handsOptionOn(bare.alternate);
    case 'UnaryExpression':
      return bare.operator === '!' && handsOptionOn(bare.argument);
    case 'BinaryExpression':
      return handsOptionOn(bare.left);
    case 'CallExpression':
      return lastName(bare.callee) === 'Boolean' && bare.arguments.some(handsOptionOn);
    default:
      return /detach|persist/i.test(lastName(bare) ?? '');
  }
}
