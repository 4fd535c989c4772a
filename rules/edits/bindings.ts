import type { TSESTree } from '@typescript-eslint/utils';
import { indexOf, type ModuleIndex } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import type { Edit } from './edit.ts';
import { RUNTIME, bindingsOf, existingBinding } from './existing-binding.ts';
import { entry, formOf, importLines, isModule, styleOf, type Form, type Pair } from './import-form.ts';
import { insertAfter, insertAtTop } from './insertion.ts';
import { indentOf, isBlank, lineStart } from './lines.ts';
import { inlineRequest, sourceBehind, type ModuleSource } from './module-source.ts';
import { takeOver } from './take-over.ts';
import { commentsIn } from './trivia.ts';
import { removeUnused, type Unused } from './unused-imports.ts';

export type RuntimeName = 'spawnOwned' | 'forkOwned' | 'spawnDetached' | 'killOwned' | 'ownProcessGroups';

/** A place that will name something of a module: what it replaces is no use of the old names any more. */
export interface NameUse<Name extends string = string> {
  name: Name;
  replaces: TSESTree.Node;
}

/** A place that will call the runtime. */
export type RuntimeUse = NameUse<RuntimeName>;

/** The uses that share one import. */
interface Group {
  body: TSESTree.Node;
  anchor: ModuleSource | undefined;
  uses: NameUse[];
}

/** Names the runtime's functions at the given places: see {@link bindNames}. */
export const bindRuntime = (
  view: ModuleView,
  uses: readonly RuntimeUse[],
  unused: readonly Unused[],
): Bindings => bindNames(view, uses, unused, RUNTIME);

/** What the places are to say, and the edits of the imports. */
interface Bindings {
  textOf: (use: NameUse) => string;
  edits: Edit[];
}

/**
 * Names what a module exports at the given places: reuses or makes the imports that they need in the file's own style,
 * and removes those that nothing uses any more.
 */
export function bindNames(
  view: ModuleView,
  uses: readonly NameUse[],
  unused: readonly Unused[],
  module: string,
): Bindings {
  const index = indexOf(view);
  const fresh = freshNames(view);
  const texts = new Map<NameUse, string>();
  const kept = new Set<ModuleSource['statement'] | TSESTree.VariableDeclarator>();
  const edits: Edit[] = [];
  const inline = uses.filter(({ replaces }) => inlineRequest(replaces) !== undefined);
  for (const use of inline) texts.set(use, inlineText(view, use));
  for (const group of groupsOf(
    view,
    index,
    uses.filter((use) => !inline.includes(use)),
  )) {
    const names = [...new Set(group.uses.map(({ name }) => name))].sort();
    const bound = bindGroup(view, group, names, unused, fresh, module);
    edits.push(...bound.edits);
    if (bound.replaced) kept.add(bound.replaced);
    for (const use of group.uses) texts.set(use, bound.textOf(use.name));
  }
  for (const source of unused) if (!kept.has(source.owner)) edits.push(...removeUnused(view, source));
  return { textOf: (use) => texts.get(use) ?? use.name, edits };
}

/** `require('owned-spawn').spawnOwned` for a callee that brings its module along. */
function inlineText({ text }: ModuleView, { name, replaces }: NameUse): string {
  const specifier = inlineRequest(replaces);
  if (!specifier || replaces.type !== 'MemberExpression') return name;
  const [start] = replaces.range;
  const [from, to] = specifier.range;
  // From the quote on up to the dot: parentheses and white space are the author's.
  return (
    text.slice(start, from + 1) +
    RUNTIME +
    text.slice(to - 1, replaces.property.range[0]).replace(/\[$/, '.') +
    name
  );
}

/** Modules import once, at their top; CommonJS requires where the old name was required, so that lazy code stays lazy. */
function groupsOf(view: ModuleView, index: ModuleIndex, uses: readonly NameUse[]): Group[] {
  const esm = isModule(view);
  const groups = new Map<TSESTree.Node, Group>();
  for (const use of uses) {
    const source = sourceBehind(index, use.replaces) ?? undefined;
    const anchor = esm && source?.statement.type !== 'ImportDeclaration' ? undefined : source;
    const body = esm || !anchor ? view.ast : anchor.statement.parent;
    const group = groups.get(body) ?? { body, anchor: undefined, uses: [] };
    if (anchor && (!group.anchor || anchor.statement.range[0] < group.anchor.statement.range[0]))
      group.anchor = anchor;
    group.uses.push(use);
    groups.set(body, group);
  }
  return [...groups.values()];
}

/** Names that nothing in the module goes by. */
export function freshNames({ scopeManager }: ModuleView): (wish: string) => string {
  const taken = new Set(
    scopeManager.scopes.flatMap((scope) => [
      ...scope.variables.map(({ name }) => name),
      ...scope.through.map(({ identifier }) => identifier.name),
    ]),
  );
  return (wish) => {
    let name = wish;
    for (let n = 2; taken.has(name); n++) name = `${wish}${n}`;
    return name;
  };
}

interface Bound {
  textOf: (name: string) => string;
  edits: Edit[];
  /** The statement or declarator that became the new import. */
  replaced?: ModuleSource['statement'] | TSESTree.VariableDeclarator;
}

function bindGroup(
  view: ModuleView,
  group: Group,
  names: readonly string[],
  unused: readonly Unused[],
  fresh: (wish: string) => string,
  module: string,
): Bound {
  const existing = existingBinding(group.body, module);
  if (existing) return extend(view, existing, names, fresh, module);
  const { anchor } = group;
  const form = formOf(view, anchor);
  if (form.kind === 'namespace' || form.kind === 'import-equals') {
    const ns = fresh(form.kind === 'namespace' ? form.like : 'ownedSpawn');
    const textOf = (name: string): string => `${ns}.${name}`;
    return place(view, group, form, [[ns, ns]], unused, textOf, module);
  }
  const pairs = names.map((name): [string, string] => [name, fresh(name)]);
  const locals = new Map<string, string>(pairs);
  return place(view, group, form, pairs, unused, (name) => locals.get(name) ?? name, module);
}

function place(
  view: ModuleView,
  group: Group,
  form: Form,
  pairs: readonly Pair[],
  unused: readonly Unused[],
  textOf: Bound['textOf'],
  module: string,
): Bound {
  const { anchor } = group;
  const owner = anchor && (anchor.declarator ?? anchor.statement);
  const dead = unused.find((each) => each.owner === owner);
  const inPlace = anchor && dead?.whole && takeOver(view, anchor, form, pairs, module);
  if (inPlace && owner) return { textOf, edits: inPlace, replaced: owner };
  // The new import goes behind the old one, which cannot be taken away from there at the same time.
  const replaced = dead?.whole && owner && isCommented(view, owner) ? { replaced: owner } : {};
  const lines = importLines(view, anchor, form, pairs, module);
  const after = anchor?.statement ?? view.ast.body.filter(({ type }) => type === 'ImportDeclaration').at(-1);
  return { textOf, edits: [after ? insertAfter(view, after, lines) : insertAtTop(view, lines)], ...replaced };
}

const isCommented = (view: ModuleView, { range }: TSESTree.Node): boolean =>
  commentsIn(view, ...range).length > 0;

function extend(
  view: ModuleView,
  source: ModuleSource,
  names: readonly string[],
  fresh: (wish: string) => string,
  module: string,
): Bound {
  const { named, last, ns } = bindingsOf(source);
  if (ns !== undefined) return { textOf: (name) => `${ns}.${name}`, edits: [] };
  const count = (name: string): number =>
    view.scopeManager.scopes.filter((scope) => scope.variables.some((variable) => variable.name === name))
      .length;
  const form: Form = source.declarator ? { kind: 'pattern', keyword: '', request: '' } : { kind: 'import' };
  const locals = new Map<string, string>();
  const added: string[] = [];
  for (const name of names) {
    const known = named.get(name);
    // A scope inside that has the same name for something else would catch the call.
    const local = known !== undefined && count(known) === 1 ? known : fresh(name);
    locals.set(name, local);
    if (local !== known) added.push(entry(form, [name, local]));
  }
  const textOf = (name: string): string => locals.get(name) ?? name;
  if (added.length === 0) return { textOf, edits: [] };
  if (!last || last.type === 'RestElement') {
    const { quote, semi } = styleOf(view, source);
    const line =
      form.kind === 'import'
        ? `import { ${added.join(', ')} } from ${quote}${module}${quote}${semi}`
        : `const { ${added.join(', ')} } = require(${quote}${module}${quote})${semi}`;
    return { textOf, edits: [insertAfter(view, source.statement, [line])] };
  }
  const { text } = view;
  const ownLine = isBlank(text, lineStart(text, last.range[0]), last.range[0]);
  const eol =
    text.slice(lineStart(text, last.range[0]) - 2, lineStart(text, last.range[0])) === '\r\n' ? '\r\n' : '\n';
  const gap = ownLine ? eol + indentOf(text, last.range[0]) : ' ';
  const end = last.range[1];
  return { textOf, edits: [{ start: end, end, text: added.map((each) => `,${gap}${each}`).join('') }] };
}
