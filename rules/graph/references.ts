import type ts from 'typescript';
import type { Compiler } from './compiler.ts';
import { foreignIn } from './foreign.ts';
import { assignedIn } from './assigned.ts';
import { contracts, type Contract } from './contracts.ts';
import { holdersOf } from './holders.ts';
import { resolver, type Declared } from './resolve.ts';

/** A place that names something of the program; offsets count in the text without a byte order mark. */
export interface NameUse {
  file: string;
  start: number;
  end: number;
  /** The declarations that the name stands for, and those on the way to them. */
  stands: readonly Declared[];
  /** A member of something of the program without a type: the name may stand for anything. */
  isUntyped: boolean;
  /** What becomes of the value there: so a module is read only for what is asked for. */
  as: 'callee' | 'argument' | 'object' | 'other';
  /** The name that an import or an export gives it. */
  alias: string | undefined;
}

/** Answers who names the functions of a program. */
export interface References {
  /** Every place that has a name, declarations of it left out. */
  usesOf(name: string): readonly NameUse[];
  /** The declarations that a call enters. */
  declarationsAt(file: string, start: number, end: number): readonly Declared[];
  /** What a member of a class, an interface or an object changes together with. */
  contractOf(file: string, start: number, end: number): Contract | undefined;
}

/**
 * The references of a program, found name by name: only places that hold a name are given to the checker.
 *
 * @param ts the compiler that made the program
 */
export function references(ts: Compiler, program: ts.Program): References {
  const checker = program.getTypeChecker();
  const { declarationsAt, declarationsOf } = resolver(ts, program);
  const valuesOf = assignedIn(ts, checker);
  const isForeign = foreignIn(ts, checker, valuesOf);
  const known = new Map<string, readonly NameUse[]>();
  const holders = holdersOf(
    program
      .getSourceFiles()
      .filter((source) => !source.isDeclarationFile && !program.isSourceFileFromExternalLibrary(source)),
  );

  function usesOf(name: string): readonly NameUse[] {
    const before = known.get(name);
    if (before) return before;
    const holding = new Set([...holders(name), ...holders(`#${name}`)]);
    const found = [...holding].flatMap((source) => placesIn(source, name));
    known.set(name, found);
    return found;
  }

  function placesIn(source: ts.SourceFile, name: string): NameUse[] {
    const { text } = source;
    const found: NameUse[] = [];
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const end = at + name.length;
      if (isWord(text.charAt(at - 1)) || isWord(text.charAt(end))) continue;
      const node = nameAt(source, at);
      if (!node) continue;
      const isKey = ts.isElementAccessExpression(node);
      if (isKey ? node.argumentExpression.end === end + 1 : node.end === end && !isDeclaredBy(node))
        found.push(useAt(source, node));
    }
    return found;
  }

  /** What it stands for is asked when it is needed: the checker keeps all that it is asked for. */
  function useAt(source: ts.SourceFile, node: ts.MemberName | ts.ElementAccessExpression): NameUse {
    const [file, start, end] = [source.fileName, node.getStart(source), node.end];
    const { parent } = node;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
    let known: Pick<NameUse, 'stands' | 'isUntyped'> | undefined;
    const meaning = () => (known ??= meaningOf(node, file, start, end));
    return {
      file,
      start,
      end,
      as: usedAs(isMember ? parent : node),
      alias: aliasAt(node),
      get stands() {
        return meaning().stands;
      },
      get isUntyped() {
        return meaning().isUntyped;
      },
    };
  }

  function meaningOf(
    node: ts.MemberName | ts.ElementAccessExpression,
    file: string,
    start: number,
    end: number,
  ): Pick<NameUse, 'stands' | 'isUntyped'> {
    const stands = declarationsAt(file, start, end);
    if (ts.isElementAccessExpression(node)) return { stands, isUntyped: isUntyped(node) };
    const untyped = isUntyped(node.parent);
    const given = untyped ? membersGiven(node) : undefined;
    return { stands: given ?? stands, isUntyped: untyped && given === undefined };
  }

  function usedAs(value: ts.Node): NameUse['as'] {
    const { parent } = value;
    if (isWrapping(parent, value)) return usedAs(parent);
    if (ts.isElementAccessExpression(parent)) return parent.expression === value ? 'object' : 'other';
    if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return 'other';
    return parent.expression === value ? 'callee' : 'argument';
  }

  /** Parentheses, what only types need, and `(0, load)`. */
  const isWrapping = (node: ts.Node, value: ts.Node): boolean =>
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    // TypeScript 4.8 does not know it yet.
    (ts as Partial<Compiler>).isSatisfiesExpression?.(node) === true ||
    ts.isExpressionWithTypeArguments(node) ||
    (ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.CommaToken &&
      node.right === value);

  function aliasAt({ parent }: ts.Node): string | undefined {
    if (!ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent)) return undefined;
    return ts.isIdentifier(parent.name) ? parent.name.text : undefined;
  }

  /** The name, `#name` too, whose letters begin at a place; all of `x['name']` where they are a key. */
  function nameAt(
    source: ts.SourceFile,
    start: number,
  ): ts.MemberName | ts.ElementAccessExpression | undefined {
    let at: ts.Node | undefined = source;
    while (at) {
      if (ts.isIdentifier(at) && at.getStart(source) === start) return at;
      if (ts.isPrivateIdentifier(at) && at.getStart(source) === start - '#'.length) return at;
      if (ts.isStringLiteralLike(at) && at.getStart(source) === start - "'".length)
        return ts.isElementAccessExpression(at.parent) ? at.parent : undefined;
      at = ts.forEachChild(at, (child) => (child.pos <= start && child.end > start ? child : undefined));
    }
    return undefined;
  }

  /** Whether a name is that of a declaration, and no use of what is declared. */
  function isDeclaredBy(node: ts.MemberName): boolean {
    const { parent } = node;
    if (
      ts.isShorthandPropertyAssignment(parent) ||
      ts.isPropertyAccessExpression(parent) ||
      ts.isExportSpecifier(parent)
    )
      return false;
    return 'name' in parent && parent.name === node;
  }

  function isUntyped(member: ts.Node): boolean {
    const isKeyed = ts.isElementAccessExpression(member);
    if (!isKeyed && !ts.isPropertyAccessExpression(member)) return false;
    if (checker.getSymbolAtLocation(isKeyed ? member.argumentExpression : member.name)) return false;
    if ((checker.getTypeAtLocation(member.expression).flags & ts.TypeFlags.Any) === 0) return false;
    return !isForeign(member.expression);
  }

  /** The member of all that a variable is given; undefined where something of it has no type either. */
  function membersGiven({ parent, text }: ts.MemberName): Declared[] | undefined {
    if (!ts.isPropertyAccessExpression(parent) || !ts.isIdentifier(parent.expression)) return undefined;
    const values = valuesOf(parent.expression).filter(({ kind }) => kind !== ts.SyntaxKind.NullKeyword);
    const found = values.map((value) => checker.getTypeAtLocation(value).getProperty(text));
    if (values.length === 0 || found.includes(undefined)) return undefined;
    return found.flatMap((symbol) => (symbol ? declarationsOf(symbol) : []));
  }

  return { usesOf, declarationsAt, contractOf: contracts(ts, program) };
}

const isWord = (char: string): boolean => /[\w$]/.test(char);
