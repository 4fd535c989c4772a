import type { TSESTree } from '@typescript-eslint/utils';
import type { Twin } from '../apis/loop-rows.ts';
import type { BlockingSite } from '../read/blocking.ts';
import type { LoopModule } from '../read/loop-module.ts';
import { bareExpression, isInside, lastName, literalText } from '../read/nodes.ts';
import { awaitEdits, awaitTarget, wrapEdits, type WrappingEdit } from './await.ts';
import { removeItems } from './removal.ts';

/** Why a blocking call has no asynchronous form in its place. */
export type NoTwin =
  /** The API has none that is called alike. */
  | 'no-twin'
  /** The function is handed in, bound, applied or stored. */
  | 'indirect-call'
  /** The asynchronous form takes no such option. */
  | 'twin-options'
  /** A file descriptor is given, where the twin takes a path or a FileHandle. */
  | 'descriptor'
  /** The asynchronous form gives or throws something else, and that is looked at. */
  | 'result-differs';

/** A call that can become its twin. */
export interface TwinCall {
  site: BlockingSite;
  call: TSESTree.CallExpression;
  callee: TSESTree.Identifier | TSESTree.MemberExpressionNonComputedName;
  twin: Twin;
  /** Options that the twin does not take, and does not need. */
  dropped?: TSESTree.Property;
  /** Whether what the call gives is used. */
  isUsed: boolean;
}

/** What a blocking call can become, or why not. */
export function twinCallOf(module: LoopModule, site: BlockingSite): TwinCall | { reason: NoTwin } {
  const { call, twin } = site;
  if (call.type !== 'CallExpression') return { reason: 'no-twin' };
  // `paths.map(readFileSync)`
  if (!isInside(site.name, call.callee)) return { reason: 'indirect-call' };
  if (!twin) return { reason: 'no-twin' };
  const callee = bareExpression(call.callee);
  if (call.optional || !isPlain(module, callee)) return { reason: 'indirect-call' };
  if (call.arguments.some(({ type }) => type === 'SpreadElement') && twin.form)
    return { reason: 'indirect-call' };
  if (twin.form === 'promisified' && isMistyped(module, twin.name, call.arguments.length))
    return { reason: 'no-twin' };
  if (module.view.text.slice(...call.range).includes('throwIfNoEntry')) return { reason: 'twin-options' };
  const [first] = call.arguments;
  if (twin.module.startsWith('fs') && first && isDescriptor(first)) return { reason: 'descriptor' };
  const isUsed = call.parent.type !== 'ExpressionStatement';
  const plan: TwinCall = { site, call, callee, twin, isUsed };
  return twin.form === 'output' ? outputCall(module, plan) : plan;
}

/** Of several signatures TypeScript promisifies the last, which wants all arguments. */
function isMistyped({ view }: LoopModule, name: string, count: number): boolean {
  const wanted = { scrypt: 4, generatePrime: 2, checkPrime: 2 }[name] ?? 0;
  return /\.[cm]?tsx?$/.test(view.filename) && count < wanted;
}

function isPlain(
  module: LoopModule,
  callee: TSESTree.Node,
): callee is TSESTree.Identifier | TSESTree.MemberExpressionNonComputedName {
  if (callee.type === 'Identifier') return true;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional) return false;
  const owner = module.callees.meaningOf(callee.object);
  return owner?.is === 'import' && owner.path === '';
}

/** `readFileSync(0)`, `readFileSync(fd)` */
function isDescriptor(node: TSESTree.Node): boolean {
  const bare = bareExpression(node);
  if (bare.type === 'Literal') return typeof bare.value === 'number';
  return /^fd$|[a-z]Fd$|^fd[A-Z]|descriptor/.test(lastName(bare) ?? '');
}

const SAME_OPTIONS = new Set(
  'cwd env encoding timeout maxBuffer killSignal uid gid shell windowsHide signal argv0'.split(' '),
);

/** `execSync` gives what the child wrote, `exec` that as a property, and as text. */
function outputCall(module: LoopModule, plan: TwinCall): TwinCall | { reason: NoTwin } {
  const { call, isUsed } = plan;
  const { text } = module.view;
  if (asksForStatus(text, call)) return { reason: 'result-differs' };
  const last = call.arguments.at(-1);
  const options =
    last && call.arguments.length > 1 && last.type !== 'ArrayExpression' ? bareExpression(last) : undefined;
  if (!options) return !isUsed || isTurnedToText(call) ? plan : { reason: 'result-differs' };
  if (options.type !== 'ObjectExpression') return { reason: 'twin-options' };
  let dropped: TSESTree.Property | undefined;
  let isText = !isUsed || isTurnedToText(call);
  for (const property of options.properties) {
    if (property.type === 'SpreadElement' || property.computed) return { reason: 'twin-options' };
    const key = lastName(property.key) ?? literalText(property.key) ?? '';
    if (key === 'stdio' && isPiped(property.value)) dropped = property;
    else if (!SAME_OPTIONS.has(key)) return { reason: 'twin-options' };
    if (key === 'encoding') {
      const encoding = literalText(bareExpression(property.value));
      if (encoding === undefined || encoding === 'buffer') return { reason: 'result-differs' };
      isText = true;
    }
  }
  if (!isText) return { reason: 'result-differs' };
  return dropped ? { ...plan, dropped } : plan;
}

/** `catch (error) { error.status }`: the asynchronous form's errors have a `code`. */
function asksForStatus(text: string, call: TSESTree.Node): boolean {
  for (let at = call; at.parent; at = at.parent) {
    const { parent } = at;
    if (parent.type === 'TryStatement' && parent.block === at && parent.handler)
      return /\.(status|output|pid)\b/.test(text.slice(...parent.handler.range));
  }
  return false;
}

/** `execSync(…).toString()` */
function isTurnedToText({ parent }: TSESTree.Node): boolean {
  if (parent?.type !== 'MemberExpression' || lastName(parent) !== 'toString') return false;
  const call = parent.parent;
  if (call.type !== 'CallExpression' || call.callee !== parent) return false;
  const [encoding] = call.arguments;
  return !encoding || /^utf-?8$/i.test(literalText(encoding) ?? '');
}

/** What a child writes comes here; nothing goes past us. */
function isPiped(value: TSESTree.Node): boolean {
  if (literalText(value) === 'pipe') return true;
  if (value.type !== 'ArrayExpression') return false;
  const ways = value.elements.map((each) => (each ? literalText(each) : 'pipe'));
  return ways.every((way) => way === 'pipe' || way === 'ignore') && ways[1] === 'pipe';
}

/** Awaits the twin in the call's place; its name and import are another matter. Undefined where it cannot be awaited there. */
export function twinCallEdits(
  { view }: LoopModule,
  { call, twin, dropped, isUsed }: TwinCall,
): WrappingEdit[] | undefined {
  if (awaitTarget(call) !== call) return undefined;
  const without =
    dropped?.parent.type === 'ObjectExpression'
      ? removeItems(view, dropped.parent.properties, new Set([dropped]))
      : [];
  if (twin.form === 'output' && isUsed) return [...wrapEdits(call, `(await `, ').stdout'), ...without];
  const after = twin.form === 'probe' ? '.then(() => true, () => false)' : '';
  return [...awaitEdits(view, call, '', after), ...without];
}
