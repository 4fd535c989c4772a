import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/** How far the origin of a value is followed. */
const MOST_STEPS = 8;

/**
 * Tells whether an expression is of another package, a global or a literal: its members are none of the program's, whatever
 * their names.
 *
 * @param ts the compiler that made the program
 */
export function foreignIn(ts: Compiler, checker: ts.TypeChecker): (expression: ts.Expression) => boolean {
  function isForeign(node: ts.Expression, steps = MOST_STEPS): boolean {
    if (steps === 0) return false;
    if (ts.isLiteralExpression(node) || ts.isTemplateExpression(node) || ts.isArrayLiteralExpression(node))
      return true;
    if (ts.isIdentifier(node)) return isForeignName(node, steps);
    if (
      ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node) ||
      ts.isCallExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isParenthesizedExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAsExpression(node)
    ) {
      if (ts.isCallExpression(node) && isRequire(node)) return isPackage(node.arguments[0]);
      return isForeign(node.expression, steps - 1);
    }
    return ts.isBinaryExpression(node) && isForeign(node.left, steps - 1) && isForeign(node.right, steps - 1);
  }

  function isForeignName(node: ts.Identifier, steps: number): boolean {
    const symbol = checker.getSymbolAtLocation(node);
    const declaration = symbol?.declarations?.[0];
    // A global that nothing declares.
    if (!declaration) return true;
    if (declaration.getSourceFile().isDeclarationFile) return true;
    const imported = ts.findAncestor(declaration, ts.isImportDeclaration);
    if (imported) return isPackage(imported.moduleSpecifier);
    if (ts.isVariableDeclaration(declaration))
      return declaration.initializer !== undefined && isForeign(declaration.initializer, steps - 1);
    if (ts.isBindingElement(declaration)) {
      let holder: ts.Node = declaration;
      while (ts.isBindingElement(holder) || ts.isBindingName(holder)) holder = holder.parent;
      return (
        ts.isVariableDeclaration(holder) &&
        holder.initializer !== undefined &&
        isForeign(holder.initializer, steps - 1)
      );
    }
    if (!ts.isParameter(declaration)) return false;
    // What another package calls back with is its own.
    const call = declaration.parent.parent;
    return (
      ts.isCallExpression(call) &&
      call.expression !== declaration.parent &&
      isForeign(call.expression, steps - 1)
    );
  }

  /** `require('x')`, `loader.require('x')`: the specifier decides. */
  const isRequire = ({ expression, arguments: [first] }: ts.CallExpression): boolean => {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    return ts.isIdentifier(name) && name.text === 'require' && first !== undefined;
  };

  const isPackage = (specifier: ts.Node | undefined): boolean =>
    specifier !== undefined && ts.isStringLiteralLike(specifier) && !specifier.text.startsWith('.');

  return isForeign;
}
