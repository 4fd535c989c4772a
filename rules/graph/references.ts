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
    const { text, fileName: file } = source;
    const found: NameUse[] = [];
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const end = at + name.length;
      if (isWord(text.charAt(at - 1)) || isWord(text.charAt(end))) continue;
      const node = nameAt(source, at);
      if (node && ts.isElementAccessExpression(node)) {
        const [start, to] = [node.getStart(source), node.end];
        if (node.argumentExpression.end === end + 1)
          found.push({
            file,
            start,
            end: to,
            stands: declarationsAt(file, start, to),
            isUntyped: isUntyped(node),
          });
        continue;
      }
      if (node?.end !== end || isDeclaredBy(node)) continue;
      const start = node.getStart(source);
      const stands = declarationsAt(file, start, end);
      const untyped = isUntyped(node.parent);
      const given = untyped ? membersGiven(node) : undefined;
      found.push({ file, start, end, stands: given ?? stands, isUntyped: untyped && given === undefined });
    }
    return found;
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
