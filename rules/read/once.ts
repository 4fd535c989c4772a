import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopModule } from './loop-module.ts';
import { bareExpression, functionAround, isClass, isInside, lastName } from './nodes.ts';
import { isStatic, thisOwner, type ModuleIndex, type Variable } from './module-index.ts';

/** What a test asks of a place: whether it holds something already. */
interface Question {
  place: TSESTree.Node;
  isSet: boolean;
  /** Whether a value that the place is given makes it hold nothing again. */
  empties: (value: TSESTree.Node) => boolean;
}

/**
 * Whether a node runs once in a process, for what it gives is kept: `cached ??= read()`, `if (!cached) cached = read()`,
 * `if (loaded) return; …; loaded = true`. The place must be the module's or a class's own, and nothing empties it.
 */
export function runsOnce({ index }: LoopModule, node: TSESTree.Node): boolean {
  const fn = functionAround(node);
  for (let at = node; at.parent && at !== fn; at = at.parent) {
    const { parent } = at;
    if (
      parent.type === 'AssignmentExpression' &&
      parent.right === at &&
      /^(\?\?|\|\|)=$/.test(parent.operator)
    )
      if (isKept(index, parent.left, isEmpty)) return true;
    if (parent.type === 'LogicalExpression' && parent.right === at && parent.operator !== '&&')
      if (setsIn(index, parent.right, { place: parent.left, empties: isEmpty })) return true;
    if (parent.type === 'IfStatement' && parent.test !== at) {
      const asked = questionOf(parent.test);
      if (asked?.isSet === (parent.alternate === at) && setsIn(index, at, asked)) return true;
    }
    if (parent.type === 'BlockStatement') {
      const before = parent.body.slice(0, parent.body.indexOf(at as TSESTree.Statement));
      if (before.some((statement) => returnsIfSet(index, statement, parent))) return true;
    }
  }
  return false;
}

/** `if (loaded) return;` */
function returnsIfSet(index: ModuleIndex, statement: TSESTree.Statement, block: TSESTree.Node): boolean {
  if (statement.type !== 'IfStatement' || statement.alternate) return false;
  const { consequent } = statement;
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  const asked = last?.type === 'ReturnStatement' ? questionOf(statement.test) : undefined;
  return asked?.isSet === true && setsIn(index, block, asked);
}

function questionOf(test: TSESTree.Node): Question | undefined {
  const bare = bareExpression(test);
  switch (bare.type) {
    case 'Identifier':
    case 'MemberExpression':
      return { place: withoutSize(bare), isSet: true, empties: isEmpty };
    case 'UnaryExpression': {
      const asked = bare.operator === '!' ? questionOf(bare.argument) : undefined;
      return asked && { ...asked, isSet: !asked.isSet };
    }
    case 'BinaryExpression':
      return isEmpty(bare.right) && /^[!=]==?$/.test(bare.operator)
        ? {
            place: withoutSize(bareExpression(bare.left)),
            isSet: bare.operator.startsWith('!'),
            // For `cached !== undefined` null is an answer: there is none.
            empties: bare.operator.length === 3 ? sameAs(bare.right) : isEmpty,
          }
        : undefined;
    default:
      return undefined;
  }
}

/** `list.length`, `map.size` */
const withoutSize = (node: TSESTree.Node): TSESTree.Node =>
  node.type === 'MemberExpression' && /^(length|size)$/.test(lastName(node) ?? '')
    ? bareExpression(node.object)
    : node;

const isEmpty = (node: TSESTree.Node): boolean =>
  (node.type === 'Literal' && (node.value === null || node.value === 0 || node.value === false)) ||
  (node.type === 'Identifier' && node.name === 'undefined');

/** Tells whether a value is the same null, 0, false or undefined. */
const sameAs =
  (empty: TSESTree.Node) =>
  (value: TSESTree.Node): boolean =>
    isEmpty(value) && textOf(value) === textOf(empty);

const textOf = (node: TSESTree.Node): string => (node.type === 'Literal' ? node.raw : 'undefined');

/** Whether a stretch of code sets a place that keeps what it is given. */
function setsIn(
  index: ModuleIndex,
  around: TSESTree.Node,
  { place, empties }: Omit<Question, 'isSet'>,
): boolean {
  const writes = isKept(index, place, empties) ? writesOf(index, place) : [];
  return writes.some((write) => isInside(write, around));
}

/** Whether a place is there once in a process, and nothing empties it. */
function isKept(index: ModuleIndex, place: TSESTree.Node, empties: Question['empties']): boolean {
  const isOne =
    place.type === 'Identifier'
      ? isOfModule(index.variableOf(place))
      : place.type === 'MemberExpression' && isOfClass(index, bareExpression(place.object));
  return isOne && !writesOf(index, place).some(empties);
}

const isOfModule = (variable: Variable | undefined): boolean =>
  variable !== undefined &&
  (/^(module|global)$/.test(variable.scope.type) || variable.scope.block.type === 'Program');

/** `this.x` of a static method, `Registry.x`. */
function isOfClass(index: ModuleIndex, object: TSESTree.Node): boolean {
  if (object.type === 'ThisExpression') return isClass(thisOwner(object)) && isStatic(object);
  const def = object.type === 'Identifier' ? index.variableOf(object)?.defs[0] : undefined;
  return def?.type === 'ClassName';
}

/** What is assigned to a place, its declaration left out. */
function writesOf(index: ModuleIndex, place: TSESTree.Node): readonly TSESTree.Node[] {
  if (place.type === 'Identifier')
    return (index.variableOf(place)?.references ?? []).flatMap(({ writeExpr, init }) =>
      writeExpr && !init ? [writeExpr] : [],
    );
  const root = index.rootOf(place);
  return root ? index.assignedTo(root.root, root.path) : [];
}
