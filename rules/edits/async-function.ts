import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { FunctionNode } from '../read/nodes.ts';
import { wrapEdits, type WrappingEdit } from './await.ts';
import { codeBefore } from './trivia.ts';

/** Makes a function async, and its return type that of a promise. */
export function asyncFunctionEdits(view: ModuleView, fn: FunctionNode): WrappingEdit[] {
  const at = asyncPlace(view, fn);
  const type = fn.returnType?.typeAnnotation;
  return [
    { start: at, end: at, text: 'async ' },
    ...(type && !isPromiseType(type) ? promiseTypeEdits(view, type) : []),
    ...jsdocEdits(view, fn),
  ];
}

/**
 * Makes what a function does async, and leaves the function as it is, for what wants no promise back; undefined where that
 * cannot be written by insertions.
 *
 * @param rejected what is called with an error; nothing by default
 */
export function asyncBodyEdits({ body }: FunctionNode, rejected?: string): WrappingEdit[] | undefined {
  const [start, end] = body.range;
  // Around all that is put into it.
  const rank = 2 * (end - start) + 1;
  const seen = rejected === undefined ? '' : `.catch(${rejected})`;
  if (body.type === 'BlockStatement') {
    const open = seen === '' ? ' void (async () => {' : ' (async () => {';
    return [
      { start: start + 1, end: start + 1, text: open, rank: -rank },
      { start: end - 1, end: end - 1, text: `})()${seen}; `, rank },
    ];
  }
  if (body.type === 'ObjectExpression' || body.type === 'SequenceExpression') return undefined;
  return [
    { start, end: start, text: 'void (async () => ', rank: -rank },
    { start: end, end, text: `)()${seen}`, rank },
  ];
}

/**
 * Has the last parameter of a request handler, `(request, response, next)` or `(error, request, response, next)`, take the
 * errors of what it does; undefined where it has none and can get none.
 */
export function nextBodyEdits({ text }: ModuleView, fn: FunctionNode): WrappingEdit[] | undefined {
  const last = fn.params.at(-1);
  if (fn.params.length > 2) return last?.type === 'Identifier' ? asyncBodyEdits(fn, last.name) : undefined;
  if (fn.params.length < 2 || !last || last.type === 'RestElement') return undefined;
  if (/\bnext\b/.test(text.slice(...fn.range))) return undefined;
  const isTyped = 'typeAnnotation' in last && last.typeAnnotation !== undefined;
  const body = asyncBodyEdits(fn, 'next');
  const at = last.range[1];
  return (
    body && [{ start: at, end: at, text: `, next${isTyped ? ': (error: unknown) => void' : ''}` }, ...body]
  );
}

/** `Promise<T>` for T, and for `T | Promise<T>`. */
export function promiseTypeEdits({ text }: ModuleView, type: TSESTree.Node): WrappingEdit[] {
  if (!mayBePromise(type)) return wrapEdits(type, 'Promise<', '>');
  const parts = type.types.map((part) => {
    const given = isPromiseType(part) ? part.typeArguments?.params[0] : part;
    return text.slice(...(given ?? part).range);
  });
  const [start, end] = type.range;
  return [{ start, end, text: `Promise<${[...new Set(parts)].join(' | ')}>` }];
}

/** `T | Promise<T>`: who takes it waits already. */
export const mayBePromise = (type: TSESTree.Node): type is TSESTree.TSUnionType =>
  type.type === 'TSUnionType' && type.types.some(isPromiseType);

/** `T | Promise<T>` for T: what a callback may give. */
export function maybePromiseEdits({ text }: ModuleView, type: TSESTree.Node): WrappingEdit[] {
  return wrapEdits(type, '', ` | Promise<${text.slice(...type.range)}>`);
}

/** Whether a type is that of a promise. */
export const isPromiseType = (type: TSESTree.Node): type is TSESTree.TSTypeReference =>
  type.type === 'TSTypeReference' &&
  type.typeName.type === 'Identifier' &&
  /^Promise(Like)?$/.test(type.typeName.name);

/** Where `async` goes: behind a method's modifiers, in front of everything else. */
function asyncPlace(view: ModuleView, fn: FunctionNode): number {
  const { parent } = fn;
  const isMethod =
    parent.type === 'MethodDefinition' ||
    (parent.type === 'Property' && parent.method && parent.value === fn);
  if (!isMethod) return fn.range[0];
  return parent.computed ? codeBefore(view, parent.key.range[0]) - 1 : parent.key.range[0];
}

/** `@returns {string}`, `@type {(file: string) => string}`; types of objects may be in it. */
const RETURNS =
  /@(?:returns?\s+\{|type\s+\{\s*\([^{}]*\)\s*=>)\s*((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})+?)\s*\}/d;

/** In JavaScript a comment says what a function returns. */
function jsdocEdits(view: ModuleView, fn: FunctionNode): WrappingEdit[] {
  const statement = statementOf(fn);
  // Comments may be read for it.
  if (!view.text.slice(0, statement.range[0]).trimEnd().endsWith('*/')) return [];
  const comment = view.comments.find(
    ({ range }) =>
      codeBefore(view, statement.range[0]) <= range[0] &&
      range[1] <= statement.range[0] &&
      view.text.slice(...range).startsWith('/**') &&
      isLast(view, range[1], statement.range[0]),
  );
  const found = comment && RETURNS.exec(view.text.slice(...comment.range));
  const [start, end] = found?.indices?.[1] ?? [];
  if (!comment || start === undefined || end === undefined || /^\s*Promise\b/.test(found?.[1] ?? ''))
    return [];
  const [from, to] = [comment.range[0] + start, comment.range[0] + end];
  return [
    { start: from, end: from, text: 'Promise<' },
    { start: to, end: to, text: '>' },
  ];
}

const isLast = ({ text }: ModuleView, end: number, start: number): boolean =>
  !/\S/.test(text.slice(end, start));

/** What a comment above a function stands above. */
function statementOf(fn: FunctionNode): TSESTree.Node {
  let at: TSESTree.Node = fn;
  while (
    at.parent &&
    /^(MethodDefinition|Property|PropertyDefinition|VariableDeclarator|VariableDeclaration|AssignmentExpression|ExpressionStatement|Export.*)$/.test(
      at.parent.type,
    )
  )
    at = at.parent;
  return at;
}
