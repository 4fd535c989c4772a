import { dirname, resolve } from 'node:path';
import { walk } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Modules } from './modules.ts';

/** A name in a test, and where it stands. */
export interface Place {
  file: string;
  node: TSESTree.Node;
}

/** What Vitest, Jest, node:test, sinon, testdouble and the loaders of modules with replaced parts call it. */
const REPLACES =
  /\b(?:(?:do)?mock|mocked|mockModule|spyOn|stub|fake|quibble|proxyquire|rewire|esmock)\s*\(|\bmock\.(?:method|module)\b|\b(?:sinon|sandbox|td)\.replace\b|\brequire\(['"]proxyquire/i;

const SYNC = /Sync$|^sync$/;

/**
 * The places where the tests of a file put something else in the place of a function: they name both the file and the
 * function, and do more with that name than import or call it. What calls the asynchronous form would get past them.
 *
 * @param files those of the program
 */
export function replacedInTests(
  files: readonly string[],
  textOf: (file: string) => string | undefined,
  modules: Modules,
): (file: string, name: string) => readonly Place[] {
  let gathered: Map<string, Place[]> | undefined;

  function gather(): Map<string, Place[]> {
    const places = new Map<string, Place[]>();
    for (const file of files) {
      if (!REPLACES.test(textOf(file) ?? '')) continue;
      const isNew = !modules.has(file);
      const module = modules.at(file);
      if (!module) continue;
      const named = new Set<string>();
      const replaced = new Map<string, TSESTree.Node>();
      walk(module.view.ast, (node) => {
        if (isText(node) && /^\.{1,2}(?:\/|$)/.test(node.value))
          named.add(withoutEnding(resolve(dirname(file), node.value)));
        const name = replacedName(node);
        if (name !== undefined && !replaced.has(name)) replaced.set(name, node);
      });
      for (const path of named)
        for (const [name, node] of replaced) {
          const key = `${path} ${name}`;
          places.set(key, [...(places.get(key) ?? []), { file, node }]);
        }
      if (isNew) modules.forget(file);
    }
    return places;
  }

  return (file, name) => (gathered ??= gather()).get(`${withoutEnding(file)} ${name}`) ?? [];
}

/** `/a/b` for `/a/b.ts` and `/a/b/index.js`, as imports name them. */
const withoutEnding = (path: string): string =>
  path.replace(/\.[cm]?[jt]sx?$/, '').replace(/[\\/]index$/, '');

const isText = (node: TSESTree.Node): node is TSESTree.StringLiteral =>
  node.type === 'Literal' && typeof node.value === 'string';

/** The synchronous function that a node names without importing or calling it. */
function replacedName(node: TSESTree.Node): string | undefined {
  const { parent } = node;
  if (isText(node)) {
    // `spyOn(fs, 'readFileSync')`; what comes first is a test's title.
    const isNamed =
      parent?.type === 'CallExpression' ? parent.arguments.indexOf(node) > 0 : parent?.type === 'Property';
    return isNamed && SYNC.test(node.value) ? node.value : undefined;
  }
  if (node.type !== 'Identifier' || !SYNC.test(node.name)) return undefined;
  const isProperty = parent?.type === 'MemberExpression' && parent.property === node;
  const whole = isProperty ? parent : node;
  const isCalled = whole.parent.type === 'CallExpression' && whole.parent.callee === whole;
  const isTaken =
    /^(?:ImportSpecifier|ExportSpecifier|TSTypeQuery|TSQualifiedName)$/.test(parent?.type ?? '') ||
    parent?.parent?.type === 'ObjectPattern';
  return isCalled || isTaken ? undefined : node.name;
}
