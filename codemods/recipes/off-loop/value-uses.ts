import {
  functionAround,
  isClass,
  lastName,
  walk,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isExportedAs, usesElsewhere } from './exported-values.ts';
import type { Ground } from './requirements.ts';

/** Where a value is used, and the types that are written on what holds it. */
export interface ValueUses {
  uses: readonly TSESTree.Node[];
  types: readonly TSESTree.Node[];
  /** Where it cannot be followed any more. */
  lost?: { reason: 'sqlite-exported' | 'sqlite-escapes'; node: TSESTree.Node };
}

/** The expression with the wrappers around it that change nothing: `(x as T)!`. */
export function outermost(value: TSESTree.Node): TSESTree.Node {
  let node = value;
  while (
    node.parent &&
    /^(TSAsExpression|TSNonNullExpression|TSSatisfiesExpression|ChainExpression)$/.test(node.parent.type)
  )
    node = node.parent;
  return node;
}

/** Where a value is used: in its own place, or wherever the variable, the field or the member that holds it is named. */
export function usesOfValue(ground: Ground, module: LoopModule, value: TSESTree.Node): ValueUses {
  const node = outermost(value);
  const casts = castsOf(value);
  const { parent } = node;
  const found = ((): ValueUses => {
    switch (parent?.type) {
      case 'VariableDeclarator':
        if (parent.init === node && parent.id.type === 'Identifier')
          return ofVariable(ground, module, parent.id);
        break;
      case 'AssignmentExpression':
        if (parent.right !== node || parent.parent.type !== 'ExpressionStatement') break;
        if (parent.left.type === 'Identifier') return ofVariable(ground, module, parent.left);
        if (parent.left.type === 'MemberExpression')
          return ofField(ground, module, parent.left, lastName(parent.left));
        break;
      case 'PropertyDefinition':
        if (parent.value === node) return ofField(ground, module, parent, lastName(parent.key));
        break;
      case 'Property':
        if (parent.value === node && parent.parent.type === 'ObjectExpression')
          return ofMember(ground, module, parent, parent.parent);
        break;
      case 'ReturnStatement':
        return ofResult(ground, module, functionAround(parent), node);
      case 'ArrowFunctionExpression':
        if (parent.body === node) return ofResult(ground, module, parent, node);
        break;
      default:
    }
    return { uses: [node], types: [] };
  })();
  return { ...found, types: [...casts, ...found.types] };
}

function castsOf(value: TSESTree.Node): TSESTree.Node[] {
  const types: TSESTree.Node[] = [];
  for (let { parent } = value; parent && /^TS\w+Expression$/.test(parent.type); { parent } = parent)
    if (parent.type === 'TSAsExpression' || parent.type === 'TSSatisfiesExpression')
      types.push(parent.typeAnnotation);
  return types;
}

const lostAt = (
  node: TSESTree.Node,
  reason: 'sqlite-exported' | 'sqlite-escapes' = 'sqlite-escapes',
): ValueUses => ({
  uses: [],
  types: [],
  lost: { reason, node },
});

function ofVariable(ground: Ground, module: LoopModule, id: TSESTree.Identifier): ValueUses {
  const variable = module.index.variableOf(id);
  const [def, ...more] = variable?.defs ?? [];
  if (!variable || def?.type !== 'Variable' || more.length > 0) return lostAt(id);
  const writes = variable.references.filter((each) => each.isWrite() && !isNothing(each.writeExpr));
  if (writes.length !== 1) return lostAt(id);
  const uses = usesOfName(ground, module, variable, def.parent);
  if (!uses) return lostAt(id, 'sqlite-exported');
  const type = def.name.typeAnnotation?.typeAnnotation;
  return { uses, types: type ? [type] : [] };
}

/** Where a variable or a function is named, in its own module and in others; undefined where they cannot all be told. */
function usesOfName(
  ground: Ground,
  module: LoopModule,
  { references, identifiers: [declared] }: Variable,
  { parent }: TSESTree.Node,
): TSESTree.Node[] | undefined {
  const names = references.flatMap((each) => (each.isWrite() ? [] : [each.identifier]));
  const own = names.filter((name) => !isExportedAs(module, name));
  const isExported = own.length < names.length || parent?.type.startsWith('Export');
  const others = isExported && declared ? usesElsewhere(ground, module, declared) : [];
  return others && [...own, ...others];
}

/** `function open() { return db; }`: what its calls give. */
function ofResult(
  ground: Ground,
  module: LoopModule,
  fn: FunctionNode | undefined,
  value: TSESTree.Node,
): ValueUses {
  const declaration = fn?.type === 'FunctionDeclaration' ? fn : fn?.parent;
  const id =
    declaration?.type === 'FunctionDeclaration' || declaration?.type === 'VariableDeclarator'
      ? declaration.id
      : undefined;
  const variable = id?.type === 'Identifier' ? module.index.variableOf(id) : undefined;
  if (!fn || !declaration || !variable || fn.async || fn.generator || variable.defs.length > 1)
    return lostAt(value);
  const statement = declaration.type === 'VariableDeclarator' ? declaration.parent : declaration;
  if (statement.type === 'VariableDeclaration' && statement.kind !== 'const') return lostAt(value);
  const names = usesOfName(ground, module, variable, statement);
  if (!names) return lostAt(value, 'sqlite-exported');
  const uses: TSESTree.Node[] = [];
  for (const name of names) {
    const callee = outermost(name);
    if (callee.parent?.type !== 'CallExpression' || callee.parent.callee !== callee) return lostAt(name);
    uses.push(callee.parent);
  }
  return { uses, types: fn.returnType ? [fn.returnType.typeAnnotation] : [] };
}

type Variable = NonNullable<ReturnType<LoopModule['index']['variableOf']>>;

/** `let db = null`: not there yet, or no more. */
const isNothing = (node: TSESTree.Node | null | undefined): boolean =>
  !node ||
  (node.type === 'Literal' && node.value === null) ||
  (node.type === 'Identifier' && node.name === 'undefined');

function ofField(
  ground: Ground,
  { index, view }: LoopModule,
  place: TSESTree.MemberExpression | TSESTree.PropertyDefinition,
  name: string | undefined,
): ValueUses {
  const owner = place.type === 'PropertyDefinition' ? place.parent.parent : index.rootOf(place)?.root;
  if (name === undefined || !owner || !('body' in owner) || !isClass(owner)) return lostAt(place);
  const fields = owner.body.body.filter((each) => 'key' in each && lastName(each.key) === name);
  const writes = index.memberWrites(owner).filter(({ path, node }) => {
    return path[0] === name && !(node.type === 'AssignmentExpression' && isNothing(node.right));
  });
  const initial = fields.filter((each) => each.type === 'PropertyDefinition' && !isNothing(each.value));
  if (writes.length + initial.length !== 1 || fields.some(({ type }) => type !== 'PropertyDefinition'))
    return lostAt(place);
  const isPrivate = fields.some((each) => 'key' in each && each.key.type === 'PrivateIdentifier');
  const uses: TSESTree.Node[] = [];
  let lost: TSESTree.Node | undefined;
  walk(view.ast, (node) => {
    if (node.type === 'Property' && node.parent.type === 'ObjectPattern' && lastName(node.key) === name) {
      const holder = node.parent.parent;
      if (holder.type === 'VariableDeclarator' && holder.init?.type === 'ThisExpression') lost = node;
    }
    if (node.type !== 'MemberExpression' || lastName(node) !== name) return;
    if ((node.property.type === 'PrivateIdentifier') !== isPrivate) return;
    if (node.parent.type === 'AssignmentExpression' && node.parent.left === node) return;
    if (node.object.type === 'ThisExpression' && index.rootOf(node)?.root === owner) uses.push(node);
    else lost ??= node;
  });
  if (lost) return lostAt(lost);
  const isSeenElsewhere =
    !isPrivate &&
    ground.references.usesOf(name).some(({ file, stands, isUntyped }) => {
      return file !== view.filename && (isUntyped || stands.some((each) => each.file === view.filename));
    });
  if (isSeenElsewhere) return lostAt(place, 'sqlite-exported');
  uses.sort((a, b) => a.range[0] - b.range[0]);
  const types = fields.flatMap((each) =>
    each.type === 'PropertyDefinition' && each.typeAnnotation ? [each.typeAnnotation.typeAnnotation] : [],
  );
  return { uses, types };
}

/** `const statements = { byId: db.prepare('…') }` */
function ofMember(
  ground: Ground,
  module: LoopModule,
  property: TSESTree.Property,
  object: TSESTree.ObjectExpression,
): ValueUses {
  const key = module.index.keyOf(property);
  const whole = usesOfValue(ground, module, object);
  if (whole.lost) return whole;
  const [type] = whole.types;
  if (key === undefined || type) return lostAt(type ?? property);
  const uses: TSESTree.Node[] = [];
  for (const use of whole.uses) {
    const { parent } = outermost(use);
    if (parent?.type !== 'MemberExpression' || parent.object !== outermost(use)) return lostAt(use);
    const named = module.index.keyOf(parent);
    if (named === undefined) return lostAt(use);
    if (named === key) uses.push(parent);
  }
  return { uses, types: [] };
}
