import {
  childrenOf,
  loopModule,
  sourceView,
  type Compiler,
  type Declared,
  type FunctionNode,
  type LoopModule,
  type LoopSettings,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { SourceFile } from 'typescript';

/** The modules of a program as the readers see them, each parsed when it is asked for. */
export interface Modules {
  /** Undefined for a file that does not parse. */
  at(file: string): LoopModule | undefined;
  /** Whether a module was read, and something of it may be held. */
  has(file: string): boolean;
  /** Lets go of a module that nothing was taken from; it is read again where it is asked for. */
  forget(file: string): void;
  /** The module that a function stands in. */
  of(fn: FunctionNode): LoopModule;
  /** The function that is declared at a place. */
  functionAt(declared: Declared): FunctionNode | undefined;
  /** A member without a body, or a name, that stands at a place. */
  nodeAt(place: Declared): TSESTree.Node | undefined;
}

const NAMED =
  /^(Identifier|PrivateIdentifier|JSXIdentifier|TSMethodSignature|TSPropertySignature|TSAbstractMethodDefinition|TSAbstractPropertyDefinition|MethodDefinition|PropertyDefinition|Property)$/;

/**
 * @param ts the compiler that made the program
 * @param sourceOf a file of the program
 * @param settingsOf what the user's config says for it
 */
export function modulesOf(
  ts: Compiler,
  sourceOf: (file: string) => SourceFile | undefined,
  settingsOf: (file: string) => LoopSettings | undefined,
): Modules {
  const known = new Map<string, LoopModule | undefined>();
  const files = new Map<TSESTree.Program, LoopModule>();

  function at(file: string): LoopModule | undefined {
    if (known.has(file)) return known.get(file);
    const made = read(file);
    known.set(file, made);
    return made;
  }

  function read(file: string): LoopModule | undefined {
    const source = sourceOf(file);
    const view = source && sourceView(ts, source);
    if (!view) return undefined;
    const module = loopModule(view, settingsOf(file));
    files.set(view.ast, module);
    return module;
  }

  /** The nodes of a file that end at a place. */
  function nodesTo(file: string, end: number): TSESTree.Node[] {
    const ast = at(file)?.view.ast;
    return ast ? endingAt(ast, end) : [];
  }

  return {
    at,
    has: (file) => known.has(file),
    forget(file) {
      const ast = known.get(file)?.view.ast;
      if (ast) files.delete(ast);
      known.delete(file);
    },
    of(fn) {
      let at: TSESTree.Node = fn;
      while (at.parent) at = at.parent;
      const module = files.get(at);
      if (!module) throw new Error('A function of a module that was not read.');
      return module;
    },
    functionAt: ({ file, start, end }) =>
      nodesTo(file, end).find(
        (node): node is FunctionNode =>
          isFunctionNode(node) && (isExpression(node) ? node.range[0] === start : node.range[0] >= start),
      ),
    nodeAt({ file, start, end }) {
      const found = nodesTo(file, end).filter(
        (node) => node.range[0] === start && (NAMED.test(node.type) || isKeyed(node)),
      );
      // `{ load }` is a property and a name at one place: the name is asked for.
      return found.find(({ type }) => type === 'Identifier') ?? found[0];
    },
  };
}

/**
 * The nodes that end at a place, from the outside in. No map of all nodes is kept: there are many more than are asked for.
 * Without recursion, as bundles nest thousands deep.
 */
function endingAt(ast: TSESTree.Program, end: number): TSESTree.Node[] {
  const found: TSESTree.Node[] = [];
  const stack: TSESTree.Node[] = [ast];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.range[1] === end) found.push(node);
    for (const child of childrenOf(node).reverse())
      if ((child.range[0] < end && child.range[1] >= end) || isDecorated(child)) stack.push(child);
  }
  return found;
}

/** Decorators stand in front of what they belong to, and are no part of its text. */
const isDecorated = (node: TSESTree.Node): boolean =>
  node.type === 'Decorator' ||
  ('decorators' in node && ((node.decorators as unknown[] | undefined) ?? []).length > 0) ||
  ('declaration' in node && !!node.declaration && isDecorated(node.declaration));

/** `api['load']` */
const isKeyed = (node: TSESTree.Node): boolean =>
  node.type === 'MemberExpression' && node.computed && node.property.type !== 'Identifier';

const isFunctionNode = (node: TSESTree.Node): node is FunctionNode =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);

/** Methods and declarations begin where their modifiers do. */
function isExpression(fn: FunctionNode): boolean {
  const { parent } = fn;
  if (fn.type === 'FunctionDeclaration') return false;
  return !(parent.type === 'MethodDefinition' || (parent.type === 'Property' && parent.method));
}
