import { bareExpression, functionAround, lastName, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';

/** The object that a method is called on, to be filled in by who calls. */
const THIS = '<this>';

/** What gives another value each time. */
const FRESH = /\b(?:random\w*|\w*uuid\w*|v[147]|nanoid|mkdtemp\w*|tmpName\w*|now|next)\(/i;

/** Whether a key is that of a path that no other call of the function has. */
export const isOwnPath = (key: string): boolean => FRESH.test(key);

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
    case 'NewExpression': {
      const callee = bareExpression(bare.callee);
      const object = callee.type === 'MemberExpression' ? bareExpression(callee.object) : undefined;
      // `randomBytes(8).toString('hex')`
      const before = object?.type === 'CallExpression' ? `${key(object)}.` : '';
      return `${before}${lastName(callee) ?? ''}(${bare.arguments.map(key).join()})`;
    }
    case 'MemberExpression':
      return `${key(bare.object)}.${lastName(bare) ?? own}`;
    case 'UpdateExpression': {
      const counter =
        bare.argument.type === 'Identifier' ? module.index.variableOf(bare.argument) : undefined;
      const name = counter?.defs[0]?.name;
      // All calls count on.
      return name && functionAround(name) !== functionAround(bare) ? `next(${own})` : own;
    }
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
      const value = isConstant && def.node.init ? key(def.node.init) : undefined;
      // What a module or an outer function makes once, all calls share.
      const isShared =
        value === undefined || (isOwnPath(value) && functionAround(def.name) !== functionAround(bare));
      return isShared ? `${filename}:${bare.name}@${String(def.name.range[0])}` : value;
    }
    default:
      return own;
  }
}

/** What a call gives to the keys of the function that it enters. */
export interface Filling {
  args: readonly string[];
  /** The key of the object that it is a method of. */
  object: string;
}

/** The keys of a call's arguments and of the object of its callee; undefined for what is no call. */
export function fillingOf(module: LoopModule, node: TSESTree.Node): Filling | undefined {
  const call = bareExpression(node);
  if (call.type !== 'CallExpression' && call.type !== 'NewExpression') return undefined;
  const callee = bareExpression(call.callee);
  return {
    args: call.arguments.map((arg) => pathKey(module, arg)),
    object: callee.type === 'MemberExpression' ? pathKey(module, callee.object) : THIS,
  };
}

/** The key that a call makes of a key of the function that it enters. */
export const filledIn = (key: string, filling: Filling | undefined): string =>
  filling
    ? key
        .replace(/\$(\d+)/g, (whole, at: string) => filling.args[Number(at)] ?? whole)
        .replaceAll(THIS, filling.object)
    : key;
