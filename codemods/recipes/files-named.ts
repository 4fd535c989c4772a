import { basename, dirname, resolve } from 'node:path';
import { walk } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/** The files that a module names by relative paths, imported or not, without their endings. */
export function filesNamedIn(ast: TSESTree.Program, file: string): Set<string> {
  const named = new Set<string>();
  walk(ast, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string' && /^\.{1,2}(?:\/|$)/.test(node.value))
      named.add(withoutEnding(resolve(dirname(file), node.value)));
  });
  return named;
}

/** `/a/b` for `/a/b.ts` and `/a/b/index.js`, as imports name them. */
export const withoutEnding = (path: string): string =>
  path.replace(/\.[cm]?[jt]sx?$/, '').replace(/[\\/]index$/, '');

/** Whether a text may name a file by a relative path: it holds the last part of that, or names a folder's index by dots. */
export function mayName(text: string, file: string): boolean {
  const isIndex = /[\\/]index\.\w+$/.test(file);
  return (
    text.includes(basename(withoutEnding(file))) ||
    (isIndex && /['"](?:\.{1,2}\/?)+(?:index(?:\.\w+)?)?['"]/.test(text))
  );
}
