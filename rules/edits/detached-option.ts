import type { TSESTree } from '@typescript-eslint/utils';
import { indexOf, type Variable } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import { bareExpression, isInside } from '../read/nodes.ts';
import type { SpawnSite } from '../read/site.ts';
import type { Edit } from './edit.ts';
import { isPure } from './is-pure.ts';
import { keptComments } from './kept-comments.ts';
import type { NoteCode, ReasonCode } from './reasons.ts';
import { removeItems, removeStatement } from './removal.ts';
import { commentsIn } from './trivia.ts';

type Removal =
  /** `removed`: the nodes that go, whole. */
  { edits: Edit[]; notes: NoteCode[]; removed: TSESTree.Node[] } | { reason: ReasonCode };

/**
 * Removes what makes a site's child detached: the property, the assignment, with its comma or line.
 *
 * @param movable calls that lose the option as well: an object that only they use may be edited.
 */
export function removeDetached(
  view: ModuleView,
  site: SpawnSite,
  movable: ReadonlySet<TSESTree.Node>,
): Removal {
  const { cause } = site;
  if (!cause && site.verdict.is === 'no') return { edits: [], notes: [], removed: [] };
  if (cause?.type === 'Property' && cause.parent.type === 'ObjectExpression')
    return removeProperty(view, site, cause, cause.parent, movable);
  if (cause?.type === 'AssignmentExpression') return removeAssignment(view, cause, movable);
  return { reason: 'options-elsewhere' };
}

/** The deciding property where it stands in the call's own object literal. */
export function inlineOption(site: SpawnSite): TSESTree.Property | undefined {
  const { cause, options } = site;
  return cause?.type === 'Property' && options && cause.parent === bareExpression(options)
    ? cause
    : undefined;
}

function removeProperty(
  view: ModuleView,
  { call, options }: SpawnSite,
  property: TSESTree.Property,
  object: TSESTree.ObjectExpression,
  movable: ReadonlySet<TSESTree.Node>,
): Removal {
  const notes = keptComments(view, property);
  if (!isInside(object, call)) {
    const variable = declaredBy(view, object);
    if (!variable) return { reason: 'options-elsewhere' };
    if (!isOnlyFor(variable, movable, property)) return { reason: 'options-shared' };
    return { edits: removeItems(view, object.properties, new Set([property])), notes, removed: [property] };
  }
  const args = 'arguments' in call ? call.arguments : [];
  const [open, close] = object.range;
  const isEmptied = object.properties.length === 1 && commentsIn(view, open, close).length === 0;
  if (isEmptied && object === options && args.length > 1 && args.at(-1) === object)
    return { edits: removeItems(view, args, new Set([object])), notes, removed: [object] };
  return { edits: removeItems(view, object.properties, new Set([property])), notes, removed: [property] };
}

/** The variable that an object literal initialises. */
function declaredBy(view: ModuleView, object: TSESTree.ObjectExpression): Variable | undefined {
  let node: TSESTree.Node = object;
  while (node.parent && node.parent.type !== 'VariableDeclarator' && bareExpression(node.parent) === object)
    node = node.parent;
  const { parent } = node;
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined;
  if (parent.parent.parent.type === 'ExportNamedDeclaration') return undefined;
  return indexOf(view).variableOf(parent.id);
}

/** Whether an object goes nowhere but into calls that lose the option, and nothing else reads the option. */
function isOnlyFor(variable: Variable, movable: ReadonlySet<TSESTree.Node>, cause: TSESTree.Node): boolean {
  return variable.references.every(({ identifier, init }) => {
    if (init === true || isInside(identifier, cause)) return true;
    let node: TSESTree.Node = identifier;
    while (node.parent && bareExpression(node.parent) === identifier) node = node.parent;
    const { parent } = node;
    if (parent?.type === 'MemberExpression' && parent.object === node)
      return (
        !parent.computed &&
        parent.property.type === 'Identifier' &&
        parent.property.name !== 'detached' &&
        !isCalled(parent)
      );
    if (parent?.type === 'SpreadElement' && parent.parent.type === 'ObjectExpression')
      return isArgument(parent.parent, movable);
    return isArgument(node, movable);
  });
}

const isCalled = ({ parent }: TSESTree.MemberExpression): boolean => parent.type === 'CallExpression';

function isArgument(node: TSESTree.Node, calls: ReadonlySet<TSESTree.Node>): boolean {
  const { parent } = node;
  return (
    parent?.type === 'CallExpression' &&
    calls.has(parent) &&
    (parent.arguments as TSESTree.Node[]).includes(node)
  );
}

function removeAssignment(
  view: ModuleView,
  cause: TSESTree.AssignmentExpression,
  movable: ReadonlySet<TSESTree.Node>,
): Removal {
  const index = indexOf(view);
  const target = cause.left.type === 'MemberExpression' ? bareExpression(cause.left.object) : undefined;
  const variable = target?.type === 'Identifier' ? index.variableOf(target) : undefined;
  const statement = cause.parent;
  if (!variable || statement.type !== 'ExpressionStatement') return { reason: 'options-elsewhere' };
  if (variable.defs[0]?.type !== 'Variable') return { reason: 'options-elsewhere' };
  if (!isLocal(variable) || !isOnlyFor(variable, movable, cause)) return { reason: 'options-shared' };
  const whole = guarded(statement);
  if (!whole) return { reason: 'conditional' };
  return { edits: removeStatement(view, whole), notes: keptComments(view, whole), removed: [whole] };
}

/** Whether a variable holds an object of its own, not one that others may hold too. */
function isLocal(variable: Variable): boolean {
  const [def] = variable.defs;
  if (def?.type !== 'Variable' || def.parent.parent.type === 'ExportNamedDeclaration') return false;
  return def.node.init !== null && bareExpression(def.node.init).type === 'ObjectExpression';
}

/** The statement to remove: an `if` that guards nothing else goes with it; undefined where it would leave a hole. */
function guarded(statement: TSESTree.ExpressionStatement): TSESTree.Statement | undefined {
  const { parent } = statement;
  const block = parent.type === 'BlockStatement' && parent.body.length === 1 ? parent : undefined;
  const guard = (block ?? statement).parent;
  if (guard.type === 'IfStatement' && guard.consequent === (block ?? statement)) {
    if (guard.alternate || !isPure(guard.test) || guard.parent.type === 'IfStatement')
      return block && statement;
    return guard;
  }
  return 'body' in parent && Array.isArray(parent.body) ? statement : undefined;
}
