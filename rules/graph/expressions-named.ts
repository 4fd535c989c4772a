import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/**
 * The expressions by which a file uses a name; undefined where the file gives it another name, for then it matters to
 * whom that belongs.
 *
 * @param ts the compiler that made the file
 */
export function expressionsNamed(
  ts: Compiler,
  source: ts.SourceFile,
  name: string,
): ts.Expression[] | undefined {
  const found: ts.Expression[] = [];
  const { text } = source;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (isPart(text.charCodeAt(at - 1)) || isPart(text.charCodeAt(end))) continue;
    const node = nameAt(at, end);
    if (!node) continue;
    if (isRenamed(node)) return undefined;
    const used = useOf(node);
    if (used) found.push(used as ts.Expression);
  }
  return found;

  function isPart(unit: number): boolean {
    return ts.isIdentifierPart(unit, ts.ScriptTarget.ESNext);
  }

  /** The identifier, or the literal of a property's name, whose text covers exactly the given stretch. */
  function nameAt(start: number, end: number): ts.Node | undefined {
    let at: ts.Node | undefined = source;
    while (at) {
      if (ts.isIdentifier(at) || ts.isPrivateIdentifier(at)) return at.end === end ? at : undefined;
      if (ts.isStringLiteralLike(at))
        return at.end === end + 1 && at.text.length === end - start ? at : undefined;
      at = ts.forEachChild(at, (child) => (child.pos <= start && child.end >= end ? child : undefined));
    }
    return undefined;
  }

  /** `import { load as read }`, `const { load: read } = x` */
  function isRenamed(node: ts.Node): boolean {
    const { parent } = node;
    if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isBindingElement(parent))
      return parent.propertyName === node;
    return ts.isPropertyAssignment(parent) && parent.name === node && isAssigned(parent.parent);
  }

  /** Whether an object literal is the target of an assignment. */
  function isAssigned(object: ts.Node): boolean {
    let at = object;
    while (!ts.isStatement(at.parent) && !ts.isBinaryExpression(at.parent)) at = at.parent;
    return (
      ts.isBinaryExpression(at.parent) &&
      at.parent.left === at &&
      at.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
    );
  }

  /** The expression that a name is used by; undefined where it declares something. */
  function useOf(node: ts.Node): ts.Node | undefined {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent)) return parent.name === node ? parent : node;
    if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) return parent;
    return ts.isStringLiteralLike(node) || (parent as ts.NamedDeclaration).name === node ? undefined : node;
  }
}
