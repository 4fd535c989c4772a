import type { TSESTree } from '@typescript-eslint/utils';
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
