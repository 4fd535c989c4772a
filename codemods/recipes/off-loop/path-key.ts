import { bareExpression, lastName, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

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
      return bare.object.type === 'ThisExpression'
        ? `${filename}:this.${lastName(bare) ?? own}`
        : `${key(bare.object)}.${lastName(bare) ?? own}`;
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

/** The key that a caller's arguments make of a function's. */
export const filledIn = (key: string, args: readonly string[]): string =>
  key.replace(/\$(\d+)/g, (whole, at: string) => args[Number(at)] ?? whole);
