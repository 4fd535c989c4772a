import { isInside, walk, type FunctionNode, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/** Calls that change nothing: they may run at the same time, and again. */
const READS =
  /\.(access|exists|pathExists|lstat|stat|statfs|fstat|readFile|readdir|readlink|realpath|opendir|readJson|readJSON)Sync$/;
/** Calls that compute, and touch nothing. */
const PURE = /^(crypto|zlib|bcrypt|bcryptjs|@node-rs\/\w+)\./;

/** Whether a call of an API changes nothing. */
export const isReading = (api: string): boolean => READS.test(api) || PURE.test(api);

const MUTATORS = /^(add|append|clear|delete|emit|pop|push|set|shift|splice|unshift|write)$/;

/** Whether a function writes into what is not its own: the order of such writes is lost where calls run at the same time. */
export function changesOthers({ index }: LoopModule, fn: FunctionNode): boolean {
  let found = false;
  const isOuter = (target: TSESTree.Node): boolean => {
    const root = index.rootOf(target)?.root;
    if (!root || !('identifiers' in root)) return true;
    return !root.identifiers.every((id) => isInside(id, fn));
  };
  walk(fn.body, (node) => {
    if (node.type === 'AssignmentExpression') found ||= isOuter(node.left);
    else if (node.type === 'UpdateExpression') found ||= isOuter(node.argument);
    else if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const name = node.callee.property.type === 'Identifier' ? node.callee.property.name : '';
      found ||= MUTATORS.test(name) && isOuter(node.callee.object);
    }
  });
  return found;
}
