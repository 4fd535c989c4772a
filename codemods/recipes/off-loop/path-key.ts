import { bareExpression, lastName, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/** The object that a method is called on, to be filled in by who calls. */
const THIS = '<this>';

/**
 * What tells a path from others: two calls whose paths have the same key speak of one file. Parameters are `$0`, `$1`, to
 * be filled in by who calls.
 */
export function pathKey(module: LoopModule, node: TSESTree.Node | undefined, depth = 6): string {
  if (!node) return '';
  const bare = bareExpression(node);
  const { text, filename } = module.view;
  const key = (each: TSESTree.Node): string => pathKey(module, each, depth - 1);
  const own = text.slice(...bare.range);
  if (depth === 0) return own;
  switch (bare.type) {
    case 'Literal':
      return JSON.stringify(bare.value);
    case 'TemplateLiteral':
      return `\`${bare.quasis.map(({ value }, at) => value.raw + (bare.expressions[at] ? `{${key(bare.expressions[at])}}` : '')).join('')}\``;
    case 'BinaryExpression':
      return `${key(bare.left)}${bare.operator}${key(bare.right)}`;
    case 'CallExpression':
    case 'NewExpression':
      return `${lastName(bare.callee) ?? ''}(${bare.arguments.map(key).join()})`;
    case 'MemberExpression':
      return `${key(bare.object)}.${lastName(bare) ?? own}`;
    case 'ThisExpression':
    case 'Super':
      return THIS;
    case 'Identifier': {
      const variable = module.index.variableOf(bare);
      const [def] = variable?.defs ?? [];
      if (!variable || !def) return bare.name;
      if (def.type === 'Parameter') {
        const at = 'params' in def.node ? def.node.params.findIndex((param) => param === def.name) : -1;
        if (at >= 0) return `$${String(at)}`;
      }
      if (def.type === 'ImportBinding') return bare.name;
      const isConstant = def.type === 'Variable' && def.parent.kind === 'const' && def.node.id === def.name;
      return isConstant && def.node.init
        ? key(def.node.init)
        : `${filename}:${bare.name}@${String(def.name.range[0])}`;
    }
    default:
      return own;
  }
}

/** The key that a call makes of a key of the function that it enters, by its arguments and the object of its callee. */
export function filledIn(key: string, module: LoopModule, node: TSESTree.Node): string {
  const call = bareExpression(node);
  if (call.type !== 'CallExpression' && call.type !== 'NewExpression') return key;
  const args = call.arguments.map((arg) => pathKey(module, arg));
  const callee = bareExpression(call.callee);
  const object = callee.type === 'MemberExpression' ? pathKey(module, callee.object) : THIS;
  return key.replace(/\$(\d+)/g, (whole, at: string) => args[Number(at)] ?? whole).replaceAll(THIS, object);
}
