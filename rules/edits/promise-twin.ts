import type { TSESTree } from '@typescript-eslint/utils';
import type { Twin } from '../apis/loop-rows.ts';
import type { BlockingSite } from '../read/blocking.ts';
import type { LoopModule } from '../read/loop-module.ts';
import { bareExpression, isFunction, isInside, type FunctionNode } from '../read/nodes.ts';
import { awaitEdits } from './await.ts';
import type { Edit } from './edit.ts';
import { insertAfter } from './insertion.ts';
import { sourceOf, type ModuleSource } from './module-source.ts';
import { styleOf } from './import-form.ts';

/**
 * Edits that await the promise twin of a blocking call in its place; undefined where the function around it is not async
 * or the call has another form than `readFileSync(…)` and `fs.readFileSync(…)`.
 */
export function promiseTwinEdits(
  module: LoopModule,
  { call, twin }: BlockingSite,
): { edits: Edit[]; shown: string } | undefined {
  if (!twin || twin.form || call.type !== 'CallExpression' || call.optional || !mayAwait(call))
    return undefined;
  // `throwIfNoEntry` has no twin.
  if (module.view.text.slice(...call.range).includes('throwIfNoEntry')) return undefined;
  const callee = twinCallee(module, bareExpression(call.callee), twin);
  if (!callee) return undefined;
  return { shown: callee.shown, edits: [...awaitEdits(module.view, call), ...callee.edits] };
}

/** Whether `await` may stand at a node: in the body of an async function, with nothing between that is not. */
function mayAwait(node: TSESTree.Node): boolean {
  let at = node;
  while (at.parent && !isFunction(at)) {
    if (/^(PropertyDefinition|AccessorProperty|StaticBlock)$/.test(at.type)) return false;
    at = at.parent;
  }
  return isFunction(at) && at.async && !inParameters(at, node);
}

const inParameters = (fn: FunctionNode, node: TSESTree.Node) =>
  fn.params.some((param) => isInside(node, param));

function twinCallee(
  module: LoopModule,
  callee: TSESTree.Node,
  twin: Twin,
): { edits: Edit[]; shown: string } | undefined {
  const { text } = module.view;
  if (callee.type === 'MemberExpression') {
    const owner = module.callees.meaningOf(callee.object);
    if (callee.computed || callee.optional || owner?.is !== 'import' || owner.path !== '') return undefined;
    const [start, end] = callee.property.range;
    return {
      edits: [{ start, end, text: twin.member }],
      shown: `${text.slice(...callee.object.range)}.${twin.member}`,
    };
  }
  if (callee.type !== 'Identifier') return undefined;
  const [start, end] = callee.range;
  const bound = boundTwin(module, twin);
  if (bound !== undefined) return { edits: [{ start, end, text: bound }], shown: bound };
  const imported = importOf(module, callee, twin);
  return imported && { edits: [imported, { start, end, text: twin.name }], shown: twin.name };
}

/** What the module calls the twin already: `readFile`, `fsp.readFile`. */
export function boundTwin({ view, callees }: LoopModule, { module, name }: Twin): string | undefined {
  const scope = view.scopeManager.scopes.find(({ type }) => type === 'module') ?? view.scopeManager.scopes[0];
  for (const variable of scope?.variables ?? []) {
    const id = variable.identifiers[0];
    const def = variable.defs[0];
    if (!id || (def?.type !== 'ImportBinding' && def?.type !== 'Variable')) continue;
    const meaning = callees.meaningOf(id);
    if (meaning?.is !== 'import') continue;
    const path = meaning.module === module ? meaning.path : undefined;
    if (path === name) return variable.name;
    const isWhole =
      path === '' || (module === 'fs/promises' && meaning.module === 'fs' && meaning.path === 'promises');
    if (isWhole && def.type === 'ImportBinding') return `${variable.name}.${name}`;
  }
  return undefined;
}

/** An import of the twin behind the one of the blocking call; none where its name is taken. */
function importOf(
  { view, index }: LoopModule,
  callee: TSESTree.Identifier,
  { module, name }: Twin,
): Edit | undefined {
  if (view.scopeManager.scopes.some(({ set }) => set.has(name) && (set.get(name)?.defs.length ?? 0) > 0))
    return undefined;
  const variable = index.variableOf(callee);
  const source = variable && sourceOf(variable);
  if (!source) return undefined;
  const line = importLine(view.text, source, module, name, styleOf(view, source));
  return line === undefined ? undefined : insertAfter(view, source.statement, [line]);
}

function importLine(
  text: string,
  { statement, declarator, specifier }: ModuleSource,
  module: string,
  name: string,
  { quote, semi, open, close }: ReturnType<typeof styleOf>,
): string | undefined {
  const from = `${quote}${specifier.value.startsWith('node:') ? 'node:' : ''}${module}${quote}`;
  const names = `${open}${name}${close}`;
  if (statement.type === 'ImportDeclaration') return `import ${names} from ${from}${semi}`;
  const { parent: request } = specifier;
  if (statement.type !== 'VariableDeclaration' || declarator?.id.type !== 'ObjectPattern') return undefined;
  if (request.type !== 'CallExpression' || declarator.init !== request) return undefined;
  return `${statement.kind} ${names} = ${text.slice(...request.callee.range)}(${from})${semi}`;
}
