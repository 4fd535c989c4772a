import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/** How far the origin of a value is followed. */
const MOST_STEPS = 8;

/**
 * Tells whether an expression is of another package, a global or a literal: its members are none of the program's, whatever
 * their names.
 *
 * @param ts the compiler that made the program
 * @param valuesOf what a variable is given
 */
export function foreignIn(
  ts: Compiler,
  checker: ts.TypeChecker,
  valuesOf: (name: ts.Identifier) => readonly ts.Expression[],
): (expression: ts.Expression) => boolean {
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
      const held = ts.isPropertyAccessExpression(node) ? heldBy(node) : undefined;
      if (held) return typeof held === 'boolean' ? held : areForeign(held, steps - 1);
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
    if (ts.isVariableDeclaration(declaration)) {
      const { type, initializer } = declaration;
      if (type) return isForeignType(type);
      // What is required is an alias to the checker, which holds no value.
      return areForeign([...(initializer ? [initializer] : []), ...valuesOf(node)], steps - 1);
    }
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
    if (declaration.type) return isForeignType(declaration.type);
    // What another package calls back with is its own.
    const call = declaration.parent.parent;
    return (
      ts.isCallExpression(call) &&
      call.expression !== declaration.parent &&
      isForeign(call.expression, steps - 1)
    );
  }

  /** What a member of the program is given, or whether it is foreign by its type; undefined where no declaration tells. */
  function heldBy({ name }: ts.PropertyAccessExpression): readonly ts.Expression[] | boolean | undefined {
    const declared = checker.getSymbolAtLocation(name)?.declarations ?? [];
    const values: ts.Expression[] = [];
    for (const each of declared) {
      const assignment = ts.isBinaryExpression(each) ? each : each.parent;
      if (ts.isPropertyDeclaration(each) || ts.isParameter(each)) {
        if (each.type) return isForeignType(each.type);
        if (each.initializer) values.push(each.initializer);
        if (ts.isClassLike(each.parent)) values.push(...givenTo(each.parent, name.text));
      } else if (ts.isPropertyAssignment(each)) values.push(each.initializer);
      // `this.db = new Database(path)` declares in JavaScript.
      else if (ts.isBinaryExpression(assignment)) values.push(assignment.right);
      else return undefined;
    }
    return declared.length > 0 ? values : undefined;
  }

  /** What a class gives to a field of its own. */
  function givenTo(owner: ts.ClassLikeDeclaration, field: string): ts.Expression[] {
    const found: ts.Expression[] = [];
    const visit = (node: ts.Node): void => {
      const left =
        ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left) ? node.left : undefined;
      if (left?.expression.kind === ts.SyntaxKind.ThisKeyword && left.name.text === field)
        found.push((left.parent as ts.BinaryExpression).right);
      ts.forEachChild(node, visit);
    };
    visit(owner);
    return found;
  }

  const isNothing = (node: ts.Expression): boolean =>
    node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === 'undefined');

  function areForeign(values: readonly ts.Expression[], steps: number): boolean {
    const given = values.filter((value) => !isNothing(value));
    return given.length > 0 && given.every((value) => isForeign(value, steps));
  }

  /** `Database.Database | undefined`, where `Database` is imported from a package. */
  function isForeignType(type: ts.TypeNode): boolean {
    if (ts.isUnionTypeNode(type)) return type.types.every((part) => isNoType(part) || isForeignType(part));
    if (!ts.isTypeReferenceNode(type)) return false;
    let name = type.typeName;
    while (ts.isQualifiedName(name)) name = name.left;
    const declaration = checker.getSymbolAtLocation(name)?.declarations?.[0];
    const imported = declaration && ts.findAncestor(declaration, ts.isImportDeclaration);
    return imported !== undefined && isPackage(imported.moduleSpecifier);
  }

  const isNoType = (type: ts.TypeNode): boolean =>
    type.kind === ts.SyntaxKind.UndefinedKeyword ||
    (ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword);

  /** `require('x')`, `loader.require('x')`: the specifier decides. */
  const isRequire = ({ expression, arguments: [first] }: ts.CallExpression): boolean => {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    return ts.isIdentifier(name) && name.text === 'require' && first !== undefined;
  };

  const isPackage = (specifier: ts.Node | undefined): boolean =>
    specifier !== undefined && ts.isStringLiteralLike(specifier) && !specifier.text.startsWith('.');

  return isForeign;
}
