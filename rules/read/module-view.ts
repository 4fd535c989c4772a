import { createRequire } from 'node:module';
import type * as parser from '@typescript-eslint/parser';
import type { TSESLint, TSESTree } from '@typescript-eslint/utils';

/** One module as the readers see it: its tree (nodes have `parent`), its scopes and its comments. */
export interface ModuleView {
  filename: string;
  /** Without a byte order mark; offsets of nodes count in it. */
  text: string;
  ast: TSESTree.Program;
  comments: TSESTree.Comment[];
  scopeManager: TSESLint.Scope.ScopeManager;
}

/** Thrown by {@link parseModule} for a text that is no module; `line` counts from 1, `column` from 0. */
export interface ModuleSyntaxError extends SyntaxError {
  line: number;
  column: number;
}

/**
 * The view of a file that ESLint (or oxlint) has parsed.
 * Call it once the tree has been walked (`Program:exit`): espree's nodes get their parents on the way.
 */
export function viewOf(sourceCode: Readonly<TSESLint.SourceCode>, filename: string): ModuleView {
  const { text, ast, scopeManager } = sourceCode;
  if (!scopeManager) throw new Error(`${filename}: the parser gives no scopes.`);
  return { filename, text, ast, comments: sourceCode.getAllComments(), scopeManager };
}

const require = createRequire(import.meta.url);

/**
 * The view of a module's text, a byte order mark removed.
 * The extension decides on JSX and on CommonJS; a name without a known one is read as TypeScript with JSX.
 *
 * @throws {ModuleSyntaxError} for a text that does not parse.
 */
export function parseModule(text: string, filename: string): ModuleView {
  // Loaded on demand: the parser brings TypeScript, and a plugin is imported by editors that never call this.
  const { parseForESLint } = require('@typescript-eslint/parser') as typeof parser;
  try {
    const { ast, scopeManager } = parseForESLint(text, {
      filePath: filename,
      ecmaFeatures: { jsx: !/\.[cm]?ts$/.test(filename) },
      sourceType: /\.c[jt]s$/.test(filename) ? 'commonjs' : 'module',
      range: true,
      loc: true,
      tokens: true,
      comment: true,
    });
    linkParents(ast);
    return { filename, text, ast, comments: ast.comments, scopeManager };
  } catch (error) {
    const sloppy = /\.c?js$/.test(filename) ? parseSloppy(text) : undefined;
    if (!sloppy) throw syntaxError(error);
    return { filename, text, ...sloppy };
  }
}

/**
 * Reads a script that is none in strict mode (octal numbers, `<!--`) by the parser that ESLint takes for it, which
 * TypeScript's parser does not know; undefined for what is no script either.
 */
function parseSloppy(text: string): Pick<ModuleView, 'ast' | 'comments' | 'scopeManager'> | undefined {
  const ours = createRequire(require.resolve('eslint/package.json'));
  const espree = ours('espree') as { parse: (code: string, options: object) => TSESTree.Program };
  const scope = ours('eslint-scope') as {
    analyze: (tree: TSESTree.Program, options: object) => TSESLint.Scope.ScopeManager;
  };
  const { KEYS } = ours('eslint-visitor-keys') as { KEYS: Record<string, readonly string[]> };
  try {
    const ast = espree.parse(text, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      ecmaFeatures: { globalReturn: true, jsx: true },
      range: true,
      loc: true,
      tokens: true,
      comment: true,
    });
    linkParents(ast);
    const scopeManager = scope.analyze(ast, {
      ecmaVersion: 2022,
      sourceType: 'script',
      nodejsScope: true,
      childVisitorKeys: KEYS,
      fallback: 'iteration',
    });
    return { ast, comments: ast.comments ?? [], scopeManager };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What leads up, or to no node. */
const NOT_CHILDREN = new Set(['parent', 'loc', 'range', 'tokens', 'comments', 'type']);

/** Gives every node its `parent`, as ESLint does while it walks. Without recursion: bundles nest thousands deep. */
export function linkParents(program: TSESTree.Program): void {
  const stack: TSESTree.Node[] = [program];
  for (let parent = stack.pop(); parent; parent = stack.pop()) {
    for (const key in parent) {
      if (NOT_CHILDREN.has(key)) continue;
      const value = (parent as unknown as Record<string, unknown>)[key];
      if (Array.isArray(value)) {
        for (const each of value) if (isNode(each)) link(each, parent, stack);
      } else if (isNode(value)) link(value, parent, stack);
    }
  }
}

function link(node: TSESTree.Node, parent: TSESTree.Node, stack: TSESTree.Node[]): void {
  node.parent = parent;
  stack.push(node);
}

const isNode = (value: unknown): value is TSESTree.Node =>
  typeof value === 'object' && value !== null && 'range' in value && 'type' in value;

function syntaxError(error: unknown): unknown {
  if (!(error instanceof Error) || !('lineNumber' in error && 'column' in error)) return error;
  const { lineNumber: line, column } = error;
  return Object.assign(new SyntaxError(error.message, { cause: error }), { line, column });
}
