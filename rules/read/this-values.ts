import type { TSESTree } from '@typescript-eslint/utils';
import type { CallValues } from './call-values.ts';
import type { Callees } from './callee.ts';
import type { Env } from './definitions.ts';
import type { ModuleIndex, ThisOwner } from './module-index.ts';
import { functionAround, isClass, isFunction, lastName } from './nodes.ts';
import { absent, carriedBy, either, unknown, type Value } from './value.ts';
import type { Change, Reading, Writes } from './writes.ts';

type Reader<Node extends TSESTree.Node> = (
  node: Node,
  path: readonly string[],
  env: Env | undefined,
) => Value;

/** What a member of an object or a class is, seen from `use`; of the class itself or of its instances. */
export type ThisValues = (
  owner: ThisOwner,
  path: readonly string[],
  use: TSESTree.Node,
  env: Env | undefined,
  ofClass: boolean,
) => Value;

export function thisValuesOf(
  index: ModuleIndex,
  callees: Callees,
  { read, said, guarded }: Reading,
  { memberChanges, changed, guardOf }: Writes,
  { returned }: Pick<CallValues, 'returned'>,
  ofObject: Reader<TSESTree.ObjectExpression>,
  ofParameter: Reader<TSESTree.Node>,
): ThisValues {
  const ofThisMembers: ThisValues = (owner, path, use, env, ofClass) =>
    guarded(owner, path, () => {
      const [key, ...rest] = path;
      const root = ofClass && isClass(owner) && owner.id ? index.variableOf(owner.id) : owner;
      let state = initialMember(owner, key, rest, env, ofClass);
      if (state === unknown && isClass(owner) && owner.superClass) {
        const base = callees.meaningOf(owner.superClass);
        if (base?.is === 'class') state = ofThisMembers(base.node, path, use, env, ofClass);
      }
      let told = state !== unknown;
      for (const change of memberChanges(root ? index.memberWrites(root) : [], path, env)) {
        // Without an initial value the first method that writes is what is known.
        state = told ? changed(state, change, use, env) : guardedFirst(change, use);
        told ||= state !== unknown;
      }
      return carriedBy(state, 'other');
    });

  function guardedFirst(change: Change, use: TSESTree.Node): Value {
    const guard = guardOf(change.node, use, undefined);
    if (!guard) return unknown;
    const written = change.value(unknown);
    if (!guard.test || functionAround(change.node) !== functionAround(use)) {
      return guard.test && guard.test.is !== 'unknown'
        ? either(guard.test, written, absent, guard.source)
        : written;
    }
    return either(guard.test, written, unknown, guard.source);
  }

  function initialMember(
    owner: ThisOwner,
    key: string | undefined,
    rest: readonly string[],
    env: Env | undefined,
    ofClass: boolean,
  ): Value {
    if (owner.type === 'ObjectExpression') return ofObject(owner, [key ?? '', ...rest], env);
    if (!isClass(owner)) return unknown;
    for (const element of owner.body.body) {
      if (element.type === 'MethodDefinition' && element.kind === 'constructor' && !ofClass) {
        const param = element.value.params.find(
          (each) => each.type === 'TSParameterProperty' && lastName(defaulted(each.parameter)) === key,
        );
        if (param?.type !== 'TSParameterProperty') continue;
        return ofParameter(defaulted(param.parameter), rest, env);
      }
      if (!('static' in element) || element.static !== ofClass || index.keyOf(element) !== key) continue;
      if (element.type === 'PropertyDefinition') {
        if (!element.value) return unknown;
        return rest.length > 0 ? read(element.value, rest, env) : said(element, element.value, env);
      }
      if (element.type === 'MethodDefinition' && element.kind === 'get' && isFunction(element.value)) {
        return returned(element.value, rest, undefined);
      }
    }
    return unknown;
  }

  const defaulted = (node: TSESTree.Node) => (node.type === 'AssignmentPattern' ? node.left : node);

  return ofThisMembers;
}
