import type { TSESTree } from '@typescript-eslint/utils';
import { findBlocking, type Family } from './blocking.ts';
import { namesOf } from './callers.ts';
import { contextOf, type Unit, type Where } from './context.ts';
import { exportedNames, specifierName } from './exports.ts';
import { handedNow } from './handed-now.ts';
import type { LoopModule } from './loop-module.ts';
import { isRepeated } from './loops.ts';
import { bareExpression, calleeOf, isFunction, lastName, type CallNode, type FunctionNode } from './nodes.ts';
import { wrappingsOf } from './wrapped.ts';

/** A stretch of a module's text; lines and columns count from 1. */
export interface Span {
  start: number;
  end: number;
  line: number;
  column: number;
}

/** A function with the callbacks that run with it; the first of a module is its top level. */
export interface UnitSummary extends Span {
  name: string;
  /** The names that calls may have for it. */
  names: readonly string[];
  where: Where;
  as: string;
}

export interface SiteSummary extends Span {
  unit: number;
  family: Family;
  /** `fs.readFileSync` */
  api: string;
  /** As the text calls it. */
  name: string;
  isLight: boolean;
  isRepeated: boolean;
}

/** A call, or a function that is handed to one, which may enter a function of the program. */
export interface CallSummary extends Span {
  unit: number;
  name: string;
  isRepeated: boolean;
}

/** Another name for what a name stands for: `import { load as read }`, `export { load as read }`, `const read = load`. */
export interface Alias {
  name: string;
  of: string;
}

/** What a module holds for the graph of calls: plain data, its places by offset. */
export interface ModuleSummary {
  file: string;
  /** Those of the sites; those of the calls too, once these were asked for. */
  units: UnitSummary[];
  sites: SiteSummary[];
  /** Read when they are asked for. */
  readonly calls: CallSummary[];
  aliases: Alias[];
  /** The specifiers that the module imports from or exports again. */
  imports: string[];
  /** The names that it exports; `default`, and `*` for all of another module. */
  exports: string[];
}

/** A summary, and the nodes that it was made of, by the same indices. */
export interface ReadSummary {
  summary: ModuleSummary;
  nodes: { readonly units: (FunctionNode | undefined)[]; readonly calls: TSESTree.Node[] };
  /** The unit of this module that a call enters. */
  targetOf(call: number): number | undefined;
}

const known = new WeakMap<LoopModule, ReadSummary>();

/** The summary of a module, made at the first call. */
export function summaryOf(module: LoopModule): ReadSummary {
  const before = known.get(module);
  if (before) return before;
  const made = makeSummary(module);
  known.set(module, made);
  return made;
}

function makeSummary(module: LoopModule): ReadSummary {
  const { view, index, callees } = module;
  const context = contextOf(module);
  const units: UnitSummary[] = [];
  const functions: (FunctionNode | undefined)[] = [];
  const positions = new Map<Unit, number>();
  const positionOf = (unit: Unit): number => {
    const before = positions.get(unit);
    if (before !== undefined) return before;
    const { fn, where, as, name } = unit;
    const names = fn ? [...namesOf(index, fn), ...namesThrough(module, fn)] : [];
    units.push({ ...spanOf(fn ?? view.ast), name, names, where, as });
    functions.push(fn);
    positions.set(unit, units.length - 1);
    return units.length - 1;
  };
  positionOf(context.unitOf(view.ast));

  let read: { calls: CallSummary[]; nodes: TSESTree.Node[] } | undefined;
  const callsRead = (): NonNullable<typeof read> => (read ??= readCalls(module, positionOf));

  const links = linksOf(view.ast);
  let aliases: Alias[] | undefined;
  const sites = findBlocking(module).map(
    ({ unit, name, family, api, isLight, isRepeated: repeated }): SiteSummary => ({
      ...spanOf(name),
      unit: positionOf(unit),
      family,
      api,
      name: view.text.slice(...name.range),
      isLight,
      isRepeated: repeated,
    }),
  );
  return {
    summary: {
      file: view.filename,
      units,
      sites,
      get calls() {
        return callsRead().calls;
      },
      ...links,
      get aliases() {
        return (aliases ??= [...links.aliases, ...wrappedAliases(module)]);
      },
    },
    nodes: {
      get units() {
        // Functions that hold no blocking call come with the calls.
        callsRead();
        return functions;
      },
      get calls() {
        return callsRead().nodes;
      },
    },
    targetOf(at) {
      const node = callsRead().nodes[at];
      const fn = node && enteredBy(node);
      if (!fn) return undefined;
      const unit = context.unitOf(fn.body);
      return unit.fn === fn ? positionOf(unit) : undefined;
    },
  };

  function enteredBy(node: TSESTree.Node): FunctionNode | undefined {
    if (isCall(node)) return callees.functionOf(node);
    const meaning = callees.meaningOf(node);
    return meaning?.is === 'function' ? meaning.node : undefined;
  }
}

/** The names that a function has by what it is wrapped in: `const load = once(() => …)`. */
const namesThrough = (module: LoopModule, fn: FunctionNode): readonly string[] =>
  wrappingsOf(module).find(({ args }) => args.includes(fn))?.names ?? [];

/** `const load = once(read)` */
const wrappedAliases = (module: LoopModule): Alias[] =>
  wrappingsOf(module).flatMap(({ names, args }) =>
    args.flatMap((arg) => {
      const of = isFunction(arg) ? undefined : lastName(arg);
      return of === undefined ? [] : names.map((name) => ({ name, of }));
    }),
  );

function readCalls(
  module: LoopModule,
  positionOf: (unit: Unit) => number,
): { calls: CallSummary[]; nodes: TSESTree.Node[] } {
  const context = contextOf(module);
  const calls: CallSummary[] = [];
  const nodes: TSESTree.Node[] = [];
  const add = (node: TSESTree.Node, name: string): void => {
    const unit = context.unitOf(node);
    // What runs at the top level or off the loop keeps nobody waiting.
    if (unit.where !== 'loop' && unit.where !== 'called') return;
    calls.push({ ...spanOf(node), unit: positionOf(unit), name, isRepeated: isRepeated(node, unit.fn) });
    nodes.push(node);
  };
  for (const call of module.index.calls) {
    const name = lastName(calleeOf(call));
    if (name !== undefined) add(call, name);
    for (const arg of handedNow(module, call)) add(arg, lastName(arg) ?? '');
  }
  return { calls, nodes };
}

const isCall = (node: TSESTree.Node): node is CallNode =>
  node.type === 'CallExpression' || node.type === 'NewExpression' || node.type === 'TaggedTemplateExpression';

/** Where a node stands, with its line and column from 1. */
export function spanOf({ range, loc }: TSESTree.Node): Span {
  return { start: range[0], end: range[1], line: loc.start.line, column: loc.start.column + 1 };
}

function linksOf(ast: TSESTree.Program): Pick<ModuleSummary, 'aliases' | 'imports' | 'exports'> {
  const aliases: Alias[] = [];
  const imports: string[] = [];
  const alias = (name: string, of: string): void => {
    if (name !== of) aliases.push({ name, of });
  };
  for (const node of ast.body) {
    switch (node.type) {
      case 'ImportDeclaration':
        imports.push(node.source.value);
        for (const specifier of node.specifiers)
          if (specifier.type === 'ImportSpecifier')
            alias(specifier.local.name, specifierName(specifier.imported));
        break;
      case 'ExportNamedDeclaration':
        if (node.source) imports.push(node.source.value);
        for (const { local, exported } of node.specifiers)
          alias(specifierName(exported), specifierName(local));
        break;
      case 'ExportAllDeclaration':
        imports.push(node.source.value);
        break;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations)
          if (id.type === 'Identifier' && init) alias(id.name, aliasedBy(init) ?? id.name);
        break;
      default:
    }
  }
  return { aliases, imports, exports: exportedNames(ast) };
}

function aliasedBy(init: TSESTree.Node): string | undefined {
  const bare = bareExpression(init);
  return isFunction(bare) || isCall(bare) ? undefined : lastName(bare);
}
