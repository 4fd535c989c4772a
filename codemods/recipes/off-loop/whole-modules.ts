import {
  functionAround,
  lastName,
  literalText,
  walk,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isExported, isExports } from './exported.ts';
import { isData, isKeyed, takesAll, type KeyedUse } from './keyed-uses.ts';
import type { Ground } from './requirements.ts';
import { valueNamed } from './uses.ts';

/** What the program does with a module as a whole. */
interface WholeUses {
  /** `all[name]`, `Object.values(all)`: that may be any function of it. */
  keyed: KeyedUse[];
  /** Something is given the whole of it, and may call its functions as members: `serve(all)`, `{ store: all }`. */
  isHandedOn: boolean;
}

const known = new WeakMap<LoopModule, WholeUses>();

/** `import * as all from './x.js'`, `const all = require('./x')`, `await import('./x.js')`, and what becomes of it. */
export function wholeUsesOf(ground: Ground, module: LoopModule): WholeUses {
  const before = known.get(module);
  if (before) return before;
  const uses: WholeUses = { keyed: [], isHandedOn: false };
  known.set(module, uses);
  const { filename, text } = module.view;
  const isCommon = /\b(?:module\.exports|exports\.\w+)\b/.test(text);
  for (const file of ground.importing.importersOf(filename)) {
    const place = ground.importing.mayHoldWhole(file) ? ground.modules.at(file) : undefined;
    if (!place) continue;
    walk(place.view.ast, (node) => {
      const specifier = specifierOf(node);
      if (specifier !== undefined && ground.importing.fileOf(file, specifier) === filename)
        judgeImport(place, node);
    });
  }
  return uses;

  function judgeImport(place: LoopModule, node: TSESTree.Node): void {
    if (node.type === 'ImportDeclaration') {
      for (const { type, local } of node.specifiers)
        if (type === 'ImportNamespaceSpecifier' || (type === 'ImportDefaultSpecifier' && isCommon))
          judgeName(place, local);
    } else if (node.type === 'TSImportEqualsDeclaration') judgeName(place, node.id);
    else judgeValue(place, node);
  }

  function judgeName(place: LoopModule, name: TSESTree.Identifier): void {
    for (const reference of place.index.variableOf(name)?.references ?? [])
      if (reference.isRead()) judgeValue(place, reference.identifier);
  }

  function judgeValue(place: LoopModule, node: TSESTree.Node): void {
    let value = valueNamed(node);
    if (value.parent?.type === 'AwaitExpression') value = valueNamed(value.parent);
    const { parent } = value;
    switch (parent?.type) {
      case 'MemberExpression':
        if (isKeyed(parent) && parent.object === value && !isData(parent))
          uses.keyed.push({ place, node: parent });
        return;
      case 'VariableDeclarator':
        if (parent.id.type !== 'Identifier') return;
        if (parent.init === value && node.type !== 'Identifier') judgeName(place, parent.id);
        else uses.isHandedOn = true;
        return;
      case 'AssignmentExpression':
        if (node.type !== 'Identifier' && parent.left.type === 'Identifier') judgeName(place, parent.left);
        else uses.isHandedOn ||= !isExports(place, parent.left);
        return;
      case 'CallExpression':
        if (takesAll(parent)) uses.keyed.push({ place, node: value });
        else uses.isHandedOn ||= parent.callee !== value && !REPLACES.test(lastName(parent.callee) ?? '');
        return;
      // What is spread, exported or only named keeps its types.
      case 'ExportSpecifier':
      case 'ExportDefaultDeclaration':
      case 'ExpressionStatement':
      case 'SpreadElement':
      case 'TSQualifiedName':
      case 'TSTypeQuery':
      case 'UnaryExpression':
        return;
      default:
        uses.isHandedOn = true;
    }
  }
}

/** `vi.spyOn(all, 'load')` */
const REPLACES = /^(?:spyOn|stub|mock|mocked|replace|method|keys)$/;

/** The module that a node imports. */
function specifierOf(node: TSESTree.Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return node.source.value;
    case 'TSImportEqualsDeclaration':
      return node.moduleReference.type === 'TSExternalModuleReference'
        ? literalText(node.moduleReference.expression)
        : undefined;
    case 'ImportExpression':
      return literalText(node.source);
    case 'CallExpression': {
      const [first] = node.arguments;
      return first && lastName(node.callee) === 'require' ? literalText(first) : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a function is what its module exports under a name: whoever has the module has it as a member. */
export function isOfModule(module: LoopModule, fn: FunctionNode): boolean {
  const { parent } = fn;
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition' || functionAround(fn))
    return false;
  if (parent.type !== 'Property') return isExported(module, fn);
  const holder = parent.parent.parent;
  return (
    holder.type === 'ExportDefaultDeclaration' ||
    (holder.type === 'AssignmentExpression' && isExports(module, holder.left))
  );
}
