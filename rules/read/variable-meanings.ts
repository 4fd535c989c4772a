import type { TSESTree } from '@typescript-eslint/utils';
import { invocationOf } from './invocation.ts';
import { isForeign, ofGlobal, type Meaning } from './meaning.ts';
import { constantText, type ModuleIndex, type Variable } from './module-index.ts';
import { calleeOf, isFunction, lastName, type CallNode, type FunctionNode } from './nodes.ts';
import { bindingOf, parameterOf } from './pattern.ts';

/** How the meanings of expressions are read. */
interface Reading {
  meaningOf: (node: TSESTree.Node) => Meaning | undefined;
  memberOf: (meaning: Meaning | undefined, key: string) => Meaning | undefined;
  ofModule: (specifier: string | undefined) => Meaning | undefined;
  /** What a file requires, or its default export. */
  ofWhole: (specifier: string | undefined) => Meaning | undefined;
  ofType: (name: TSESTree.Node) => Meaning | undefined;
  ofEntity: (entity: TSESTree.Node) => Meaning | undefined;
  /** Of several APIs the one whose options tell. */
  foreignOf: (meanings: readonly (Meaning | undefined)[]) => Meaning | undefined;
  isStart: (meaning: Meaning | undefined) => boolean;
  functionOf: (call: CallNode) => FunctionNode | undefined;
  callersOf: (fn: FunctionNode) => readonly CallNode[];
}

/** Reads what the variables of one module stand for: imports, values, parameters by what calls hand to them. */
export function variableMeaningsOf(
  index: ModuleIndex,
  {
    meaningOf,
    memberOf,
    ofModule,
    ofWhole,
    ofType,
    ofEntity,
    foreignOf,
    isStart,
    functionOf,
    callersOf,
  }: Reading,
): (variable: Variable) => Meaning | undefined {
  return ofVariable;

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
}
