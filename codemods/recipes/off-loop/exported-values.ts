import { lastName, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isExports } from './exported.ts';
import type { Ground } from './requirements.ts';
import { wholeUsesOf } from './whole-modules.ts';

/** `export { db }`, `module.exports = { db }`, `exports.db = db`: by its own name. */
export function isExportedAs(
  module: LoopModule,
  name: TSESTree.Identifier | TSESTree.JSXIdentifier,
): boolean {
  const { parent } = name;
  if (parent.type === 'ExportSpecifier') return lastName(parent.exported) === name.name;
  if (parent.type === 'AssignmentExpression')
    return isExports(module, parent.left) && lastName(parent.left) === name.name;
  if (parent.type !== 'Property' || lastName(parent.key) !== name.name) return false;
  const holder = parent.parent.parent;
  return holder.type === 'AssignmentExpression' && isExports(module, holder.left);
}

/**
 * Where other modules use a variable that a module exports; undefined where they cannot all be told: it may be used from
 * outside of the program, under another name, or by what is done with the module as a whole.
 */
export function usesElsewhere(
  ground: Ground,
  module: LoopModule,
  declared: TSESTree.Identifier,
): TSESTree.Node[] | undefined {
  const { filename } = module.view;
  const { keyed, isHandedOn } = wholeUsesOf(ground, module);
  if (isHandedOn || keyed.length > 0 || isOpen(ground, filename)) return undefined;
  const uses: TSESTree.Node[] = [];
  for (const use of ground.references.usesOf(declared.name)) {
    if (use.file === filename) continue;
    const isIt = use.stands.some(({ file, start, end }) => file === filename && covers(declared, start, end));
    if (!isIt && !use.isUntyped) continue;
    const node = ground.modules.nodeAt(use);
    if (!isIt) {
      if (node && mayBeOfModule(ground, node)) return undefined;
      continue;
    }
    if (!node || (use.alias !== undefined && use.alias !== declared.name)) return undefined;
    const { parent } = node;
    if (parent?.type === 'ImportSpecifier' || isTakenOut(node)) continue;
    if (node.type === 'Identifier' && isExportedAs(ground.modules.of(node), node)) {
      if (isOpen(ground, use.file)) return undefined;
    } else uses.push(parent?.type === 'MemberExpression' && parent.property === node ? parent : node);
  }
  return uses;
}

const isOpen = (ground: Ground, file: string): boolean => !ground.allowApiChange && ground.isPublic(file);

/** Whether a declaration is, or holds, the name that it declares. */
const covers = ({ range }: TSESTree.Node, start: number, end: number): boolean =>
  (start <= range[0] && end >= range[1]) || (start >= range[0] && end <= range[1]);

/** `const { db } = require('./db')` */
function isTakenOut(node: TSESTree.Node): boolean {
  const pattern = node.parent?.parent;
  return (
    node.parent?.type === 'Property' &&
    pattern?.type === 'ObjectPattern' &&
    node.parent.value === node &&
    pattern.parent.type === 'VariableDeclarator'
  );
}

/** `all.db`, where `all` is a module of which nothing tells what it holds. */
function mayBeOfModule(ground: Ground, name: TSESTree.Node): boolean {
  const member = name.parent;
  if (member?.type !== 'MemberExpression' || member.property !== name) return false;
  const { index, view } = ground.modules.of(name);
  const { object } = member;
  const def = object.type === 'Identifier' ? index.variableOf(object)?.defs[0] : undefined;
  if (def?.type === 'ImportBinding') return true;
  const value = def?.type === 'Variable' ? def.node.init : object;
  return value != null && /\b(require|import)\s*\(/.test(view.text.slice(...value.range));
}
