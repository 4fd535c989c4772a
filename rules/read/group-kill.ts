import type { TSESTree } from '@typescript-eslint/utils';
import { childrenOf } from './children-of.ts';
import { constantValue, indexOf, type ModuleIndex, type Root, type Variable } from './module-index.ts';
import type { ModuleView } from './module-view.ts';
import { negated } from './negated.ts';
import {
  bareExpression,
  functionAround,
  isClass,
  isFunction,
  isInside,
  lastName,
  type CallNode,
} from './nodes.ts';
import type { SpawnSite } from './site.ts';

/** What a call of `process.kill` may reach besides what it is meant for. */
export type Danger =
  /** Pid 0: the caller's own group. */
  | 'ownGroup'
  /** Pid -1: every process that the user may signal. */
  | 'everybody'
  /** A number made of a text: 0 where that is empty. */
  | 'unchecked'
  /** The negated pid of a child that leads no group. */
  | 'noGroup'
  /** `-undefined` is no number. */
  | 'noPid';

export interface UnsafeKill {
  danger: Danger;
  /** The argument, or the part of it that is to blame. */
  node: TSESTree.Node;
}

/** Signal 0 only asks; the signals of job control are what a whole group is suspended and resumed by. */
const HARMLESS = new Set<unknown>([0, 'SIGTSTP', 'SIGSTOP', 'SIGCONT', 'SIGWINCH']);

/**
 * The calls of `process.kill` that can reach the wrong processes.
 *
 * @param sites the process starts of the module, for the children that lead no group
 */
export function findUnsafeKills(view: ModuleView, sites: readonly SpawnSite[]): UnsafeKill[] {
  const index = indexOf(view);
  return index.callsNamed('kill').flatMap((call) => {
    const [pid, signal] = call.type === 'CallExpression' ? call.arguments : [];
    if (!pid || !isProcessKill(index, call) || (signal?.type === 'Literal' && HARMLESS.has(signal.value)))
      return [];
    const found = dangerOf(index, pid, false, sites);
    return found && !isChecked(index, call, found) ? [found] : [];
  });
}

/** `process.kill`, of the global or of an import of it, and `kill` imported from there. */
function isProcessKill(index: ModuleIndex, call: CallNode): boolean {
  if (call.type !== 'CallExpression') return false;
  const callee = bareExpression(call.callee);
  if (callee.type === 'Identifier') return isFromProcess(index.variableOf(callee), 'kill');
  if (callee.type !== 'MemberExpression') return false;
  const object = bareExpression(callee.object);
  if (object.type === 'MemberExpression') {
    return lastName(object) === 'process' && /^global(?:This)?$/.test(lastName(object.object) ?? '');
  }
  if (object.type !== 'Identifier') return false;
  const variable = index.variableOf(object);
  return variable ? isFromProcess(variable, undefined) : object.name === 'process';
}

/** Whether a variable is imported from `node:process`: the module itself, or one member of it. */
function isFromProcess(variable: Variable | undefined, member: string | undefined): boolean {
  const [definition] = variable?.defs ?? [];
  if (definition?.type !== 'ImportBinding' || definition.parent.type !== 'ImportDeclaration') return false;
  const { node, parent } = definition;
  if (!/^(?:node:)?process$/.test(parent.source.value)) return false;
  if (node.type !== 'ImportSpecifier') return member === undefined;
  return (
    (node.imported.type === 'Identifier' ? node.imported.name : node.imported.value) === (member ?? 'default')
  );
}

/** What a pid, or the operand of a minus, may be. */
function dangerOf(
  index: ModuleIndex,
  expression: TSESTree.Node,
  isNegated: boolean,
  sites: readonly SpawnSite[],
): UnsafeKill | undefined {
  const node = bareExpression(expression);
  const recur = (part: TSESTree.Node): UnsafeKill | undefined => dangerOf(index, part, isNegated, sites);
  const group = isNegated ? undefined : negated(node);
  if (group) return dangerOf(index, group, true, sites);
  switch (node.type) {
    case 'UnaryExpression':
      return isNegated && node.operator === '+' ? { danger: 'unchecked', node } : undefined;
    case 'Literal':
      if (node.value === 0) return { danger: 'ownGroup', node };
      return isNegated && node.value === 1 ? { danger: 'everybody', node } : undefined;
    case 'LogicalExpression': {
      const found = recur(node.right);
      if (found?.node.type === 'Literal') return { ...found, node };
      return found ?? (node.operator === '&&' ? undefined : recur(node.left));
    }
    case 'ConditionalExpression':
      return recur(node.consequent) ?? recur(node.alternate);
    case 'CallExpression':
      return isNegated && isNumberOfText(node) ? { danger: 'unchecked', node } : undefined;
    case 'Identifier': {
      if (node.name === 'undefined') return { danger: 'noPid', node };
      const value = constantValue(index, node);
      const found = value && recur(value);
      return found && { ...found, node: found.danger === 'noGroup' ? found.node : node };
    }
    case 'MemberExpression':
      return isNegated && lastName(node) === 'pid' && leadsNoGroup(index, node.object, sites)
        ? { danger: 'noGroup', node: node.object }
        : undefined;
    default:
      return undefined;
  }
}

/** `Number(text)`, `parseInt(text, 10)`; of a pid these make nothing worse. */
function isNumberOfText({ callee, arguments: [text] }: TSESTree.CallExpression): boolean {
  return (
    /^(?:Number|parseInt|parseFloat)$/.test(lastName(callee) ?? '') && !!text && lastName(text) !== 'pid'
  );
}

/** Whether all that a variable or a member ever holds are children that are known to stay in our group. */
function leadsNoGroup(index: ModuleIndex, child: TSESTree.Node, sites: readonly SpawnSite[]): boolean {
  const values = valuesOf(index, child).filter(
    (value) => !(value.type === 'Literal' && value.value === null) && lastName(value) !== 'undefined',
  );
  const stays = ({ api, verdict, form, by }: SpawnSite): boolean =>
    by === 'api' &&
    !api.startsWith('owned-spawn') &&
    (verdict.is === 'no' || (form === 'ineffective' && verdict.is === 'yes'));
  return (
    values.length > 0 &&
    values.every((value) => sites.some((site) => site.call === bareExpression(value) && stays(site)))
  );
}

function valuesOf(index: ModuleIndex, child: TSESTree.Node): TSESTree.Node[] {
  const node = bareExpression(child);
  if (node.type === 'Identifier') {
    const variable = index.variableOf(node);
    // A parameter, an import or a pattern holds what others put in.
    const isPlain = variable?.defs.every(
      (definition) => definition.type === 'Variable' && definition.node.id.type === 'Identifier',
    );
    if (!variable || !isPlain) return [];
    return variable.references.flatMap(({ writeExpr }) => writeExpr ?? []);
  }
  const place = index.rootOf(node);
  if (!place) return [];
  const writes = index
    .memberWrites(place.root)
    .filter(({ path }) => path.join('.') === place.path.join('.'))
    .flatMap(({ node: write }) => (write.type === 'AssignmentExpression' ? write.right : []));
  return [...writes, ...fieldsOf(place.root, place.path)];
}

/** `class C { child = spawn(…) }` for `this.child`. */
function fieldsOf(root: Root, [name, ...more]: readonly string[]): TSESTree.Node[] {
  if (!('type' in root) || !isClass(root) || more.length > 0) return [];
  return root.body.body.flatMap((member) =>
    member.type === 'PropertyDefinition' && lastName(member.key) === name ? (member.value ?? []) : [],
  );
}

/** Whether the value is looked at before: `if (!pid) return;`, `pid > 1 && …`, in the same function. */
function isChecked({ view }: ModuleIndex, call: CallNode, { danger, node }: UnsafeKill): boolean {
  const value = node.type === 'LogicalExpression' ? node.left : node;
  if (danger === 'noGroup' || !/^(?:Identifier|MemberExpression)$/.test(value.type)) return false;
  const name = view.text.slice(...value.range);
  const mention = new RegExp(`(?<![\\w$.])${name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![\\w$])`);
  return testsBefore(functionAround(call) ?? view.ast, call).some((test) =>
    mention.test(view.text.slice(...test.range)),
  );
}

/** The conditions of a function that are evaluated before a call, inner functions left out. */
function testsBefore(around: TSESTree.Node, call: CallNode): TSESTree.Node[] {
  return childrenOf(around).flatMap((child): TSESTree.Node[] => {
    if (child.range[0] >= call.range[0] || (isFunction(child) && !isInside(call, child))) return [];
    const own =
      child.type === 'LogicalExpression'
        ? child.left
        : 'test' in child
          ? (child.test as TSESTree.Node | null)
          : null;
    return [...(own ? [own] : []), ...testsBefore(child, call)];
  });
}
