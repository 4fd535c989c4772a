import { lastName, parseModule, walk } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { filesNamedIn, mayName, withoutEnding } from './files-named.ts';
import { placeOf, type Place } from './place.ts';

/** What a test names. */
interface Replacing {
  /** The files, absolute, without what imports may leave out. */
  paths: ReadonlySet<string>;
  /** What is replaced, and the first place of each. */
  names: ReadonlyMap<string, Place>;
}

/** Where the tests of a file put something else in the place of a function, or of a module, that it calls. */
export type ReplacedInTests = (file: string, name: string) => readonly Place[];

/** What Vitest, Jest, node:test, sinon, testdouble and the loaders of modules with replaced parts call it. */
const REPLACES =
  /\b(?:(?:do)?mock|mocked|mockModule|spyOn|stub|fake|quibble|proxyquire|rewire|esmock)\s*\(|\b(?:jest|vi)\.fn\b|\bmock\.(?:fn|method|module)\b|\b(?:sinon|sandbox|td)\.replace|\brequire\(['"]proxyquire/i;

/** Calls whose first argument names what is replaced; elsewhere that is a test's title. */
const TAKES_MODULE =
  /^(?:(?:do)?mock|unstable_mockModule|mockModule|module|replace(?:Esm|Cjs)?|quibble|esm)$/;

/**
 * Finds what tests replace: they name both the file and the function, and do more with that name than import or call it; or
 * they replace a whole module. What calls something else from then on would get past them.
 *
 * @param files those of the program
 * @param isWanted which names, of functions and of modules without `node:`, are asked for
 */
export function replacedInTests(
  files: readonly string[],
  textOf: (file: string) => string | undefined,
  isWanted: (name: string) => boolean,
): ReplacedInTests {
  let replacing: readonly string[] | undefined;
  const holders = new Map<string, readonly string[]>();
  const known = new Map<string, Replacing>();

  function holdersOf(name: string): readonly string[] {
    replacing ??= files.filter((file) => REPLACES.test(textOf(file) ?? ''));
    const its = holders.get(name) ?? replacing.filter((file) => textOf(file)?.includes(name));
    holders.set(name, its);
    return its;
  }

  function replacingIn(file: string): Replacing {
    const its = known.get(file) ?? read(file);
    known.set(file, its);
    return its;
  }

  function read(file: string): Replacing {
    const names = new Map<string, Place>();
    const ast = treeOf(textOf(file) ?? '', file);
    if (!ast) return { paths: new Set(), names };
    walk(ast, (node) => {
      const name = replacedName(node);
      if (name !== undefined && isWanted(name) && !names.has(name)) names.set(name, placeOf(file, node));
    });
    return { paths: new Set(names.size > 0 ? filesNamedIn(ast, file) : []), names };
  }

  return (file, name) => {
    const path = withoutEnding(file);
    return holdersOf(name).flatMap((test) => {
      if (!mayName(textOf(test) ?? '', file)) return [];
      const { paths, names } = replacingIn(test);
      return paths.has(path) ? (names.get(name) ?? []) : [];
    });
  };
}

function treeOf(text: string, file: string): TSESTree.Program | undefined {
  try {
    return parseModule(text.replace(/^\uFEFF/, ''), file).ast;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The function or the module that a node names without importing or calling it. */
function replacedName(node: TSESTree.Node): string | undefined {
  const { parent } = node;
  if (node.type === 'Literal' && typeof node.value === 'string') {
    const name = node.value.replace(/^node:/, '');
    if (parent?.type === 'Property') return isHeldWhole(parent, node) ? name : undefined;
    if (parent?.type !== 'CallExpression') return undefined;
    // `spyOn(fs, 'readFileSync')`
    if (parent.arguments.indexOf(node) > 0) return name;
    const callee = lastName(parent.callee) ?? '';
    // `mock('node:fs')` replaces all of it where no second argument says what; rewire's `__set__('spawn', stub)`.
    const isWhole = parent.arguments.length === 1 ? TAKES_MODULE.test(callee) : callee === '__set__';
    return isWhole ? name : undefined;
  }
  if (node.type !== 'Identifier' || !parent || isTaken(node, parent)) return undefined;
  return parent.type === 'Property' && !isHeldWhole(parent, node) ? undefined : node.name;
}

/** Whether a name is only imported or called, or what is asked for is a member of it. */
function isTaken(node: TSESTree.Node, parent: TSESTree.Node): boolean {
  const whole = parent.type === 'MemberExpression' && parent.property === node ? parent : node;
  const { parent: around } = whole;
  if (around?.type === 'CallExpression') {
    if (around.callee === whole) return true;
    // `stub(child_process, 'exec')`
    const next = around.arguments[around.arguments.findIndex((arg) => arg === whole) + 1];
    return next?.type === 'Literal';
  }
  if (parent.type === 'MemberExpression' && parent.object === node)
    return !/^(?:mock|returns|resolves|rejects|calls|and|on[A-Z])/.test(lastName(parent) ?? '');
  if (parent.type === 'VariableDeclarator') return /^(?:require|import)$/.test(requestOf(parent.init));
  return (
    /^(?:Import(?:Default|Namespace)?Specifier|ExportSpecifier|TSTypeQuery|TSQualifiedName)$/.test(
      parent.type,
    ) || parent.parent?.type === 'ObjectPattern'
  );
}

/** How `require('x')`, `require('x').y` and `await import('x')` ask for a module. */
function requestOf(init: TSESTree.Node | null): string {
  if (init?.type === 'AwaitExpression') return requestOf(init.argument);
  if (init?.type === 'MemberExpression') return requestOf(init.object);
  if (init?.type === 'ImportExpression') return 'import';
  return init?.type === 'CallExpression' ? (lastName(init.callee) ?? '') : '';
}

/** Not the key of `{ child_process: { exec: stub } }`: what is replaced of a module stands in the object. */
const isHeldWhole = ({ key, value }: TSESTree.Property, node: TSESTree.Node): boolean =>
  key !== node || value.type !== 'ObjectExpression';
