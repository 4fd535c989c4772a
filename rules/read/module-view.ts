import { createRequire } from 'node:module';
import type * as scopes from '@typescript-eslint/scope-manager';
import type * as estree from '@typescript-eslint/typescript-estree';
import type { TSESLint, TSESTree } from '@typescript-eslint/utils';
import { childrenOf } from './children-of.ts';

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
  try {
    const jsx = !/\.[cm]?ts$/.test(filename);
    const sourceType = sourceTypeOf(filename);
    const ast = treeOf(text, { filePath: filename, jsx, sourceType, comment: true });
    return { filename, text, ast, comments: ast.comments ?? [], scopeManager: scopesOf(ast, filename) };
  } catch (error) {
    const sloppy = /\.c?js$/.test(filename) ? parseSloppy(text) : undefined;
    if (!sloppy) throw syntaxError(error);
    return { filename, text, ...sloppy };
  }
}

/**
 * The tree of a text, or of a file that TypeScript has read already, with parents. Not by `@typescript-eslint/parser`: a
 * third of its time and of a module's memory goes into tokens and the globals of a platform, which nobody asks for.
 */
export function treeOf(
  source: Parameters<typeof estree.parseAndGenerateServices>[0],
  options: estree.TSESTreeOptions = {},
): TSESTree.Program {
  // Loaded on demand: it brings TypeScript, and a plugin is imported by editors that never call this.
  const { parseAndGenerateServices } = require('@typescript-eslint/typescript-estree') as typeof estree;
  const { ast } = parseAndGenerateServices(source, {
    range: true,
    loc: true,
    loggerFn: false,
    preserveNodeMaps: false,
    ...options,
  });
  linkParents(ast);
  return ast;
}

/** The scopes of a tree, without those of a platform's globals. */
export function scopesOf(ast: TSESTree.Program, filename: string): TSESLint.Scope.ScopeManager {
  const { analyze } = require('@typescript-eslint/scope-manager') as typeof scopes;
  return analyze(ast, { lib: [], sourceType: sourceTypeOf(filename) });
}

const sourceTypeOf = (filename: string) => (/\.c[jt]s$/.test(filename) ? 'script' : 'module');

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

/** Gives every node its `parent`, as ESLint does while it walks. Without recursion: bundles nest thousands deep. */
function linkParents(program: TSESTree.Program): void {
  const stack: TSESTree.Node[] = [program];
  for (let parent = stack.pop(); parent; parent = stack.pop()) {
    for (const child of childrenOf(parent)) {
      child.parent = parent;
      stack.push(child);
    }
  }
}

function syntaxError(error: unknown): unknown {
  if (!(error instanceof Error) || !('lineNumber' in error && 'column' in error)) return error;
  const { lineNumber: line, column } = error;
  return Object.assign(new SyntaxError(error.message, { cause: error }), { line, column });
}
