import type { TSESTree } from '@typescript-eslint/utils';
import { specifierName } from '../read/exports.ts';
import { walk } from '../read/module-index.ts';
import { bareExpression, isFunction, isReference, lastName, literalText } from '../read/nodes.ts';
import type { Alias } from '../read/summary.ts';

/** Another name; where a value is given it, the value's place tells whether it is the one that is meant. */
export interface SourceAlias extends Alias {
  value?: { start: number; end: number };
}

/**
 * The names by which a program's other files may call what a module names: of imports and exports, of constants and
 * fields, of properties. Default exports are named after their files.
 *
 * @param defaultOf the name for the default export of a file, by its own path or by what imports it
 */
export function aliasesOf(
  ast: TSESTree.Program,
  filename: string,
  defaultOf: (file: string) => string = defaultName,
): SourceAlias[] {
  const aliases: SourceAlias[] = [];
  const add = (name: string | undefined, of: string | undefined): void => {
    if (name !== undefined && of !== undefined && name !== of) aliases.push({ name, of });
  };
  const addValue = (name: string | undefined, node: TSESTree.Node): void => {
    const value = bareExpression(node);
    const of = nameOf(value, defaultOf);
    if (name === undefined || of === undefined || name === of) return;
    const [start, end] = value.range;
    aliases.push(isReference(value) ? { name, of, value: { start, end } } : { name, of });
  };
  walk(ast, (node) => {
    switch (node.type) {
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) {
          if (specifier.type === 'ImportSpecifier') {
            const imported = specifierName(specifier.imported);
            add(specifier.local.name, imported === 'default' ? defaultOf(node.source.value) : imported);
          } else if (specifier.type === 'ImportDefaultSpecifier')
            add(specifier.local.name, defaultOf(node.source.value));
        }
        break;
      case 'ExportNamedDeclaration':
        for (const { local, exported } of node.specifiers) {
          const own = (name: string, file: string) => (name === 'default' ? defaultOf(file) : name);
          add(
            own(specifierName(exported), filename),
            own(specifierName(local), node.source?.value ?? filename),
          );
        }
        break;
      case 'ExportDefaultDeclaration':
        add(defaultOf(filename), nameOf(node.declaration, defaultOf));
        break;
      case 'VariableDeclarator':
        if (node.id.type === 'Identifier' && node.init) addValue(node.id.name, node.init);
        break;
      case 'AssignmentExpression': {
        const name = lastName(node.left);
        addValue(name === 'exports' ? defaultOf(filename) : name, node.right);
        break;
      }
      case 'Property':
        // `{ read: load }` names what load is; `const { load: read } = x` names what x.load is.
        if (node.parent.type === 'ObjectPattern') add(lastName(node.value), keyOf(node));
        else addValue(keyOf(node), node.value);
        break;
      case 'PropertyDefinition':
        if (node.value) addValue(keyOf(node), node.value);
        break;
      default:
    }
  });
  return aliases;
}

/** What the names of default exports begin with. */
export const DEFAULT = 'default ';

/** A name for the default export of a file: `default git` for `./git.ts` and `./git/index.ts`. */
export function defaultName(file: string): string {
  const [, folder = '', base = ''] =
    /([^\\/]*)[\\/]?([^\\/]*)$/.exec(file.replace(/\.[cm]?[jt]sx?$/, '')) ?? [];
  return `${DEFAULT}${base === 'index' || base === '' || base === '.' ? folder : base}`;
}

const keyOf = ({ key, computed }: TSESTree.Property | TSESTree.PropertyDefinition) =>
  computed ? undefined : (lastName(key) ?? literalText(key));

/** What an expression names: a variable, a member, a function or class of its own, what a file requires. */
function nameOf(node: TSESTree.Node, defaultOf: (file: string) => string): string | undefined {
  const bare = bareExpression(node);
  if (isFunction(bare) || bare.type === 'ClassDeclaration' || bare.type === 'ClassExpression')
    return bare.id?.name;
  if (bare.type === 'CallExpression') {
    const [first] = bare.arguments;
    const file = first && lastName(bare.callee) === 'require' ? literalText(first) : undefined;
    // `load.bind(x)`
    const isBound = bare.callee.type === 'MemberExpression' && lastName(bare.callee) === 'bind';
    return file !== undefined
      ? defaultOf(file)
      : isBound
        ? lastName((bare.callee as TSESTree.MemberExpression).object)
        : undefined;
  }
  return lastName(bare);
}
