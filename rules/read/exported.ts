import type { TSESTree } from '@typescript-eslint/utils';
import type { Callees } from './callee.ts';
import { specifierName } from './exports.ts';
import type { LoopModule } from './loop-module.ts';
import type { Meaning } from './meaning.ts';
import { walk } from './module-index.ts';
import { bareExpression, lastName } from './nodes.ts';

/** What a module exports, by ES syntax or as CommonJS; `module.exports` itself is called `default`. */
export interface Exported {
  names: readonly string[];
  /** The specifiers of `export *`. */
  all: readonly string[];
  /** What a name of it stands for, `default` too. */
  meaningOf: (name: string) => Meaning | undefined;
}

/** The exports of a module. */
export function exportedBy({ view, callees }: Pick<LoopModule, 'view' | 'callees'>): Exported {
  /** Compilers set an export to nothing first: `exports.db = void 0`. */
  const found = new Map<string, (() => Meaning | undefined)[]>();
  const all: string[] = [];
  const put = (name: string, meaning: () => Meaning | undefined): void => {
    found.set(name, [...(found.get(name) ?? []), meaning]);
  };
  const add = (name: string | undefined, node: TSESTree.Node): void => {
    if (name !== undefined) put(name, () => callees.meaningOf(node));
  };
  const own = (name: string): Meaning | undefined =>
    found
      .get(name)
      ?.map((meaning) => meaning())
      .find((meaning) => meaning !== undefined);
  walk(view.ast, (node) => {
    switch (node.type) {
      case 'ExportAllDeclaration':
        if (!node.exported) all.push(node.source.value);
        else put(specifierName(node.exported), () => callees.ofModule(node.source.value));
        break;
      case 'ExportDefaultDeclaration':
        add('default', node.declaration);
        break;
      case 'TSExportAssignment':
        add('default', node.expression);
        break;
      case 'ExportNamedDeclaration':
        for (const [name, meaning] of namedExports(node, callees)) put(name, meaning);
        break;
      case 'AssignmentExpression':
        add(exportName(node.left), node.right);
        break;
      default:
    }
  });
  return {
    names: [...found.keys(), ...keysOf(own('default'))],
    all,
    meaningOf: (name) =>
      own(name) ??
      callees.memberOf(own('default'), name) ??
      all.map((specifier) => callees.memberOf(callees.ofModule(specifier), name)).find(leads),
  };
}

/** Of several modules that a name may be of the one where it leads on. */
const leads = (meaning: Meaning | undefined): boolean =>
  meaning?.is === 'import' && !meaning.module.startsWith('./');

function namedExports(
  { source, specifiers, declaration }: TSESTree.ExportNamedDeclaration,
  callees: Callees,
): [name: string, meaning: () => Meaning | undefined][] {
  const declared =
    declaration?.type === 'VariableDeclaration'
      ? declaration.declarations.flatMap(({ id }) => namesIn(id))
      : declaration?.id?.type === 'Identifier'
        ? [declaration.id]
        : [];
  return [
    ...specifiers.map(({ local, exported }): [string, () => Meaning | undefined] => [
      specifierName(exported),
      () =>
        source
          ? callees.memberOf(callees.ofModule(source.value), specifierName(local))
          : callees.meaningOf(local),
    ]),
    ...declared.map((id): [string, () => Meaning | undefined] => [id.name, () => callees.meaningOf(id)]),
  ];
}

/** `db` and `{ db, other: [name] }` */
function namesIn(target: TSESTree.Node): TSESTree.Identifier[] {
  switch (target.type) {
    case 'Identifier':
      return [target];
    case 'AssignmentPattern':
      return namesIn(target.left);
    case 'ObjectPattern':
      return target.properties.flatMap((each) =>
        namesIn(each.type === 'Property' ? each.value : each.argument),
      );
    case 'ArrayPattern':
      return target.elements.flatMap((each) => (each ? namesIn(each) : []));
    default:
      return [];
  }
}

/** The name that is exported by assigning it: `exports.db`, `module.exports.db`, `module.exports`. */
function exportName(target: TSESTree.Node): string | undefined {
  const left = bareExpression(target);
  if (left.type !== 'MemberExpression') return undefined;
  const holder = bareExpression(left.object);
  const name = lastName(left);
  if (holder.type === 'Identifier' && holder.name === 'module' && name === 'exports') return 'default';
  return isExports(holder) ? name : undefined;
}

const isExports = (node: TSESTree.Node): boolean =>
  (node.type === 'Identifier' && node.name === 'exports') ||
  (node.type === 'MemberExpression' &&
    lastName(node) === 'exports' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module');

const keysOf = (meaning: Meaning | undefined): string[] =>
  meaning?.is === 'object'
    ? meaning.node.properties.flatMap((each) => (each.type === 'Property' ? (lastName(each.key) ?? []) : []))
    : [];
