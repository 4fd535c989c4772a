import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleIndex } from './module-index.ts';
import { bareExpression, calleeOf, lastName, type CallNode } from './nodes.ts';

/** A call whose child a variable or a member takes, as a statement of its own, and what takes it. */
export interface HeldChild {
  statement: TSESTree.Statement;
  holder: TSESTree.Expression;
}

/** What holds the child that a call starts: `const child = spawn(…)`, `this.child = spawn(…)`. */
export function heldChild(call: CallNode): HeldChild | undefined {
  let node: TSESTree.Node = call;
  while (node.parent && bareExpression(node.parent) === call) node = node.parent;
  const { parent } = node;
  if (parent?.type === 'VariableDeclarator' && parent.init === node && parent.id.type === 'Identifier') {
    const { parent: list } = parent;
    const statement = list.parent.type === 'ExportNamedDeclaration' ? list.parent : list;
    return list.declarations.length === 1 && isListed(statement)
      ? { statement, holder: parent.id }
      : undefined;
  }
  if (parent?.type !== 'AssignmentExpression' || parent.right !== node || parent.operator !== '=')
    return undefined;
  const isNamed = parent.left.type === 'Identifier' || parent.left.type === 'MemberExpression';
  return isNamed && parent.parent.type === 'ExpressionStatement' && isListed(parent.parent)
    ? { statement: parent.parent, holder: parent.left }
    : undefined;
}

/** Whether a statement is one of a list: another can be put behind it. */
export const isListed = ({ parent }: TSESTree.Node): boolean =>
  parent !== undefined && 'body' in parent && Array.isArray(parent.body);

/** Whether the child of a call is handed to the runtime's `ownProcessGroups` further down in the same block: it ends with its owner then. */
export function isAdopted(
  index: ModuleIndex,
  call: CallNode,
  textOf: (node: TSESTree.Node) => string,
): boolean {
  const held = heldChild(call);
  if (!held) return false;
  const { body } = held.statement.parent as { body: TSESTree.Statement[] };
  return body.slice(body.indexOf(held.statement) + 1).some((statement) => {
    if (statement.type !== 'ExpressionStatement') return false;
    const adoption = bareExpression(statement.expression);
    if (adoption.type !== 'CallExpression' || !isOfRuntime(index, adoption)) return false;
    const [given] = adoption.arguments;
    return given !== undefined && textOf(given) === textOf(held.holder);
  });
}

/** Whether a call is of the runtime's own `ownProcessGroups`, imported or required under whatever name for the module. */
function isOfRuntime(index: ModuleIndex, call: TSESTree.CallExpression): boolean {
  const callee = bareExpression(calleeOf(call));
  const root = callee.type === 'MemberExpression' ? bareExpression(callee.object) : callee;
  const def = root.type === 'Identifier' ? index.variableOf(root)?.defs[0] : undefined;
  if (def?.type === 'ImportBinding' && def.parent.type === 'ImportDeclaration') {
    const isIt =
      def.node.type === 'ImportSpecifier'
        ? 'name' in def.node.imported && def.node.imported.name === 'ownProcessGroups'
        : lastName(callee) === 'ownProcessGroups';
    return def.parent.source.value === 'owned-spawn' && isIt;
  }
  const init = def?.type === 'Variable' && def.node.init ? bareExpression(def.node.init) : undefined;
  return (
    init?.type === 'CallExpression' &&
    init.callee.type === 'Identifier' &&
    init.callee.name === 'require' &&
    init.arguments[0]?.type === 'Literal' &&
    init.arguments[0].value === 'owned-spawn' &&
    lastName(callee) === 'ownProcessGroups'
  );
}
