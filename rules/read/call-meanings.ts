import type { TSESTree } from '@typescript-eslint/utils';
import { bare } from '../apis/tables.ts';
import type { ApiTable } from './api-table.ts';
import { invocationOf } from './invocation.ts';
import type { Meaning, MeaningReader } from './meaning.ts';
import { constantText } from './module-index.ts';
import { lastName, type FunctionNode } from './nodes.ts';
import { wrappedParameters } from './wrapped.ts';

/** What a call gives. */
export function meaningOfCall(reader: MeaningReader, call: TSESTree.CallExpression): Meaning | undefined {
  const { index, table, meaningOf, ofWhole } = reader;
  const { target, args } = invocationOf(call);
  const [first] = args;
  const name = lastName(target);
  // Bundlers rename `require`, and wrap it: the specifier decides.
  if (name !== undefined && /require|import|getBuiltinModule/i.test(name) && first) {
    const specifier = constantText(index, first);
    const isModule = specifier !== undefined && (name === 'require' || isKnown(table, specifier));
    if (isModule && !isOwnRequire(reader, target)) return ofWhole(specifier);
  }
  if (first && isInterop(target)) return meaningOf(first);
  const meaning = meaningOf(target);
  if (meaning?.is === 'function')
    return wrappedIn(reader, meaning.node, args) ?? returnedBy(reader, meaning.node);
  if (meaning?.is === 'import' && first && isWrapper(table, meaning)) return meaningOf(first);
  if (target.type === 'MemberExpression' && name === 'bind') {
    const bound = meaningOf(target.object);
    return bound?.is === 'import' && args.length > 1 ? { ...bound, bound: args.slice(1) } : bound;
  }
  // `createRequire(import.meta.url)('child_process')`
  if (meaning?.is === 'import' && meaning.path.endsWith('createRequire')) {
    return { is: 'import', module: 'global', path: 'require' };
  }
  if (meaning?.is === 'import' && meaning.module === 'global' && meaning.path === 'require' && first) {
    return ofWhole(constantText(index, first));
  }
  return madeBy(table, meaning);
}

/** What a call of an API, or a type that it exports, stands for. */
export function madeBy(table: ApiTable, meaning: Meaning | undefined): Meaning | undefined {
  if (meaning?.is !== 'import') return undefined;
  const path = table.makes?.(meaning.module, meaning.path);
  return path === undefined
    ? table.linked?.(meaning.module, `${meaning.path}()`)
    : { is: 'import', module: meaning.module, path };
}

/** What a call or a construction of something gives. */
export function resultOf(reader: MeaningReader, meaning: Meaning | undefined): Meaning | undefined {
  if (meaning?.is === 'function') return returnedBy(reader, meaning.node);
  return meaning?.is === 'class' ? { is: 'instance', node: meaning.node } : madeBy(reader.table, meaning);
}

/** What a function returns: `const cp = () => require('child_process')`. */
export function returnedBy({ index, firstImport }: MeaningReader, fn: FunctionNode): Meaning | undefined {
  return firstImport(index.returnsOf(fn));
}

const isWrapper = (table: ApiTable, { module, path }: { module: string; path: string }): boolean =>
  table.wraps?.(module, path) === true || /promisify|^(pify|thenify)/i.test(`${module}.${path}`);

const isKnown = (table: ApiTable, specifier: string): boolean =>
  table.knows(bare(specifier)) || /^(node:)?(process|os|util|module)$/.test(specifier);

/** The function of this module that what a function gives will call: `once(load)`. */
function wrappedIn(
  { index, meaningOf }: MeaningReader,
  fn: FunctionNode,
  args: readonly TSESTree.Node[],
): Meaning | undefined {
  return wrappedParameters(index, fn)
    .map((position) => args[position] && meaningOf(args[position]))
    .find((meaning) => meaning?.is === 'function');
}

/** A function of this module that happens to be called `require`. */
function isOwnRequire({ meaningOf }: MeaningReader, target: TSESTree.Node): boolean {
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
