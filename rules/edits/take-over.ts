import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from '../read/module-view.ts';
import type { Edit } from './edit.ts';
import { entry, styleOf, type Form, type Pair } from './import-form.ts';
import type { ModuleSource } from './module-source.ts';
import { removeItems } from './removal.ts';
import { commentsIn } from './trivia.ts';

/**
 * Turns an import that nothing uses any more into that of another module: the smallest change, and its place is right.
 * Undefined where its form cannot say it, or where a comment would be lost.
 */
export function takeOver(
  view: ModuleView,
  source: ModuleSource,
  form: Form,
  pairs: readonly Pair[],
  module: string,
): Edit[] | undefined {
  const { statement, declarator, specifier } = source;
  const replace = (node: { range: [number, number] }, text: string): Edit[] => [
    { start: node.range[0], end: node.range[1], text },
  ];
  const [start, end] = specifier.range;
  const named = replace({ range: [start + 1, end - 1] }, module);
  const list = listOf(source);
  const entries = pairs.map((pair) => entry(form, pair)).join(', ');
  const [first, ...rest] = list ?? [];
  if (form.kind === 'import' || (form.kind === 'pattern' && declarator?.init?.type !== 'MemberExpression')) {
    if (first) named.push(...replace(first, entries), ...removeItems(view, list ?? [], new Set(rest)));
    else {
      const whole = declarator ? declarator.id : clauseOf(view, statement);
      const { open, close } = styleOf(view, source);
      if (!whole) return undefined;
      named.push(...replace(whole, open + entries + close));
    }
  } else {
    const [pair] = pairs;
    const id = declarator?.id;
    const init = declarator?.init;
    if (!pair || pairs.length > 1 || id?.type !== 'Identifier' || !init) return undefined;
    named.push(...replace(id, pair[1]));
    if (form.kind === 'member') {
      if (init === specifier.parent)
        named.push({ start: init.range[1], end: init.range[1], text: `.${pair[0]}` });
      else if (init.type === 'MemberExpression' && !init.computed && init.object === specifier.parent)
        named.push(...replace(init.property, pair[0]));
      else return undefined;
    } else if (init !== specifier.parent) return undefined;
  }
  const isLossy = named.some((edit) => commentsIn(view, edit.start, edit.end).length > 0);
  return isLossy ? undefined : named;
}

/** The names in an import's braces, where it has nothing but braces. */
function listOf({ statement, declarator }: ModuleSource): readonly TSESTree.Node[] | undefined {
  if (declarator) return declarator.id.type === 'ObjectPattern' ? declarator.id.properties : undefined;
  if (statement.type !== 'ImportDeclaration') return undefined;
  return statement.specifiers.every(({ type }) => type === 'ImportSpecifier')
    ? statement.specifiers
    : undefined;
}

/** What stands between `import` and `from`. */
function clauseOf(view: ModuleView, statement: TSESTree.Node): { range: [number, number] } | undefined {
  if (statement.type !== 'ImportDeclaration') return undefined;
  const [first, last] = [statement.specifiers[0], statement.specifiers.at(-1)];
  if (!first || !last) return undefined;
  const end = last.type === 'ImportSpecifier' ? view.text.indexOf('}', last.range[1]) + 1 : last.range[1];
  return { range: [first.range[0], end] };
}
