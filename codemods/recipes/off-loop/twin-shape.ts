import {
  eolNear,
  indentOf,
  isClass,
  lineStart,
  type Edit,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { overloadsOf } from './function-plan.ts';

/** What is copied so that a function, or a member without a body, has an asynchronous twin beside it. */
export interface TwinShape {
  name: string;
  /** What is copied, from its comment and its overloads on. */
  start: number;
  end: number;
  /** What differs in the copy: its name, and what says that it is the default export. */
  edits: Edit[];
  /** What stands between the two. */
  between: string;
}

/** The name of the twin of what has a name: `readConfig` and `readConfigSync` have `readConfigAsync`. */
export const twinName = (name: string): string => `${name.replace(/Sync$/, '')}Async`;

/** Gives an identifier the twin's name. */
export function renameEdit(id: TSESTree.Identifier | TSESTree.PrivateIdentifier): Edit {
  const start = id.range[1] - id.name.length;
  return { start, end: id.range[1], text: twinName(id.name) };
}

/** Undefined for a function that cannot be written twice: without a name, decorated, one of several in a statement. */
export function twinShapeOf(module: LoopModule, fn: FunctionNode): TwinShape | undefined {
  const { parent } = fn;
  switch (parent.type) {
    case 'Program':
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration': {
      if (fn.type !== 'FunctionDeclaration' || !fn.id) return undefined;
      const overloads = overloadsOf(fn);
      const ids = [fn, ...overloads].flatMap((each) => ('id' in each && isName(each.id) ? each.id : []));
      const statements = [fn, ...overloads].map((each) =>
        each.parent?.type.startsWith('Export') ? each.parent : each,
      );
      const defaults = statements.flatMap((each) =>
        each.type === 'ExportDefaultDeclaration'
          ? { start: each.range[0], end: each.declaration.range[0], text: 'export ' }
          : [],
      );
      return shape(module, fn.id.name, statements, [...ids.map(renameEdit), ...defaults]);
    }
    case 'VariableDeclarator': {
      const { id, parent: list } = parent;
      const statement = list.parent.type === 'ExportNamedDeclaration' ? list.parent : list;
      if (id.type !== 'Identifier' || list.declarations.length > 1 || statement.parent.type !== 'Program')
        return undefined;
      return shape(module, id.name, [statement], [renameEdit(id)]);
    }
    case 'AssignmentExpression': {
      const { left, parent: statement } = parent;
      if (left.type !== 'MemberExpression' || left.computed || statement.type !== 'ExpressionStatement')
        return undefined;
      const own = fn.id ? [renameEdit(fn.id)] : [];
      if (
        /^(module\.)?exports$/.test(module.view.text.slice(...left.range)) &&
        left.property.type === 'Identifier'
      ) {
        const [, at] = left.range;
        if (!fn.id || left.property.name !== 'exports') return undefined;
        const member = { start: at, end: at, text: `.${twinName(fn.id.name)}` };
        return shape(module, fn.id.name, [statement], [member, ...own]);
      }
      return shape(module, left.property.name, [statement], [renameEdit(left.property), ...own]);
    }
    case 'MethodDefinition':
    case 'PropertyDefinition': {
      if (parent.decorators.length > 0 || !isClass(parent.parent.parent)) return undefined;
      const members = [parent, ...overloadsOf(fn).flatMap(({ parent: each }) => each ?? [])];
      return memberShape(module, members);
    }
    case 'Property':
      return parent.shorthand ? undefined : memberShape(module, [parent]);
    default:
      return undefined;
  }
}

/** Of members of a class, an object or an interface that have one name. */
export function memberShape(module: LoopModule, members: readonly TSESTree.Node[]): TwinShape | undefined {
  const keys = members.map((each) =>
    'key' in each && isName(each.key) && !isComputed(each) ? each.key : undefined,
  );
  const [first] = keys;
  if (!first || keys.includes(undefined)) return undefined;
  return shape(
    module,
    first.name,
    members,
    keys.flatMap((key) => (key ? renameEdit(key) : [])),
    members[0]?.type === 'Property' ? separatorOf(module, members[0]) : undefined,
  );
}

const isComputed = (node: TSESTree.Node): boolean => (node as { computed?: boolean }).computed ?? false;

const isName = (node: unknown): node is TSESTree.Identifier | TSESTree.PrivateIdentifier =>
  /^(Private)?Identifier$/.test((node as TSESTree.Node | null)?.type ?? '');

function shape(
  { view }: LoopModule,
  name: string,
  nodes: readonly TSESTree.Node[],
  edits: Edit[],
  separator?: string,
): TwinShape {
  const { text } = view;
  const first = Math.min(...nodes.map(({ range }) => range[0]));
  const end = Math.max(...nodes.map(({ range }) => range[1]));
  // What is said of the function is true of its twin; a marker or a directive is not.
  const comment = view.comments.find(
    ({ range }) =>
      range[1] <= first &&
      text.startsWith('/**', range[0]) &&
      /^[^\S\n]*\r?\n?[^\S\n]*$/.test(text.slice(range[1], first)),
  );
  const start = comment?.range[0] ?? first;
  const eol = eolNear(text, end);
  const gap = text.slice(start, end).includes('\n') ? eol + eol : eol;
  return { name, start, end, edits, between: separator ?? gap + indentOf(text, start) };
}

/** What stands between an item of a list and one that is put behind it. */
export function separatorOf({ view: { text } }: LoopModule, { range: [start, end] }: TSESTree.Node): string {
  const isAlone = /^\s*$/.test(text.slice(lineStart(text, start), start));
  return isAlone ? `,${eolNear(text, end)}${indentOf(text, start)}` : ', ';
}
