import type { TSESTree } from '@typescript-eslint/utils';
import { heldChild, isListed } from '../read/adopted.ts';
import type { ModuleView } from '../read/module-view.ts';
import { isFunction } from '../read/nodes.ts';
import type { Edit } from './edit.ts';
import { insertAfter } from './insertion.ts';
import { eolNear, indentOf, isBlank, lineStart } from './lines.ts';

/** Where a child that another library starts can be handed to the runtime. */
export interface Adoption {
  call: TSESTree.CallExpression;
  /** What takes the child already. */
  held: ReturnType<typeof heldChild>;
  /** The statement, or the body of an arrow function, in front of which it gets a name of its own. */
  place: TSESTree.Node;
}

/**
 * Where the child that a call starts can be handed over: below the statement that gives it to a variable or a member, else
 * between the call and what is done with it. Undefined where something else must come before the call, or may keep it from
 * being made.
 *
 * @param adopted the calls whose children are handed over too
 */
export function adoptionOf(
  { text }: ModuleView,
  call: TSESTree.CallExpression,
  adopted: ReadonlySet<TSESTree.Node>,
): Adoption | undefined {
  const held = heldChild(call);
  const place = held ? held.statement : placeBefore(text, call, adopted);
  return place && { call, held, place };
}

/**
 * Hands children over.
 *
 * @param adoptions all of one place
 * @param own what `ownProcessGroups` goes by
 * @param taken the names that children were given by other such edits of the module, with where they are seen
 */
export function adoptionEdit(
  view: ModuleView,
  adoptions: readonly [Adoption, ...Adoption[]],
  own: string,
  taken: TSESTree.Node[],
): Edit {
  const { text } = view;
  const [{ held, place }] = adoptions;
  // What shares its line with others is kept on it.
  const isInline = !isBlank(text, lineStart(text, place.range[0]), place.range[0]);
  const semi = hasSemicolon(text, place) || isInline ? ';' : '';
  if (held) return insertAfter(view, held.statement, [`${own}(${text.slice(...held.holder.range)})${semi}`]);
  const [start, end] = place.range;
  const isBody = isFunction(place.parent);
  const isAlone = !isBody && isListed(place);
  const lines: string[] = [];
  let [rest, at] = [isBody ? 'return ' : '', start];
  for (const { call } of adoptions) {
    const child = freeName(view, place, taken);
    lines.push(`const ${child} = ${text.slice(...call.range)}${semi}`, `${own}(${child})${semi}`);
    rest += text.slice(at, call.range[0]) + child;
    at = call.range[1];
  }
  const [indent, eol] = [indentOf(text, start), eolNear(text, start)];
  // A statement that was nothing but the call is gone.
  const isGone = place.type === 'ExpressionStatement' && place.expression === adoptions[0].call;
  if (isAlone) {
    const text = [...lines, ...(isGone ? [] : [rest])].join(isInline ? ' ' : eol + indent);
    return { start, end: isGone ? end : at, text };
  }
  const inner = eol + indent + (indent.startsWith('\t') ? '\t' : '  ');
  if (!isGone) lines.push(rest + text.slice(at, end) + (isBody ? semi : ''));
  return { start, end, text: `{${inner}${lines.join(inner)}${eol}${indent}}` };
}

function hasSemicolon(text: string, place: TSESTree.Node): boolean {
  let at = place;
  while (at.parent && !/(?:Statement|Declaration|PropertyDefinition)$/.test(at.type)) at = at.parent;
  return text.charAt(at.range[1] - 1) === ';';
}

/** A name that nothing around the statement goes by. */
function freeName({ text, ast }: ModuleView, place: TSESTree.Node, taken: TSESTree.Node[]): string {
  let around: TSESTree.Node = place;
  while (around.parent && !isFunction(around)) around = around.parent;
  const before = taken.filter((each) => each === around).length;
  taken.push(around);
  const seen = around === ast ? text : text.slice(...around.range);
  const isFree = (name: string): boolean => !new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(seen);
  for (let n = before + 1; ; n++) {
    const name = n === 1 ? 'child' : `child${n}`;
    if (isFree(name)) return name;
  }
}

/** The statement that a call is the first thing of; what stands before it has no effects. */
function placeBefore(
  text: string,
  call: TSESTree.CallExpression,
  adopted: ReadonlySet<TSESTree.Node>,
): TSESTree.Node | undefined {
  let at: TSESTree.Node = call;
  while (at.parent) {
    const parent: TSESTree.Node = at.parent;
    if (/^(?:Expression|Return|Throw)Statement$/.test(at.type)) return isPlaceable(at) ? at : undefined;
    if (at.type === 'VariableDeclaration') {
      const whole = parent.type === 'ExportNamedDeclaration' ? parent : at;
      return isListed(whole) ? whole : undefined;
    }
    if (parent.type === 'ArrowFunctionExpression' && parent.body === at)
      return /=>\s*$/.test(text.slice(0, at.range[0])) ? at : undefined;
    if (!PASSES.test(parent.type) || !isFirst(parent, at, adopted)) return undefined;
    at = parent;
  }
  return undefined;
}

/** Of a list, or all that a branch or a loop has. */
const isPlaceable = (statement: TSESTree.Node): boolean =>
  isListed(statement) || /^(?:If|For|ForIn|ForOf|While|DoWhile)Statement$/.test(statement.parent?.type ?? '');

const PASSES =
  /^(?:(?:Array|Assignment|Await|Binary|Call|Chain|Member|New|Object|TSAs|TSNonNull|TSSatisfies|Unary|Yield)Expression|Property|SpreadElement|VariableDeclarat(?:ion|or)|(?:Expression|Return|Throw)Statement)$/;

/** Whether all that is evaluated before a part of an expression is a name, a value, or such a call. */
function isFirst(parent: TSESTree.Node, part: TSESTree.Node, adopted: ReadonlySet<TSESTree.Node>): boolean {
  const parts: readonly (TSESTree.Node | null)[] = ((): readonly (TSESTree.Node | null)[] => {
    switch (parent.type) {
      case 'CallExpression':
      case 'NewExpression':
        return [parent.callee, ...parent.arguments];
      case 'MemberExpression':
        return parent.object === part ? [] : [parent];
      case 'AssignmentExpression':
        return parent.operator === '=' ? [parent.left] : [parent];
      case 'BinaryExpression':
        return [parent.left];
      case 'ArrayExpression':
        return parent.elements;
      case 'ObjectExpression':
        return parent.properties.map((each) => ('value' in each ? each.value : each));
      case 'VariableDeclaration':
        return parent.declarations.map(({ init }) => init);
      default:
        return [];
    }
  })();
  const before = parts.filter((each) => each && each.range[1] <= part.range[0]);
  return before.every((each) => each && (adopted.has(each) || isPlain(each)));
}

function isPlain(node: TSESTree.Node): boolean {
  if (node.type === 'MemberExpression') return !node.computed && isPlain(node.object);
  return (
    /^(?:Identifier|PrivateIdentifier|Literal|ThisExpression|Super)$/.test(node.type) || isFunction(node)
  );
}
