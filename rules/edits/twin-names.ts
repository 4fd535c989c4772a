import type { TSESTree } from '@typescript-eslint/utils';
import { bare } from '../apis/tables.ts';
import type { LoopModule } from '../read/loop-module.ts';
import type { Variable } from '../read/module-index.ts';
import { isInside } from '../read/nodes.ts';
import { wrapEdits, type WrappingEdit } from './await.ts';
import { bindNames, freshNames } from './bindings.ts';
import { inlineRequest, sourceOf } from './module-source.ts';
import { boundTwin } from './promise-twin.ts';
import type { TwinCall } from './twin-call.ts';
import { ownerOf, removeTaken } from './taken-names.ts';
import { unusedCode } from './unused-code.ts';
import { removeUnused } from './unused-imports.ts';

/**
 * Names the twins of some calls of a module, and sees to their imports; old ones that nothing uses any more go.
 * The calls of one module must be given together: they share imports.
 *
 * @param isKept whether a call stays as it is, and only a copy of it is named
 * @returns the edits, apart from them those of the copies; what was not possible for a call is missing in `done`
 */
export function twinNameEdits(
  module: LoopModule,
  calls: readonly TwinCall[],
  isKept: (call: TwinCall) => boolean = () => false,
): { edits: WrappingEdit[]; copied: WrappingEdit[]; done: Set<TwinCall> } {
  const edits: WrappingEdit[] = [];
  const copied: WrappingEdit[] = [];
  const done = new Set<TwinCall>();
  const promisified = calls.filter(({ twin: { form } }) => form === 'promisified' || form === 'output');
  const promisify = promisified.length > 0 ? promisifyName(module, promisified) : undefined;
  if (promisify) edits.push(...promisify.edits);
  const name = (call: TwinCall, text: string): void => {
    const { callee } = call;
    const replaced = callee.type === 'MemberExpression' ? callee.property : callee;
    const [start, end] = replaced.range;
    const its = isKept(call) ? copied : edits;
    if (text !== module.view.text.slice(start, end)) its.push({ start, end, text });
    if (promisified.includes(call)) its.push(...wrapEdits(callee, `${promisify?.text ?? ''}(`, ')'));
    done.add(call);
  };

  for (const call of calls) if (call.callee.type === 'MemberExpression') name(call, call.twin.member);
  const byVariable = new Map<Variable, TwinCall[]>();
  for (const call of calls) {
    const variable = call.callee.type === 'Identifier' ? module.index.variableOf(call.callee) : undefined;
    if (variable) byVariable.set(variable, [...(byVariable.get(variable) ?? []), call]);
  }
  const moved = new Map<string, TwinCall[]>();
  const known: TwinCall[] = [];
  const taken = new Map<Variable, TwinCall[]>();
  for (const [variable, its] of byVariable) {
    const twin = its[0]?.twin;
    const source = sourceOf(variable);
    const owner = ownerOf(module, variable);
    const text = twin && (owner === undefined ? boundTwin(module, twin) : `${owner}.${twin.member}`);
    if (twin && text !== undefined && isVisible(module, text)) {
      for (const call of its) name(call, text);
      if (owner === undefined) known.push(...its);
      else taken.set(variable, its);
    } else if (twin && source && bare(source.specifier.value) === twin.module) {
      const swapped = swap(
        module,
        variable,
        its.filter((call) => !isKept(call)),
        twin.name,
      );
      if (!swapped) continue;
      edits.push(...swapped.edits);
      for (const call of its) name(call, swapped.text);
    } else if (twin && source) {
      const specifier = `${source.specifier.value.startsWith('node:') ? 'node:' : ''}${twin.module}`;
      moved.set(specifier, [...(moved.get(specifier) ?? []), ...its]);
    }
  }
  const replaced = (some: Iterable<readonly TwinCall[]>): TSESTree.Node[] =>
    [...some].flat().flatMap((call) => (isKept(call) ? [] : call.callee));
  const others = replaced([known, ...moved.values()]);
  edits.push(...removeTaken(module, [...taken.keys()], replaced(taken.values())));
  const unused = new Set(unusedCode(module.view, others).imports);
  for (const [specifier, its] of moved) {
    const uses = its.map((call) => ({ call, name: call.twin.name, replaces: call.callee }));
    const variables = its.map(
      ({ callee }) => callee.type === 'Identifier' && module.index.variableOf(callee),
    );
    const old = [...unused].filter((each) => each.variables.some((variable) => variables.includes(variable)));
    for (const each of old) unused.delete(each);
    const bound = bindNames(module.view, uses, old, specifier);
    edits.push(...bound.edits);
    for (const use of uses) name(use.call, bound.textOf(use));
  }
  for (const each of unused) edits.push(...removeUnused(module.view, each));
  return { edits, copied, done };
}

function promisifyName(
  module: LoopModule,
  calls: readonly TwinCall[],
): { text: string; edits: WrappingEdit[] } {
  const twin = { module: 'util', name: 'promisify', member: 'promisify' };
  const text = boundTwin(module, twin);
  if (text !== undefined && isVisible(module, text)) return { text, edits: [] };
  // All of them share one name, which no `require('child_process')` of a single call brings along.
  const imported = calls.find(({ callee }) => !inlineRequest(callee));
  const use = { name: 'promisify', replaces: imported?.callee ?? module.view.ast };
  const prefix =
    module.view.text.includes('node:') ||
    !/["']child_process["']|["']zlib["']|["']crypto["']|["']fs["']/.test(module.view.text)
      ? 'node:'
      : '';
  const bound = bindNames(module.view, [use], [], `${prefix}util`);
  return { text: bound.textOf(use), edits: bound.edits };
}

/** Whether a name of the module's top level means the same everywhere. */
function isVisible({ view }: LoopModule, text: string): boolean {
  const [name = ''] = text.split('.');
  return (
    view.scopeManager.scopes.filter((scope) => scope.variables.some((each) => each.name === name)).length ===
    1
  );
}

/** Imports the twin in the place of the old name, or beside it where that is used on. */
function swap(
  { view }: LoopModule,
  variable: Variable,
  calls: readonly TwinCall[],
  name: string,
): { text: string; edits: WrappingEdit[] } | undefined {
  const [id] = variable.identifiers;
  const item = id?.parent;
  if (
    !id ||
    (item?.type !== 'ImportSpecifier' && (item?.type !== 'Property' || item.parent.type !== 'ObjectPattern'))
  )
    return undefined;
  const [start, end] = item.range;
  const local = freshNames(view)(name);
  const separator = item.type === 'Property' ? ': ' : ' as ';
  const text = local === name ? name : `${name}${separator}${local}`;
  const isUsed = variable.references.some(
    ({ identifier, init }) => init !== true && !calls.some(({ callee }) => isInside(identifier, callee)),
  );
  if (isUsed) return { text: local, edits: [{ start: end, end, text: `, ${text}` }] };
  // `{ gzipSync: compress }` keeps its local name.
  const key: TSESTree.Node = item.type === 'Property' ? item.key : item.imported;
  const isRenamed = view.text.slice(...key.range) !== variable.name;
  return isRenamed
    ? { text: variable.name, edits: [{ start: key.range[0], end: key.range[1], text: name }] }
    : { text: local, edits: [{ start, end, text }] };
}
