import type { ModuleIndex } from './module-index.ts';
import { calleeOf, lastName, type CallNode, type FunctionNode } from './nodes.ts';

/**
 * The calls of a module that enter a function, each function looked up once.
 *
 * @param functionOf the function that a call enters
 */
export function callersIn(
  index: ModuleIndex,
  functionOf: (call: CallNode) => FunctionNode | undefined,
): (fn: FunctionNode) => readonly CallNode[] {
  const callers = new Map<FunctionNode, readonly CallNode[]>();
  return (fn) => {
    const known = callers.get(fn);
    if (known) return known;
    callers.set(fn, []);
    const found = namesOf(index, fn).flatMap((name) =>
      index.callsNamed(name).filter((call) => functionOf(call) === fn),
    );
    const invoked = fn.parent.type === 'CallExpression' && calleeOf(fn.parent) === fn ? [fn.parent] : [];
    const all = [...new Set([...invoked, ...found])];
    callers.set(fn, all);
    return all;
  };
}

/** Whether nothing but the calls of its module can enter a function: its name is called and never handed on. */
export function isPrivate(index: ModuleIndex, fn: FunctionNode): boolean {
  const { parent } = fn;
  const holder =
    parent.type === 'MethodDefinition' && parent.kind === 'constructor'
      ? parent.parent.parent
      : parent.type === 'VariableDeclarator'
        ? parent
        : fn;
  const around = holder.type === 'VariableDeclarator' ? holder.parent : holder;
  const variable = holder.id?.type === 'Identifier' ? index.variableOf(holder.id) : undefined;
  if (!variable || around.parent.type.startsWith('Export')) return false;
  return variable.references.every(({ identifier, init }) => {
    const use = identifier.parent;
    return (
      init ?? ((use.type === 'CallExpression' || use.type === 'NewExpression') && use.callee === identifier)
    );
  });
}

/** The names under which a function may be called in its module. */
export function namesOf(index: ModuleIndex, fn: FunctionNode): string[] {
  const names = [fn.id?.name];
  const { parent } = fn;
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier') names.push(parent.id.name);
  if (parent.type === 'AssignmentExpression') names.push(lastName(parent.left));
  if (
    parent.type === 'Property' ||
    parent.type === 'MethodDefinition' ||
    parent.type === 'PropertyDefinition'
  ) {
    names.push(index.keyOf(parent));
    if (parent.type === 'MethodDefinition' && parent.kind === 'constructor')
      names.push(parent.parent.parent.id?.name);
  }
  return [...new Set(names.filter((name) => name !== undefined))];
}
