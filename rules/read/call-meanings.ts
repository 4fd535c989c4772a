import type { TSESTree } from '@typescript-eslint/utils';
import { bare } from '../apis/tables.ts';
import type { ApiTable } from './api-table.ts';
import { invocationOf } from './invocation.ts';
import type { Meaning } from './meaning.ts';
import { constantText, type ModuleIndex } from './module-index.ts';
import { lastName, type FunctionNode } from './nodes.ts';
import { wrappedParameters } from './wrapped.ts';

/** How the meanings of expressions are read. */
interface Reading {
  meaningOf: (node: TSESTree.Node) => Meaning | undefined;
  firstImport: (nodes: readonly TSESTree.Node[]) => Meaning | undefined;
  /** What a file requires, or its default export. */
  ofWhole: (specifier: string | undefined) => Meaning | undefined;
}

/** What calls give. */
export interface CallMeanings {
  ofCall: (call: TSESTree.CallExpression) => Meaning | undefined;
  /** What a call of an API, or a type that it exports, stands for. */
  madeBy: (meaning: Meaning | undefined) => Meaning | undefined;
  /** What a call or a construction gives. */
  resultOf: (meaning: Meaning | undefined) => Meaning | undefined;
  /** What a function returns: `const cp = () => require('child_process')`. */
  returned: (fn: FunctionNode) => Meaning | undefined;
}

/** The calls of one module. */
export function callMeaningsOf(
  index: ModuleIndex,
  table: ApiTable,
  { meaningOf, firstImport, ofWhole }: Reading,
): CallMeanings {
  function ofCall(call: TSESTree.CallExpression): Meaning | undefined {
    const { target, args } = invocationOf(call);
    const [first] = args;
    const name = lastName(target);
    // Bundlers rename `require`, and wrap it: the specifier decides.
    if (name !== undefined && /require|import|getBuiltinModule/i.test(name) && first) {
      const specifier = constantText(index, first);
      if (specifier !== undefined && (name === 'require' || isKnown(specifier)) && !isOwnRequire(target)) {
        return ofWhole(specifier);
      }
    }
    if (first && isInterop(target)) return meaningOf(first);
    const meaning = meaningOf(target);
    if (meaning?.is === 'function') return wrappedIn(meaning.node, args) ?? returned(meaning.node);
    if (meaning?.is === 'import' && first && isWrapper(meaning)) return meaningOf(first);
    if (target.type === 'MemberExpression' && name === 'bind') {
      const function_ = meaningOf(target.object);
      return function_?.is === 'import' && args.length > 1
        ? { ...function_, bound: args.slice(1) }
        : function_;
    }
    // `createRequire(import.meta.url)('child_process')`
    if (meaning?.is === 'import' && meaning.path.endsWith('createRequire')) {
      return { is: 'import', module: 'global', path: 'require' };
    }
    if (meaning?.is === 'import' && meaning.module === 'global' && meaning.path === 'require' && first) {
      return ofWhole(constantText(index, first));
    }
    return madeBy(meaning);
  }

  const isWrapper = ({ module, path }: { module: string; path: string }): boolean =>
    table.wraps?.(module, path) === true || /promisify|^(pify|thenify)/i.test(`${module}.${path}`);

  /** The function of this module that what a function gives will call: `once(load)`. */
  function wrappedIn(fn: FunctionNode, args: readonly TSESTree.Node[]): Meaning | undefined {
    return wrappedParameters(index, fn)
      .map((position) => args[position] && meaningOf(args[position]))
      .find((meaning) => meaning?.is === 'function');
  }

  function madeBy(meaning: Meaning | undefined): Meaning | undefined {
    if (meaning?.is !== 'import') return undefined;
    const path = table.makes?.(meaning.module, meaning.path);
    return path === undefined
      ? table.linked?.(meaning.module, `${meaning.path}()`)
      : { is: 'import', module: meaning.module, path };
  }

  function resultOf(meaning: Meaning | undefined): Meaning | undefined {
    if (meaning?.is === 'function') return returned(meaning.node);
    return meaning?.is === 'class' ? { is: 'instance', node: meaning.node } : madeBy(meaning);
  }

  const isKnown = (specifier: string) =>
    table.knows(bare(specifier)) || /^(node:)?(process|os|util|module)$/.test(specifier);

  /** A function of this module that happens to be called `require`. */
  function isOwnRequire(target: TSESTree.Node): boolean {
    if (target.type !== 'Identifier' || target.name !== 'require') return false;
    return meaningOf(target)?.is === 'function';
  }

  /** Compilers hand a required module through a helper: `__importStar`, `_interopRequireWildcard`, `__toESM`. */
  function isInterop(target: TSESTree.Node): boolean {
    const name = lastName(target);
    const holder = target.type === 'MemberExpression' ? lastName(target.object) : undefined;
    return [name, holder].some(
      (part) =>
        part !== undefined && /interop|importStar|importDefault|to_?esm|to_?module|esmImport/i.test(part),
    );
  }

  function returned(fn: FunctionNode): Meaning | undefined {
    return firstImport(index.returnsOf(fn));
  }

  return { ofCall, madeBy, resultOf, returned };
}
