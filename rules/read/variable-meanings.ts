import type { TSESTree } from '@typescript-eslint/utils';
import { invocationOf } from './invocation.ts';
import { isForeign, ofGlobal, type Meaning, type MeaningReader } from './meaning.ts';
import { constantText, type Variable } from './module-index.ts';
import { calleeOf, isFunction, lastName, type FunctionNode } from './nodes.ts';
import { bindingOf, parameterOf } from './pattern.ts';
import { annotatedMeaning, meaningOfEntity } from './type-meanings.ts';

/** What a variable stands for: an import, its values, or what calls hand to a parameter. */
export function meaningOfVariable(reader: MeaningReader, variable: Variable): Meaning | undefined {
  const [def] = variable.defs;
  if (!def) return undefined;
  switch (def.type) {
    case 'ImportBinding':
      return ofImport(reader, def.node);
    case 'FunctionName':
      return isFunction(def.node) ? { is: 'function', node: def.node } : undefined;
    case 'ClassName':
      return { is: 'class', node: def.node };
    case 'Parameter':
      return ofParameter(reader, variable, def.name);
    case 'Variable':
      if (def.parent.declare) return ofGlobal(variable.name);
      return (
        ofValues(reader, variable, ofInitial(reader, def.name, def.node)) ??
        annotatedMeaning(reader, def.name)
      );
    default:
      return undefined;
  }
}

function ofImport(reader: MeaningReader, node: TSESTree.Node): Meaning | undefined {
  const { index, memberOf, ofModule, ofWhole } = reader;
  if (node.type === 'TSImportEqualsDeclaration') {
    const { moduleReference } = node;
    if (moduleReference.type !== 'TSExternalModuleReference') return meaningOfEntity(reader, moduleReference);
    return ofWhole(constantText(index, moduleReference.expression));
  }
  if (node.parent?.type !== 'ImportDeclaration') return undefined;
  const module = ofModule(node.parent.source.value);
  if (node.type === 'ImportDefaultSpecifier') return memberOf(module, 'default');
  if (node.type !== 'ImportSpecifier') return module;
  return memberOf(module, node.imported.type === 'Identifier' ? node.imported.name : node.imported.value);
}

function ofInitial(
  reader: MeaningReader,
  name: TSESTree.Node,
  declarator: TSESTree.VariableDeclarator,
): Meaning | undefined {
  const { index, meaningOf, memberOf } = reader;
  if (!declarator.init) return undefined;
  const binding = bindingOf(index, name);
  if (!binding || binding.without) return undefined;
  const whole = meaningOf(declarator.init);
  const meaning = binding.path.reduce<Meaning | undefined>(memberOf, whole);
  return meaning ?? (binding.fallback && meaningOf(binding.fallback));
}

/** `let start = spawnSync; if (asynchronous) start = spawn;` */
function ofValues(
  reader: MeaningReader,
  variable: Variable,
  initial: Meaning | undefined,
): Meaning | undefined {
  const { isStart } = reader;
  const first = initial ?? ofWrites(reader, variable);
  return isForeign(first) && !isStart(first) ? (ofWrites(reader, variable, isStart) ?? first) : first;
}

function ofWrites(
  { index, meaningOf, memberOf }: MeaningReader,
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

function ofParameter(reader: MeaningReader, variable: Variable, name: TSESTree.Node): Meaning | undefined {
  const { index, meaningOf, memberOf, foreignOf } = reader;
  const binding = bindingOf(index, name);
  if (!binding || binding.without) return undefined;
  const byDefault = binding.fallback && meaningOf(binding.fallback);
  const through = (meaning: Meaning | undefined) => binding.path.reduce(memberOf, meaning);
  const known =
    (byDefault && through(byDefault)) ??
    byDefault ??
    annotatedMeaning(reader, name) ??
    through(annotatedMeaning(reader, binding.top));
  if (known) return known;
  const place = parameterOf(binding.top);
  const given = place && givenTo(reader, place.fn, place.position).map(through);
  return foreignOf(given ?? []) ?? ofWrites(reader, variable);
}

/**
 * What the calls of this module hand to a parameter. `import('x').then((x) => …)` and AMD's `define(['x'], (x) => …)`
 * hand a module over.
 */
function givenTo(reader: MeaningReader, fn: FunctionNode, position: number): (Meaning | undefined)[] {
  const { index, meaningOf, ofModule, functionOf, callersOf } = reader;
  const { parent } = fn;
  if (parent.type === 'CallExpression' && parent.callee !== fn) {
    const callee = calleeOf(parent);
    const name = lastName(callee) ?? '';
    if (callee.type === 'MemberExpression' && name === 'then' && parent.arguments[0] === fn && position === 0)
      return [meaningOf(callee.object)];
    const list = parent.arguments.find((arg) => arg.type === 'ArrayExpression');
    const specifier = list?.elements[position];
    if (/^(define|require|requirejs)$/.test(name) && specifier)
      return [ofModule(constantText(index, specifier))];
  }
  const taker = parent.type === 'CallExpression' ? functionOf(parent) : undefined;
  if (taker)
    return handedBy(
      reader,
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
function handedBy(
  reader: MeaningReader,
  taker: FunctionNode,
  at: number,
  position: number,
): (Meaning | undefined)[] {
  const { index, meaningOf } = reader;
  const param = taker.params[at];
  const variable = param?.type === 'Identifier' ? index.variableOf(param) : undefined;
  const type = param?.type === 'Identifier' ? param.typeAnnotation?.typeAnnotation : undefined;
  const typed = type?.type === 'TSFunctionType' ? type.params[position] : undefined;
  const byType = typed && annotatedMeaning(reader, typed);
  if (byType) return [byType];
  return (variable?.references ?? []).map(({ identifier: { parent }, identifier }) => {
    const arg =
      parent.type === 'CallExpression' && parent.callee === identifier
        ? parent.arguments[position]
        : undefined;
    return arg && meaningOf(arg);
  });
}
