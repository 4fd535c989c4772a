import type ts from 'typescript';
import type { Compiler } from './compiler.ts';

/** What a file exports by calls, as compilers write it, which says nothing to the checker. */
export interface CompiledExports {
  /** `_export(exports, { load: function () { return _lib.load; } })` of swc. */
  named: ReadonlyMap<string, ts.Expression>;
  /** What is exported whole: `__exportStar(require('./lib'), exports)`, `Object.keys(_lib).forEach(…)` of Babel. */
  all: readonly ts.Expression[];
}

const known = new WeakMap<ts.SourceFile, CompiledExports>();

/** What a file exports by calls at its top level. */
export function compiledExports(compiler: Compiler, source: ts.SourceFile): CompiledExports {
  const before = known.get(source);
  if (before) return before;
  const named = new Map<string, ts.Expression>();
  const all: ts.Expression[] = [];
  for (const statement of source.statements) {
    if (!compiler.isExpressionStatement(statement) || !compiler.isCallExpression(statement.expression))
      continue;
    const { expression: callee, arguments: args } = statement.expression;
    const name = callee.getText(source);
    const [first, second] = args;
    if (!first) continue;
    if (STAR.test(name)) all.push(first);
    else if (name === '__reExport' && second) all.push(second);
    else if (name === '_export' && second && compiler.isObjectLiteralExpression(second)) {
      for (const property of second.properties) {
        const value = gotBy(compiler, property);
        if (value && property.name) named.set(property.name.getText(source), value);
      }
    } else {
      const keys = keysOf(compiler, callee);
      if (keys) all.push(keys);
    }
  }
  const made = { named, all };
  known.set(source, made);
  return made;
}

const STAR = /(?:^|\.)_+export_?star\)?$/i;

/** The x of `Object.keys(x).forEach`. */
function keysOf(compiler: Compiler, callee: ts.Expression): ts.Expression | undefined {
  if (!compiler.isPropertyAccessExpression(callee) || callee.name.text !== 'forEach') return undefined;
  const list = callee.expression;
  return compiler.isCallExpression(list) && list.expression.getText() === 'Object.keys'
    ? list.arguments[0]
    : undefined;
}

/** What `Object.defineProperty(exports, 'load', { get: function () { return lib_1.load; } })` exports. */
export function definedValue(compiler: Compiler, call: ts.CallExpression): ts.Expression | undefined {
  const descriptor = call.arguments[2];
  if (!descriptor || !compiler.isObjectLiteralExpression(descriptor)) return undefined;
  for (const property of descriptor.properties) {
    const name = property.name?.getText();
    if (name === 'value' && compiler.isPropertyAssignment(property)) return property.initializer;
    if (name === 'get') return gotBy(compiler, property);
  }
  return undefined;
}

/** What the function of a property returns, where it does nothing else. */
function gotBy(compiler: Compiler, property: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  const fn = compiler.isPropertyAssignment(property) ? property.initializer : property;
  if (compiler.isArrowFunction(fn) && !compiler.isBlock(fn.body)) return fn.body;
  if (!compiler.isFunctionLike(fn) || !('body' in fn) || !fn.body || !compiler.isBlock(fn.body))
    return undefined;
  const [only] = fn.body.statements;
  return only && compiler.isReturnStatement(only) ? only.expression : undefined;
}
