import type ts from 'typescript';
import { compiledExports, definedValue } from './compiled-exports.ts';
import type { Compiler } from './compiler.ts';
import { expressionsNamed } from './expressions-named.ts';
import { implementations } from './implementations.ts';
import { importsOf, type Imports } from './imports.ts';

/** Where something of the program is declared; offsets count in the text without a byte order mark. */
export interface Declared {
  file: string;
  start: number;
  end: number;
}

/** Names the declarations that the calls of a program enter. */
export interface Resolver {
  /**
   * What a call, or a name that is handed on, stands for: functions with a body, and the exports on the way to them.
   *
   * @param start of the call or the name, from the start of its file
   */
  declarationsAt: (file: string, start: number, end: number) => Declared[];
  /**
   * What a name stands for wherever a file uses it, each thing once; undefined where the file gives it another name, for
   * then it matters to whom that belongs.
   */
  usesOf: (source: ts.SourceFile, name: string) => Declared[] | undefined;
  /** What a symbol of the checker stands for, by the same rules. */
  declarationsOf: (symbol: ts.Symbol) => Declared[];
}

type Call = ts.CallExpression | ts.NewExpression | ts.TaggedTemplateExpression;

/** Aliases of aliases go a few steps. */
const MOST_STEPS = 20;

/** What compilers wrap a `require` into: `__importStar`, `__importDefault`, `_interopRequireDefault`, `__toESM`. */
const INTEROP = /(?:^|\.)_+(?:import(?:Star|Default)|interop_?require_?(?:wildcard|default)|toESM)\)?$/i;

/**
 * The resolver of a program. This file, what finds names and the index of implementations are all that knows TypeScript's nodes.
 *
 * @param ts the compiler that made the program
 * @param sources the files whose classes and objects count as implementations, where not all do
 * @param wrappedAt the places of the arguments of a call that what it gives will call: `once(load)`
 */
export function resolver(
  ts: Compiler,
  program: ts.Program,
  sources?: readonly ts.SourceFile[],
  imports: Imports = importsOf(ts, program, sources ?? program.getSourceFiles()),
  wrappedAt: (file: string, start: number, end: number) => readonly number[] = () => [],
): Resolver {
  const checker = program.getTypeChecker();
  const implementing = implementations(ts, program, sources);

  function declarationsAt(file: string, start: number, end: number): Declared[] {
    const source = program.getSourceFile(file);
    const node = source && nodeAt(source, start, end);
    if (!node) return [];
    const found = new Set<ts.Node>();
    const target = ts.isTaggedTemplateExpression(node)
      ? node.tag
      : ts.isCallExpression(node) || ts.isNewExpression(node)
        ? node.expression
        : node;
    follow(target as ts.Expression, found, MOST_STEPS);
    return [...found].map(declared);
  }

  function usesOf(source: ts.SourceFile, name: string): Declared[] | undefined {
    const used = expressionsNamed(ts, source, name);
    if (!used) return undefined;
    const found = new Set<ts.Node>();
    for (const each of used) follow(each, found, MOST_STEPS);
    return [...found].map(declared);
  }

  function declarationsOf(symbol: ts.Symbol): Declared[] {
    const found = new Set<ts.Node>();
    ofSymbol(symbol, found, MOST_STEPS);
    return [...found].map(declared);
  }

  const declared = (node: ts.Node): Declared => ({
    file: node.getSourceFile().fileName,
    start: node.getStart(),
    end: node.end,
  });

  /** The call or the name that covers exactly the given stretch. */
  function nodeAt(source: ts.SourceFile, start: number, end: number): ts.Node | undefined {
    let found: ts.Node | undefined;
    let at: ts.Node | undefined = source;
    while (at) {
      if (at.end === end && isAsked(at) && at.getStart(source) === start) found = at;
      at = ts.forEachChild(at, (child) =>
        child.pos <= start && child.end >= end && child.getStart(source) <= start ? child : undefined,
      );
    }
    return found;
  }

  function isAsked(node: ts.Node): node is Call | ts.MemberName | ts.PropertyAccessExpression {
    return (
      ts.isCallExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isTaggedTemplateExpression(node) ||
      ts.isIdentifier(node) ||
      ts.isPrivateIdentifier(node) ||
      ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node)
    );
  }

  /** Adds what an expression stands for. */
  function follow(expression: ts.Expression, found: Set<ts.Node>, steps: number): void {
    if (steps === 0) return;
    const node = bare(expression);
    if (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node)) {
      ofDeclaration(node, found, steps);
    } else if (ts.isConditionalExpression(node)) {
      follow(node.whenTrue, found, steps - 1);
      follow(node.whenFalse, found, steps - 1);
    } else if (ts.isBinaryExpression(node)) {
      // `a || b`, `(0, a)`, `exports.a = b`
      if (isChoice(node)) follow(node.left, found, steps - 1);
      follow(node.right, found, steps - 1);
    } else if (ts.isPropertyAccessExpression(node)) {
      if (/^(?:call|apply|bind)$/.test(node.name.text)) follow(node.expression, found, steps - 1);
      else ofMember(node, found, steps);
    } else if (ts.isElementAccessExpression(node)) {
      ofSymbol(checker.getSymbolAtLocation(node.argumentExpression), found, steps);
    } else if (ts.isCallExpression(node)) {
      const callee = bare(node.expression);
      const isBound = ts.isPropertyAccessExpression(callee) && callee.name.text === 'bind';
      const module = requiredBy(node);
      if (isBound) follow(callee.expression, found, steps - 1);
      else if (module) ofSymbol(module.exports?.get(ts.InternalSymbolName.ExportEquals), found, steps);
      else {
        for (const at of wrappedAt(node.getSourceFile().fileName, node.getStart(), node.end)) {
          const wrapped = node.arguments[at];
          if (wrapped) follow(wrapped, found, steps - 1);
        }
        ofType(checker.getTypeAtLocation(node), found, steps);
      }
    } else {
      ofSymbol(checker.getSymbolAtLocation(node), found, steps);
    }
  }

  /** Where nothing tells the type of a receiver, its name does: `this.database.update()`. */
  function ofMember(node: ts.PropertyAccessExpression, found: Set<ts.Node>, steps: number): void {
    const symbol = checker.getSymbolAtLocation(node.name);
    if (symbol) {
      ofSymbol(symbol, found, steps);
      return;
    }
    const receiver = bare(node.expression);
    if (ofRequired(receiver, node.name.text, found, steps)) return;
    const named = ts.isPropertyAccessExpression(receiver) ? receiver.name : receiver;
    if (!ts.isIdentifier(named) || !isUntyped(receiver)) return;
    for (const each of implementing.namedAfter(named.text, node.name.text)) found.add(each);
  }

  /** What `require('./x')` gives where it says nothing to the compiler: in TypeScript, or wrapped by another compiler. */
  function requiredBy(node: ts.Expression): ts.Symbol | undefined {
    const [first] = ts.isCallExpression(node) ? node.arguments : [];
    if (!ts.isCallExpression(node) || !first) return undefined;
    if (INTEROP.test(node.expression.getText())) return requiredBy(bare(first));
    if (!ts.isStringLiteralLike(first)) return undefined;
    if (!ts.isIdentifier(node.expression) || node.expression.text !== 'require') return undefined;
    const file = imports.fileOf(node.getSourceFile(), first.text);
    const source = file === undefined ? undefined : program.getSourceFile(file);
    // Not in the public types; the checker gives it for ES modules only.
    return (source as { symbol?: ts.Symbol } | undefined)?.symbol;
  }

  /** Adds what a member of what a file requires, or of the name that this has, stands for; tells whether there is one. */
  function ofRequired(holder: ts.Expression, name: string, found: Set<ts.Node>, steps: number): boolean {
    // In JavaScript the checker takes `const lib = require('./lib')` for an import, which is no value.
    const declaration = ts.isIdentifier(holder)
      ? checker.getSymbolAtLocation(holder)?.declarations?.find(ts.isVariableDeclaration)
      : undefined;
    const made = declaration?.initializer ?? holder;
    const module = requiredBy(bare(made));
    return module !== undefined && ofExport(module, name, found, steps - 1);
  }

  /** Adds what a module exports by a name, by calls too. */
  function ofExport(module: ts.Symbol, name: string, found: Set<ts.Node>, steps: number): boolean {
    const own = checker.getExportsOfModule(module).find((each) => each.name === name);
    if (own) ofSymbol(own, found, steps);
    const source = module.declarations?.find(ts.isSourceFile);
    if (own || !source || steps <= 0) return own !== undefined;
    const { named, all } = compiledExports(ts, source);
    const value = named.get(name);
    if (value) follow(value, found, steps - 1);
    return value !== undefined || all.some((each) => ofRequired(bare(each), name, found, steps - 1));
  }

  const isUntyped = (node: ts.Expression): boolean =>
    (checker.getTypeAtLocation(node).flags &
      (ts.TypeFlags.Any | ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !==
    0;

  /** An expression without parentheses and without what only types need. */
  // TypeScript 4.8 does not know it yet.
  const isSatisfies = (node: ts.Node): node is ts.SatisfiesExpression =>
    (ts as Partial<Compiler>).isSatisfiesExpression?.(node) ?? false;

  function bare(node: ts.Expression): ts.Expression {
    let at = node;
    while (
      ts.isParenthesizedExpression(at) ||
      ts.isAsExpression(at) ||
      ts.isNonNullExpression(at) ||
      ts.isTypeAssertionExpression(at) ||
      isSatisfies(at) ||
      ts.isExpressionWithTypeArguments(at)
    )
      at = at.expression;
    return at;
  }

  function isChoice({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
    return kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
  }

  function ofType(type: ts.Type, found: Set<ts.Node>, steps: number): void {
    for (const { declaration } of type.getCallSignatures())
      if (declaration) ofDeclaration(declaration, found, steps - 1);
  }

  function ofSymbol(symbol: ts.Symbol | undefined, found: Set<ts.Node>, steps: number): void {
    let at = symbol;
    for (let left = steps; at && at.flags & ts.SymbolFlags.Alias && left > 0; left--) {
      const given = at.declarations ?? [];
      for (const declaration of given) found.add(declaration);
      at = checker.getImmediateAliasedSymbol(at);
      // `const { load } = require('./lib')` of what exports by calls.
      if (!at?.declarations)
        for (const each of given.filter(ts.isBindingElement)) ofBinding(each, found, left);
    }
    for (const declaration of at?.declarations ?? []) ofDeclaration(declaration, found, steps);
  }

  function ofDeclaration(node: ts.Node, found: Set<ts.Node>, steps: number): void {
    if (steps === 0 || found.has(node)) return;
    if (ts.isFunctionLike(node)) {
      if (isMember(node) || ('body' in node && node.body)) found.add(node);
      if (isMember(node)) for (const each of implementing.of(node)) found.add(each);
    } else if (ts.isClassLike(node)) {
      ofConstructor(node, found, steps);
    } else if (ts.isVariableDeclaration(node)) {
      found.add(node);
      if (node.initializer) follow(node.initializer, found, steps - 1);
    } else if (ts.isBindingElement(node)) {
      ofBinding(node, found, steps);
    } else if (ts.isPropertyAssignment(node)) {
      found.add(node);
      follow(node.initializer, found, steps - 1);
    } else if (ts.isShorthandPropertyAssignment(node)) {
      found.add(node);
      ofSymbol(checker.getShorthandAssignmentValueSymbol(node), found, steps - 1);
    } else if (ts.isPropertyDeclaration(node) && node.initializer) {
      found.add(node);
      follow(node.initializer, found, steps - 1);
    } else if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node)) {
      found.add(node);
      for (const each of implementing.of(node)) found.add(each);
    } else if (ts.isExportAssignment(node)) {
      follow(node.expression, found, steps - 1);
    } else if (ts.isBinaryExpression(node)) {
      found.add(node);
      follow(node.right, found, steps - 1);
    } else if (ts.isCallExpression(node)) {
      const value = definedValue(ts, node);
      if (value) follow(value, found, steps - 1);
    } else if (ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) {
      // `exports.load = …` declares `load` in JavaScript.
      if (ts.isBinaryExpression(node.parent) && node.parent.left === node)
        ofDeclaration(node.parent, found, steps - 1);
    }
  }

  /** The constructor that `new` runs, its base's where it has none. */
  function ofConstructor(node: ts.ClassLikeDeclaration, found: Set<ts.Node>, steps: number): void {
    const own = node.members.find((member) => ts.isConstructorDeclaration(member) && member.body);
    if (own) {
      found.add(own);
      return;
    }
    const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    if (base) follow(base.expression, found, steps - 1);
  }

  /** `const { load } = helpers` */
  function ofBinding(node: ts.BindingElement, found: Set<ts.Node>, steps: number): void {
    const name = node.propertyName ?? node.name;
    if (!ts.isObjectBindingPattern(node.parent) || !ts.isIdentifier(name)) return;
    const property = checker.getTypeAtLocation(node.parent).getProperty(name.text);
    const holder = node.parent.parent;
    const given = ts.isVariableDeclaration(holder) ? holder.initializer : undefined;
    if (property) ofSymbol(property, found, steps - 1);
    else if (given) ofRequired(bare(given), name.text, found, steps);
  }

  function isMember(node: ts.Node): node is ts.MethodDeclaration | ts.MethodSignature {
    return ts.isMethodDeclaration(node) || ts.isMethodSignature(node);
  }

  return { declarationsAt, declarationsOf, usesOf };
}
