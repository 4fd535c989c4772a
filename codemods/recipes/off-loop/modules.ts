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

/**
 * The modules of a program as the readers see them, each parsed when it is asked for, and let go of once nobody holds a node
 * of it: while somebody does, the same module is given.
 */
export interface Modules {
  /** Undefined for a file that does not parse. */
  at(file: string): LoopModule | undefined;
  /** The text of a file of the program, whether it parses or not. */
  textOf(file: string): string | undefined;
  /** The module that a node stands in. */
  of(node: TSESTree.Node): LoopModule;
  /** Whether other files hand a file databases, which its own text does not tell. */
  isHanded(file: string): boolean;
  /** The function that is declared at a place. */
  functionAt(declared: Declared): FunctionNode | undefined;
  /** A member without a body, or a name, that stands at a place. */
  nodeAt(place: Declared): TSESTree.Node | undefined;
  /** The innermost node that covers exactly a place. */
  nodeOver(place: Declared): TSESTree.Node | undefined;
}

/** Where a node stands: it is found there again when its module is let go of, and read anew. */
export const spanOf = ({ view: { filename: file } }: LoopModule, node: TSESTree.Node): Declared => ({
  file,
  start: node.range[0],
  end: node.range[1],
});

export const spanKey = ({ file, start, end }: Declared): string => `${file}:${start}-${end}`;

const NAMED =
  /^(Identifier|PrivateIdentifier|JSXIdentifier|TSMethodSignature|TSPropertySignature|TSAbstractMethodDefinition|TSAbstractPropertyDefinition|MethodDefinition|PropertyDefinition|Property)$/;

/**
 * @param ts the compiler that made the program
 * @param sourceOf a file of the program
 * @param settingsOf what the user's config says for it
 * @param handed the files that others hand databases, as they are read with them
 */
export function modulesOf(
  ts: Compiler,
  sourceOf: (file: string) => SourceFile | undefined,
  settingsOf: (file: string) => LoopSettings | undefined,
  handed: ReadonlyMap<SourceFile, LoopModule> = new Map(),
): Modules {
  // Who holds a node holds its whole tree, for nodes have parents; and the tree its module.
  const trees = new Map<string, WeakRef<TSESTree.Program>>();
  const read = new WeakMap<TSESTree.Program, LoopModule>();
  const broken = new Set<string>();

  function at(file: string): LoopModule | undefined {
    const tree = trees.get(file)?.deref();
    if (tree) return read.get(tree);
    const source = broken.has(file) ? undefined : sourceOf(file);
    const linked = source && handed.get(source);
    if (linked) return keep(file, linked);
    const view = source && sourceView(ts, source);
    if (!view) {
      broken.add(file);
      return undefined;
    }
    return keep(file, loopModule(view, settingsOf(file)));
  }

  function keep(file: string, module: LoopModule): LoopModule {
    trees.set(file, new WeakRef(module.view.ast));
    read.set(module.view.ast, module);
    return module;
  }

  /** The nodes of a file that end at a place. */
  function nodesTo(file: string, end: number): TSESTree.Node[] {
    const ast = at(file)?.view.ast;
    return ast ? endingAt(ast, end) : [];
  }

  return {
    at,
    textOf: (file) => sourceOf(file)?.text,
    isHanded(file) {
      const source = sourceOf(file);
      return source !== undefined && handed.has(source);
    },
    of(node) {
      let at = node;
      while (at.parent) at = at.parent;
      const module = read.get(at);
      if (!module) throw new Error('A node of a module that was not read.');
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
    nodeOver: ({ file, start, end }) => nodesTo(file, end).findLast((node) => node.range[0] === start),
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
