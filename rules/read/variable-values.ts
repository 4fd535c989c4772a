import type { TSESTree } from '@typescript-eslint/utils';
import type { Env } from './definitions.ts';
import { valueOfMember } from './member-values.ts';
import type { Variable } from './module-index.ts';
import { valueOfEach, valueOfParameter } from './parameter-values.ts';
import { bindingOf } from './pattern.ts';
import { absent, carriedBy, otherwise, unknown, yes, type Value } from './value.ts';
import type { ValueReader } from './value-reader.ts';
import { afterWrites } from './writes.ts';

/** What a variable, or the member of it that the path names, holds where it is used. */
export function valueOfVariable(
  reader: ValueReader,
  variable: Variable,
  path: readonly string[],
  use: TSESTree.Node,
  env: Env | undefined,
): Value {
  const [def] = variable.defs;
  switch (def?.type) {
    case 'Parameter': {
      const value = afterWrites(
        reader,
        variable,
        valueOfParameter(reader, def.name, path, env),
        path,
        use,
        env,
      );
      // Who sets the option of its caller anew decides with it.
      return value.given && reader.index.assignedTo(variable, path).length > 0
        ? { ...value, given: false }
        : value;
    }
    case 'Variable':
      return afterWrites(reader, variable, ofInitial(reader, def.name, def.node, path, env), path, use, env);
    case 'ImportBinding':
      return path.length === 0 ? unknown : afterWrites(reader, variable, unknown, path, use, env);
    case 'ClassName':
      return path.length === 0 ? yes : valueOfMember(reader, def.node, path, use, env, true);
    case 'FunctionName':
      return path.length === 0 ? yes : afterWrites(reader, variable, absent, path, use, env);
    default:
      return unknown;
  }
}

function ofInitial(
  reader: ValueReader,
  name: TSESTree.Node,
  declarator: TSESTree.VariableDeclarator,
  path: readonly string[],
  env: Env | undefined,
): Value {
  const { index, read } = reader;
  const binding = bindingOf(index, name);
  if (!binding) return unknown;
  if (path[0] !== undefined && binding.without?.includes(path[0])) return absent;
  const loop = declarator.parent.parent;
  if (loop.type === 'ForOfStatement' && loop.left === declarator.parent)
    return valueOfEach(reader, loop.right, [...binding.path, ...path], env) ?? unknown;
  if (!declarator.init) return loop.type.startsWith('For') ? unknown : absent;
  const value = carriedBy(read(declarator.init, [...binding.path, ...path], env), 'variable');
  return binding.fallback ? otherwise(value, read(binding.fallback, path, env)) : value;
}
