import type { TSESTree } from '@typescript-eslint/utils';
import { conditionOf } from './conditions.ts';
import { bareExpression, lastName, literalText } from './nodes.ts';

const systems = new Set(
  'win32 windows windows_nt cygwin darwin linux aix android freebsd openbsd netbsd sunos haiku'.split(' '),
);

/** `isWindows`, `IS_WIN32`, `onMac`: names that only ever hold a test of the operating system. */
const flag =
  /^_?(is|on|in|running_?on)?_?(win(dows|32|64|_?nt)?|mac(_?os)?|darwin|osx|linux|posix|unix)(_?(os|platform))?$/i;

/** Whether an expression asks which operating system this is, by comparing or by a flag that is declared elsewhere. */
export function asksPlatform(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  switch (bare.type) {
    case 'BinaryExpression':
      return [bare.left, bare.right].some((side) => systems.has(literalText(side)?.toLowerCase() ?? ''));
    case 'CallExpression':
      return isFlag(bare.callee) || [bare.callee, ...bare.arguments].some(readsPlatform);
    default:
      return isFlag(bare);
  }
}

function isFlag(node: TSESTree.Node): boolean {
  const name = lastName(node);
  return name !== undefined && flag.test(name);
}

/** `process.platform`, also inside a call: `/^win/.test(process.platform)`, `process.platform.startsWith('win')`. */
function readsPlatform(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  if (bare.type === 'MemberExpression') {
    if (lastName(bare) === 'platform') return lastName(bare.object) === 'process';
    return readsPlatform(bare.object);
  }
  return (
    bare.type === 'CallExpression' &&
    lastName(bare.callee) === 'platform' &&
    lastName(bare.callee) !== undefined
  );
}

/** Whether an expression is true under Windows only. */
export function isWindowsOnly(expression: TSESTree.Node): boolean {
  const node = bareExpression(expression);
  switch (node.type) {
    case 'LogicalExpression':
      return node.operator === '&&'
        ? isWindowsOnly(node.left) || isWindowsOnly(node.right)
        : isWindowsOnly(node.left) && isWindowsOnly(node.right);
    case 'ConditionalExpression':
      return isWindowsOnly(node.test) && isOff(node.alternate);
    case 'BinaryExpression':
      return (
        /^={2,3}$/.test(node.operator) &&
        [node.left, node.right].some((side) => /^(win|cygwin)/i.test(literalText(side) ?? ''))
      );
    case 'CallExpression':
      return /^win/i.test(patternOf(node) ?? '') || windowsFlag.test(lastName(node.callee) ?? '');
    default:
      return windowsFlag.test(lastName(node) ?? '');
  }
}

const windowsFlag = /^_?(is|on|in)?_?win(dows|32|64|_?nt)?(_?(os|platform))?$/i;

const isOff = (node: TSESTree.Node): boolean =>
  (node.type === 'Literal' && (node.value === null || node.value === false)) ||
  lastName(node) === 'undefined';

/** Of `/^win/.test(process.platform)` and `process.platform.startsWith('win')` the text. */
function patternOf({ callee, arguments: [first] }: TSESTree.CallExpression): string | undefined {
  const object = callee.type === 'MemberExpression' ? bareExpression(callee.object) : undefined;
  if (object?.type === 'Literal' && 'regex' in object) return object.regex.pattern.replace(/^\^/, '');
  return first && literalText(first);
}

/** Whether code runs under Windows only: `if (isWindows) …`, `process.platform === 'win32' ? … : …`, `case 'win32': …`. */
export function runsOnWindowsOnly(node: TSESTree.Node): boolean {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (parent.type === 'SwitchCase' && parent.test && parent.test !== at) {
      if (literalText(parent.test)?.startsWith('win')) return true;
      continue;
    }
    const condition = conditionOf(parent, at);
    if (condition?.test && !condition.negated && isWindowsOnly(condition.test)) return true;
  }
  return false;
}
