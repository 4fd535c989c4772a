import type ts from 'typescript';
import type { Compiler } from './compiler.ts';
import { implementations, type Holder } from './implementations.ts';
import type { Declared } from './resolve.ts';

/** Members that change together or not at all: a method, what it overrides or implements, and what does so with it. */
export interface Contract {
  /** Signatures of interfaces and abstract classes among them. */
  members: Declared[];
  /** Whether a type from outside of the program may have the member too, and say so: by `override`. */
  isOpen: boolean;
}

type Member = ts.ClassElement | ts.TypeElement | ts.ObjectLiteralElementLike;

/**
 * Finds the contracts of a program.
 *
 * @param ts the compiler that made the program
 */
export function contracts(
  ts: Compiler,
  program: ts.Program,
): (file: string, start: number, end: number) => Contract | undefined {
  const checker = program.getTypeChecker();
  const { below } = implementations(ts, program);

  /** The member of a class, an interface or an object that ends where it is said and holds that place. */
  function memberAt(source: ts.SourceFile, start: number, end: number): Member | undefined {
    let found: Member | undefined;
    let at: ts.Node | undefined = source;
    while (at) {
      if (isMember(at) && at.end >= end && at.getStart(source) <= start && isOwn(at, end)) found = at;
      at = ts.forEachChild(at, (child) => (child.pos <= start && child.end >= end ? child : undefined));
    }
    return found;
  }

  /** A property ends behind its function, with a semicolon. */
  const isOwn = (member: Member, end: number): boolean =>
    member.end === end ||
    ('initializer' in member && (member.initializer as ts.Node | undefined)?.end === end);

  function isMember(node: ts.Node): node is Member {
    return (
      ts.isMethodDeclaration(node) ||
      ts.isMethodSignature(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isPropertySignature(node) ||
      ts.isPropertyAssignment(node)
    );
  }

  function of(file: string, start: number, end: number): Contract | undefined {
    const source = program.getSourceFile(file);
    const member = source && memberAt(source, start, end);
    const name = member?.name && 'text' in member.name ? member.name.text : undefined;
    if (!member || name === undefined) return undefined;
    const members = new Set<Member>([member]);
    let isOpen = false;
    for (const each of members) {
      if (ts.canHaveModifiers(each))
        isOpen ||= ts.getModifiers(each)?.some(({ kind }) => kind === ts.SyntaxKind.OverrideKeyword) === true;
      for (const holder of relatives(each.parent as Holder | ts.TypeLiteralNode))
        for (const found of holder.members.filter((its) => nameOf(its) === name)) members.add(found);
    }
    // `override` speaks of what is found as well.
    return { members: [...members].map(declared), isOpen: isOpen && members.size === 1 };
  }

  const nameOf = ({ name }: Member): string | undefined => (name && 'text' in name ? name.text : undefined);

  const declared = (node: ts.Node): Declared => ({
    file: node.getSourceFile().fileName,
    start: node.getStart(),
    end: node.end,
  });

  /** What a class, interface or object is derived from, and what is derived from it. */
  function relatives(holder: Holder | ts.TypeLiteralNode): { members: readonly Member[] }[] {
    const symbols = [...above(holder)];
    const own = ownName(holder);
    const ownSymbol = own && checker.getSymbolAtLocation(own);
    const down = ownSymbol ? below(ownSymbol) : [];
    const declarations = symbols.flatMap((symbol) => symbol.declarations ?? []);
    return [...declarations, ...down].flatMap((node): { members: readonly Member[] }[] => {
      if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
        return [node];
      if (ts.isObjectLiteralExpression(node)) return [{ members: node.properties }];
      if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) return [node.type];
      return [];
    });
  }

  function ownName(holder: Holder | ts.TypeLiteralNode): ts.Node | undefined {
    if (ts.isObjectLiteralExpression(holder)) return undefined;
    if (!ts.isTypeLiteralNode(holder)) return holder.name;
    return ts.isTypeAliasDeclaration(holder.parent) ? holder.parent.name : undefined;
  }

  function above(holder: Holder | ts.TypeLiteralNode): Set<ts.Symbol> {
    const found = new Set<ts.Symbol>();
    const add = (symbol: ts.Symbol | undefined): void => {
      if (symbol) found.add(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
    };
    if (ts.isObjectLiteralExpression(holder)) {
      const type = checker.getContextualType(holder);
      add(type?.aliasSymbol);
      add(type?.symbol);
    } else if (!ts.isTypeLiteralNode(holder))
      for (const { types } of holder.heritageClauses ?? [])
        for (const { expression } of types) add(checker.getSymbolAtLocation(expression));
    return found;
  }

  return of;
}
