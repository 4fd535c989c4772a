import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/** Who implements or overrides a member in a program. */
export interface Implementations {
  /** The one implementation of a member without a body, the one override of another; none where there are several. */
  of: (member: ts.ClassElement | ts.TypeElement) => ts.Node[];
  /** All that is derived from a type, at any distance. */
  below: (symbol: ts.Symbol) => Holder[];
  /** A method of the one class that a receiver is named after: `database.update` of `class Database`. */
  namedAfter: (receiver: string, method: string) => ts.Node[];
}

/** What has members. */
export type Holder = ts.ClassLikeDeclaration | ts.InterfaceDeclaration | ts.ObjectLiteralExpression;

/**
 * The implementations in a program, gathered at the first question.
 *
 * @param sources the files that count, where not all do: to calls, tests' doubles are none
 */
export function implementations(
  ts: Compiler,
  program: ts.Program,
  sources: readonly ts.SourceFile[] = program
    .getSourceFiles()
    .filter(({ isDeclarationFile }) => !isDeclarationFile),
): Implementations {
  const checker = program.getTypeChecker();
  let gathered: Map<ts.Symbol, Holder[]> | undefined;
  const classes = new Map<string, Holder[]>();
  const known = new Map<ts.Node, ts.Node[]>();

  function of(member: ts.ClassElement | ts.TypeElement): ts.Node[] {
    const before = known.get(member);
    if (before) return before;
    const owner = ownerOf(member);
    const symbol = owner && checker.getSymbolAtLocation(owner);
    const name = member.name && ts.isIdentifier(member.name) ? member.name.text : undefined;
    const found =
      symbol && name !== undefined ? below(symbol).flatMap((holder) => memberOf(holder, name)) : [];
    const only = found.length === 1 ? found : [];
    known.set(member, only);
    return only;
  }

  function namedAfter(receiver: string, method: string): ts.Node[] {
    gathered ??= gather();
    const [only, ...others] = classes.get(receiver.replace(/^_+/, '').toLowerCase()) ?? [];
    return only && others.length === 0 ? memberOf(only, method) : [];
  }

  /** The name of the class, the interface or the type that a member belongs to. */
  function ownerOf({ parent }: ts.Node): ts.Node | undefined {
    if (ts.isClassLike(parent) || ts.isInterfaceDeclaration(parent)) return parent.name;
    return ts.isTypeLiteralNode(parent) && ts.isTypeAliasDeclaration(parent.parent)
      ? parent.parent.name
      : undefined;
  }

  function below(symbol: ts.Symbol): Holder[] {
    gathered ??= gather();
    const found = new Set<Holder>();
    const queue = [symbol];
    for (const each of queue) {
      for (const holder of gathered.get(each) ?? []) {
        if (found.has(holder)) continue;
        found.add(holder);
        const name = ts.isObjectLiteralExpression(holder) ? undefined : holder.name;
        const its = name && checker.getSymbolAtLocation(name);
        if (its) queue.push(its);
      }
    }
    return [...found];
  }

  function memberOf(holder: Holder, name: string): ts.Node[] {
    if (ts.isInterfaceDeclaration(holder)) return [];
    const members: readonly (ts.ClassElement | ts.ObjectLiteralElementLike)[] = ts.isObjectLiteralExpression(
      holder,
    )
      ? holder.properties
      : holder.members;
    const found = members.find((each) => each.name && ts.isIdentifier(each.name) && each.name.text === name);
    if (!found) return [];
    if (ts.isMethodDeclaration(found)) return found.body ? [found] : [];
    // `read = () => …`, `read: () => …`
    const value =
      ts.isPropertyDeclaration(found) || ts.isPropertyAssignment(found) ? found.initializer : undefined;
    return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? [value] : [];
  }

  function gather(): Map<ts.Symbol, Holder[]> {
    const holders = new Map<ts.Symbol, Holder[]>();
    const add = (type: ts.Node, holder: Holder): void => {
      const symbol = checker.getSymbolAtLocation(type);
      const real = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (real) holders.set(real, [...(holders.get(real) ?? []), holder]);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) {
        if (node.name && ts.isClassLike(node)) {
          const key = node.name.text.toLowerCase();
          classes.set(key, [...(classes.get(key) ?? []), node]);
        }
        for (const { types } of node.heritageClauses ?? [])
          for (const { expression } of types) add(expression, node);
      } else if (ts.isVariableDeclaration(node)) {
        const { type, initializer } = node;
        if (!initializer) return;
        if (ts.isClassExpression(initializer)) visit(initializer);
        if (type && ts.isTypeReferenceNode(type) && ts.isObjectLiteralExpression(initializer))
          add(type.typeName, initializer);
      } else if (
        ts.isVariableStatement(node) ||
        ts.isVariableDeclarationList(node) ||
        ts.isModuleDeclaration(node) ||
        ts.isModuleBlock(node) ||
        ts.isSourceFile(node)
      ) {
        ts.forEachChild(node, visit);
      }
    };
    sources.forEach(visit);
    return holders;
  }

  return { of, below, namedAfter };
}
