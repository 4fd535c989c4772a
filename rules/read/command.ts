import type { TSESTree } from '@typescript-eslint/utils';
import { bareExpression, isFunction, lastName, literalText, type FunctionNode } from './nodes.ts';
import type { Env } from './definitions.ts';
import type { Values } from './values.ts';
import type { ShellPart } from './shell-text.ts';

/** One word of an argument list: its text where it is known, and its code. */
export interface Word {
  text: string | undefined;
  node: TSESTree.Node | undefined;
  env: Env | undefined;
}

/** The parts of a command line, and the functions whose parameters fill its holes. */
export interface Line {
  parts: ShellPart[];
  through: Set<FunctionNode>;
}

/** A text as it is put together: literals, templates, `+`, `[…].join(' ')`, constants. */
export function lineOf(
  node: TSESTree.Node,
  env: Env | undefined,
  values: Values,
  sourceOf: (node: TSESTree.Node) => string,
): Line {
  const line: Line = { parts: [], through: new Set() };
  let steps = 0;

  function add(part: TSESTree.Node, at: Env | undefined): void {
    steps += 1;
    const pieces = steps < 200 ? values.piecesOf(bareExpression(part)) : undefined;
    if (pieces) {
      for (const piece of pieces) add(piece, at);
      return;
    }
    const { node: found, env: inner } = values.definitionOf(part, at);
    const text = literalText(found);
    if (text !== undefined) line.parts.push({ text, hole: false });
    else if (steps > 200) hole(found);
    else if (found.type === 'TemplateLiteral') {
      found.quasis.forEach((quasi, position) => {
        line.parts.push({ text: quasi.value.cooked ?? quasi.value.raw, hole: false });
        const expression = found.expressions[position];
        if (expression) add(expression, inner);
      });
    } else if (found.type === 'BinaryExpression' && found.operator === '+') {
      add(found.left, inner);
      add(found.right, inner);
    } else if (found.type === 'CallExpression') addCall(found, inner);
    else if (found.type === 'Literal') line.parts.push({ text: String(found.value), hole: false });
    else hole(found);
  }

  function addCall(call: TSESTree.CallExpression, at: Env | undefined): void {
    const callee = bareExpression(call.callee);
    const name = lastName(callee);
    if (callee.type === 'MemberExpression' && (name === 'trim' || name === 'concat')) {
      for (const piece of [callee.object, ...(name === 'concat' ? call.arguments : [])]) add(piece, at);
      return;
    }
    if (callee.type === 'MemberExpression' && name === 'join') {
      const list = values.definitionOf(callee.object, at);
      const glue = call.arguments[0] ? literalText(call.arguments[0]) : ',';
      if (list.node.type === 'ArrayExpression' && glue !== undefined) {
        const elements = [...list.node.elements, ...values.pushedTo(bareExpression(callee.object))];
        elements.forEach((element, position) => {
          if (position > 0) line.parts.push({ text: glue, hole: false });
          if (element && element.type !== 'SpreadElement') add(element, list.env);
          else hole(element ?? call);
        });
        return;
      }
    }
    hole(call);
  }

  function hole(node: TSESTree.Node): void {
    line.parts.push({ text: sourceOf(node), hole: true });
    const fn = parameterFunction(node, values);
    if (fn) line.through.add(fn);
  }

  add(node, env);
  return line;
}

/** The function whose parameter an identifier is. */
function parameterFunction(node: TSESTree.Node, values: Values): FunctionNode | undefined {
  if (node.type !== 'Identifier') return undefined;
  const { through } = values.at(node, ['command']);
  return [...through].find(isFunction);
}

/** The words of an argument list, spreads of known lists put in; `undefined` where it cannot be read. */
export function wordsOf(node: TSESTree.Node, env: Env | undefined, values: Values, depth = 4): Word[] {
  const { node: list, env: inner } = values.definitionOf(node, env);
  if (list.type === 'CallExpression' && depth > 0) {
    const callee = bareExpression(list.callee);
    if (callee.type === 'MemberExpression' && lastName(callee) === 'concat') {
      return [callee.object, ...list.arguments].flatMap((part) => wordsOf(part, inner, values, depth - 1));
    }
    const [start] = list.arguments;
    if (callee.type === 'MemberExpression' && lastName(callee) === 'slice' && start?.type === 'Literal') {
      return wordsOf(callee.object, inner, values, depth - 1).slice(Number(start.value));
    }
  }
  if (list.type === 'ConditionalExpression' && depth > 0) {
    return [list.consequent, list.alternate].flatMap((part) => wordsOf(part, inner, values, depth - 1));
  }
  if (list.type !== 'ArrayExpression') return [{ text: undefined, node: undefined, env: inner }];
  return [...list.elements, ...values.pushedTo(bareExpression(node))].flatMap((element): Word[] => {
    if (!element) return [];
    if (element.type !== 'SpreadElement') return [wordOf(element, inner, values)];
    return depth > 0 ? wordsOf(element.argument, inner, values, depth - 1) : [];
  });
}

/** One word. */
export function wordOf(node: TSESTree.Node, env: Env | undefined, values: Values): Word {
  const found = values.definitionOf(node, env);
  return { text: literalText(found.node), node: found.node, env: found.env };
}
