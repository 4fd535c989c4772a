import {
  loopModule,
  sourceView,
  walk,
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

interface Indexed {
  module: LoopModule;
  functions: Map<number, FunctionNode[]>;
  /** By start and end. */
  nodes: Map<number, TSESTree.Node>;
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
  const known = new Map<string, Indexed | undefined>();
  const files = new Map<TSESTree.Program, LoopModule>();

  function indexed(file: string): Indexed | undefined {
    if (known.has(file)) return known.get(file);
    const made = read(file);
    known.set(file, made);
    return made;
  }

  function read(file: string): Indexed | undefined {
    const source = sourceOf(file);
    const view = source && sourceView(ts, source);
    if (!view) return undefined;
    const module = loopModule(view, settingsOf(file));
    const functions: Indexed['functions'] = new Map();
    const nodes: Indexed['nodes'] = new Map();
    walk(view.ast, (node) => {
      if (isFunctionNode(node)) functions.set(node.range[1], [...(functions.get(node.range[1]) ?? []), node]);
      else if (NAMED.test(node.type) || isKeyed(node)) {
        const key = keyOf(...node.range);
        // `{ load }` is a property and a name at one place: the name is asked for.
        if (!nodes.has(key) || node.type === 'Identifier') nodes.set(key, node);
      }
    });
    files.set(view.ast, module);
    return { module, functions, nodes };
  }

  return {
    at: (file) => indexed(file)?.module,
    has: (file) => known.has(file),
    forget(file) {
      const ast = known.get(file)?.module.view.ast;
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
    functionAt({ file, start, end }) {
      const ending = indexed(file)?.functions.get(end) ?? [];
      return ending.find((fn) => (isExpression(fn) ? fn.range[0] === start : fn.range[0] >= start));
    },
    nodeAt: ({ file, start, end }) => indexed(file)?.nodes.get(keyOf(start, end)),
  };
}

/** `api['load']` */
const isKeyed = (node: TSESTree.Node): boolean =>
  node.type === 'MemberExpression' && node.computed && node.property.type !== 'Identifier';

/** Texts are shorter than 2 ** 26, so that the sum is exact. */
const keyOf = (start: number, end: number): number => start * 2 ** 26 + end;

const isFunctionNode = (node: TSESTree.Node): node is FunctionNode =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);

/** Methods and declarations begin where their modifiers do. */
function isExpression(fn: FunctionNode): boolean {
  const { parent } = fn;
  if (fn.type === 'FunctionDeclaration') return false;
  return !(parent.type === 'MethodDefinition' || (parent.type === 'Property' && parent.method));
}
