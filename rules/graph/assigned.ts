import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/**
 * Tells what a variable without a type is given in its file, `let app; beforeEach(() => { app = new App(); })`: the checker
 * knows nothing of it in other functions.
 *
 * @param ts the compiler that made the program
 */
export function assignedIn(
  ts: Compiler,
  checker: ts.TypeChecker,
): (name: ts.Identifier) => readonly ts.Expression[] {
  const known = new WeakMap<ts.SourceFile, Map<ts.Symbol, ts.Expression[]>>();

  function gather(source: ts.SourceFile): Map<ts.Symbol, ts.Expression[]> {
    const found = new Map<ts.Symbol, ts.Expression[]>();
    const visit = (node: ts.Node): void => {
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isIdentifier(node.left)
      ) {
        const symbol = checker.getSymbolAtLocation(node.left);
        if (symbol) found.set(symbol, [...(found.get(symbol) ?? []), node.right]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }

  return (name) => {
    const symbol = checker.getSymbolAtLocation(name);
    const declaration = symbol?.valueDeclaration;
    if (!symbol || !declaration || !ts.isVariableDeclaration(declaration)) return [];
    const source = declaration.getSourceFile();
    const its = known.get(source) ?? gather(source);
    known.set(source, its);
    const { initializer } = declaration;
    return [...(initializer ? [initializer] : []), ...(its.get(symbol) ?? [])];
  };
}
