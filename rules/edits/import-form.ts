import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { ModuleSource } from './module-source.ts';

/** How a scope writes the import that it gets. */
export type Form =
  | { kind: 'import' }
  | { kind: 'import-equals' }
  /** `const { a } = require('x')`, or `await import('x')`. */
  | { kind: 'pattern'; keyword: string; request: string }
  /** `var a = require('x').a`, one statement a name. */
  | { kind: 'member'; keyword: string; request: string }
  /** `const x_1 = require('x')`, as compilers write it. */
  | { kind: 'namespace'; keyword: string; request: string; like: string };

/** A name of a module, and what the file calls it. */
export type Pair = readonly [name: string, local: string];

/** A name in an import's braces. */
export const entry = (form: Form, [name, local]: Pair): string =>
  name === local ? name : `${name}${form.kind === 'import' ? ' as ' : ': '}${local}`;

/** Whether a file is an ES module, as far as its name and its statements tell. */
export const isModule = ({ ast, filename }: ModuleView): boolean =>
  !/\.c[jt]s$/.test(filename) &&
  (/\.m[jt]s$/.test(filename) || ast.body.some(({ type }) => /^(?:Import|Export)/.test(type)));

/** The form of the import that goes where a name of child_process comes from. */
export function formOf(view: ModuleView, anchor: ModuleSource | undefined): Form {
  if (isModule(view)) return { kind: 'import' };
  if (!anchor)
    return { kind: 'pattern', keyword: /\bconst\b/.test(view.text) ? 'const' : 'var', request: 'require' };
  const { statement, declarator } = anchor;
  if (statement.type !== 'VariableDeclaration' || !declarator)
    return { kind: statement.type === 'ImportDeclaration' ? 'import' : 'import-equals' };
  const keyword = statement.kind;
  const { parent: call } = anchor.specifier;
  const request = call.type === 'CallExpression' ? view.text.slice(...call.callee.range) : 'await import';
  const { id } = declarator;
  if (id.type !== 'Identifier' || request === 'await import') return { kind: 'pattern', keyword, request };
  if (call !== declarator.init && declarator.init?.type === 'MemberExpression')
    return { kind: 'member', keyword, request };
  const compiled = id.name.startsWith('import_')
    ? 'import_owned_spawn'
    : /_\d+$/.test(id.name) && 'owned_spawn_1';
  if (compiled) return { kind: 'namespace', keyword, request, like: compiled };
  return { kind: keyword === 'var' ? 'member' : 'pattern', keyword, request };
}

/** The characters that the file's imports are written with. */
export function styleOf(
  view: ModuleView,
  anchor: ModuleSource | undefined,
): { quote: string; semi: string; open: string; close: string } {
  const { text, ast } = view;
  const statements = ast.body.filter(({ type }) => /^(Import|VariableD|ExpressionS)/.test(type));
  const isEnded = (node: TSESTree.Node): boolean => text.charAt(node.range[1] - 1) === ';';
  const ended = statements.filter(isEnded).length * 2 >= statements.length;
  const quote =
    anchor?.specifier.raw.charAt(0) ?? (text.split('"').length > text.split("'").length ? '"' : "'");
  const braces = /\{(\s?)[\w$][^{}]*?\}\s*(?:=\s*require|from)\b/.exec(
    anchor ? text.slice(...anchor.statement.range) : text,
  );
  const gap = braces?.[1] === '' ? '' : ' ';
  return {
    quote,
    semi: (anchor ? isEnded(anchor.statement) : ended) ? ';' : '',
    open: `{${gap}`,
    close: `${gap}}`,
  };
}

/** The statements that import names of a module. */
export function importLines(
  view: ModuleView,
  anchor: ModuleSource | undefined,
  form: Form,
  pairs: readonly Pair[],
  module: string,
): string[] {
  const { quote, semi, open, close } = styleOf(view, anchor);
  const source = quote + module + quote;
  const entries = open + pairs.map((pair) => entry(form, pair)).join(', ') + close;
  return {
    import: () => [`import ${entries} from ${source}${semi}`],
    'import-equals': () => pairs.map(([, ns]) => `import ${ns} = require(${source})${semi}`),
    pattern: () => [`${keywordOf(form)} ${entries} = ${requestOf(form)}(${source})${semi}`],
    member: () =>
      pairs.map(
        ([name, local]) => `${keywordOf(form)} ${local} = ${requestOf(form)}(${source}).${name}${semi}`,
      ),
    namespace: () => pairs.map(([, ns]) => `${keywordOf(form)} ${ns} = ${requestOf(form)}(${source})${semi}`),
  }[form.kind]();
}

const keywordOf = (form: Form): string => ('keyword' in form ? form.keyword : '');
const requestOf = (form: Form): string => ('request' in form ? form.request : '');
