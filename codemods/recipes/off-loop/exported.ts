import { isClass, type FunctionNode, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/** Whether other modules can reach a function through what its own exports. */
export function isExported(module: LoopModule, fn: FunctionNode): boolean {
  for (let at: TSESTree.Node = fn; at.parent; at = at.parent) {
    const parent: TSESTree.Node = at.parent;
    if (parent.type.startsWith('Export')) return true;
    if (parent.type === 'AssignmentExpression' && parent.right === at && isExports(module, parent.left))
      return true;
    if (
      parent.type === 'AssignmentExpression' &&
      parent.right === at &&
      parent.left.type === 'MemberExpression'
    ) {
      // `Server.prototype.load = function () {}` is reached as its class is.
      const root = module.index.rootOf(parent.left)?.root;
      if (root && 'identifiers' in root && isNameExported(module, root)) return true;
    }
    const name =
      parent.type === 'VariableDeclarator' && parent.init === at
        ? parent.id
        : isNamed(at)
          ? at.id
          : undefined;
    const variable = name?.type === 'Identifier' ? module.index.variableOf(name) : undefined;
    if (variable && isNameExported(module, variable)) return true;
    // What a function holds is reached through what it returns only.
    if (at !== fn && /^(BlockStatement|CallExpression)$/.test(at.type)) return false;
  }
  return false;
}

type Variable = NonNullable<ReturnType<LoopModule['index']['variableOf']>>;

const isNamed = (node: TSESTree.Node): node is TSESTree.FunctionDeclaration | TSESTree.ClassDeclaration =>
  node.type === 'FunctionDeclaration' || isClass(node);

const isNameExported = (module: LoopModule, { references }: Variable): boolean =>
  references.some(({ identifier }) => {
    const { parent } = identifier;
    if (/^Export(Specifier|DefaultDeclaration)$|^TSExportAssignment$/.test(parent.type)) return true;
    if (parent.type === 'AssignmentExpression')
      return parent.right === identifier && isExports(module, parent.left);
    if (parent.type !== 'Property' || parent.value !== identifier) return false;
    const holder = parent.parent.parent;
    return (
      holder.type === 'ExportDefaultDeclaration' ||
      (holder.type === 'AssignmentExpression' && isExports(module, holder.left))
    );
  });

/** `module.exports`, `exports.load` */
export function isExports(module: LoopModule, left: TSESTree.Node): boolean {
  return /^(module\.)?exports\b/.test(module.view.text.slice(...left.range));
}

/** A method that only its own class can call. */
export function isPrivateMember({ parent }: FunctionNode): boolean {
  if (parent.type !== 'MethodDefinition' && parent.type !== 'PropertyDefinition') return false;
  return parent.accessibility === 'private' || parent.key.type === 'PrivateIdentifier';
}
