import {
  loopModule,
  parseModule,
  walk,
  type Declared,
  type FunctionNode,
  type LoopModule,
  type LoopSettings,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/** The modules of a program as the readers see them, each parsed when it is asked for. */
export interface Modules {
  /** Undefined for a file that does not parse. */
  at(file: string): LoopModule | undefined;
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
  nodes: Map<string, TSESTree.Node>;
}

const NAMED =
  /^(Identifier|PrivateIdentifier|JSXIdentifier|TSMethodSignature|TSPropertySignature|TSAbstractMethodDefinition|TSAbstractPropertyDefinition|MethodDefinition|PropertyDefinition|Property)$/;

/**
 * @param textOf the text of a file of the program
 * @param settingsOf what the user's config says for it
 */
export function modulesOf(
  textOf: (file: string) => string | undefined,
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
    const text = textOf(file);
    if (text === undefined) return undefined;
    try {
      const module = loopModule(parseModule(text, file), settingsOf(file));
      const functions: Indexed['functions'] = new Map();
      const nodes: Indexed['nodes'] = new Map();
      walk(module.view.ast, (node) => {
        if (isFunctionNode(node))
          functions.set(node.range[1], [...(functions.get(node.range[1]) ?? []), node]);
        else if (NAMED.test(node.type)) {
          const key = node.range.join();
          // `{ load }` is a property and a name at one place: the name is asked for.
          if (!nodes.has(key) || node.type === 'Identifier') nodes.set(key, node);
        }
      });
      files.set(module.view.ast, module);
      return { module, functions, nodes };
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  return {
    at: (file) => indexed(file)?.module,
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
    nodeAt: ({ file, start, end }) => indexed(file)?.nodes.get(`${String(start)},${String(end)}`),
  };
}

const isFunctionNode = (node: TSESTree.Node): node is FunctionNode =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);

/** Methods and declarations begin where their modifiers do. */
function isExpression(fn: FunctionNode): boolean {
  const { parent } = fn;
  if (fn.type === 'FunctionDeclaration') return false;
  return !(parent.type === 'MethodDefinition' || (parent.type === 'Property' && parent.method));
}
