import type { TSESTree } from '@typescript-eslint/utils';
import { dirname, join } from 'node:path/posix';
import { bare, type ProcessApi } from '../apis/tables.ts';
import type { ApiTable } from './api-table.ts';
import { madeBy, meaningOfCall, resultOf } from './call-meanings.ts';
import { callersIn } from './callers.ts';
import { invocationOf, type Invocation } from './invocation.ts';
import { isForeign, ofGlobal, type Meaning, type MeaningReader } from './meaning.ts';
import { memberOfClass, memberOfInstance, memberOfObject } from './member-meanings.ts';
import { constantText, isStatic, thisOwner, type ModuleIndex, type Variable } from './module-index.ts';
import { bareExpression, isClass, type CallNode, type ClassNode, type FunctionNode } from './nodes.ts';
import { meaningOfType, memberOfType } from './type-meanings.ts';
import { meaningOfVariable } from './variable-meanings.ts';

/** Resolves what the expressions of one module stand for, by binding and module specifier, never by name alone. */
export interface Callees {
  meaningOf(node: TSESTree.Node): Meaning | undefined;
  /** The table's row that a call starts a process with. */
  rowOf(call: CallNode): { row: ProcessApi; invocation: Invocation } | undefined;
  /** The function of this module that a call enters. */
  functionOf(call: CallNode): FunctionNode | undefined;
  /** The calls of this module that enter a function. */
  callersOf(fn: FunctionNode): readonly CallNode[];
  /** What the module of a specifier stands for. */
  ofModule(specifier: string): Meaning | undefined;
  memberOf(meaning: Meaning | undefined, key: string): Meaning | undefined;
  /** What a call or a construction gives. */
  resultOf(meaning: Meaning | undefined): Meaning | undefined;
}

/** Aliases of aliases go a few steps in code that people write; bundles would overflow the stack. */
const maximumDepth = 100;

/** The resolver of one module. */
export function calleesOf(index: ModuleIndex, table: ApiTable): Callees {
  const { filename } = index.view;
  const meanings = new Map<TSESTree.Node, Meaning | undefined>();
  const ofVariables = new Map<Variable, Meaning | undefined>();
  const callersOf = callersIn(index, functionOf);
  const usesZx = /['"]zx\/globals['"]|^#!.*\bzx\b/.test(index.view.text);
  const reader: MeaningReader = {
    index,
    table,
    meaningOf,
    memberOf,
    ofModule,
    ofWhole,
    firstImport,
    foreignOf,
    isStart,
    functionOf,
    callersOf,
  };
  let depth = 0;

  function meaningOf(node: TSESTree.Node): Meaning | undefined {
    const bareNode = bareExpression(node);
    if (meanings.has(bareNode)) return meanings.get(bareNode);
    if (depth > maximumDepth) return undefined;
    // A cycle means nothing: `x = x || y` is told by y.
    meanings.set(bareNode, undefined);
    depth += 1;
    const meaning = readMeaning(bareNode);
    depth -= 1;
    meanings.set(bareNode, meaning);
    return meaning;
  }

  function readMeaning(node: TSESTree.Node): Meaning | undefined {
    switch (node.type) {
      case 'Identifier':
        return ofIdentifier(node);
      case 'MemberExpression':
        return ofMember(node);
      case 'CallExpression':
        return meaningOfCall(reader, node);
      case 'NewExpression': {
        const made = meaningOf(node.callee);
        if (made?.is === 'class') return { is: 'instance', node: made.node };
        return made?.is === 'function' ? { is: 'instance', node: index.view.ast } : madeBy(table, made);
      }
      case 'ThisExpression': {
        const owner = thisOwner(node);
        return isClass(owner) && isStatic(node)
          ? { is: 'class', node: owner }
          : { is: 'instance', node: owner };
      }
      case 'AwaitExpression':
        return meaningOf(node.argument);
      case 'ImportExpression':
        return ofModule(constantText(index, node.source));
      case 'AssignmentExpression':
        return meaningOf(node.right);
      case 'ConditionalExpression':
        return firstImport([node.consequent, node.alternate]);
      case 'LogicalExpression':
        return firstImport([node.left, node.right]);
      case 'ObjectExpression':
        return { is: 'object', node };
      case 'ClassDeclaration':
      case 'ClassExpression':
        return { is: 'class', node };
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return { is: 'function', node };
      default:
        return meaningOfType(reader, node as TSESTree.TypeNode);
    }
  }

  function firstImport(nodes: readonly TSESTree.Node[]): Meaning | undefined {
    const found = nodes.map(meaningOf).filter((meaning) => meaning !== undefined);
    return foreignOf(found) ?? found[0];
  }

  function foreignOf(meanings: readonly (Meaning | undefined)[]): Meaning | undefined {
    return meanings.find(isStart) ?? meanings.find(isForeign);
  }

  function isStart(meaning: Meaning | undefined): boolean {
    if (meaning?.is !== 'import' || /sync$/i.test(meaning.path)) return false;
    return rowNamed(meaning)?.effect === 'detaches';
  }

  function ofModule(specifier: string | undefined): Meaning | undefined {
    if (specifier === undefined) return undefined;
    return { is: 'import', module: moduleName(specifier, filename), path: '' };
  }

  function ofWhole(specifier: string | undefined): Meaning | undefined {
    const module = ofModule(specifier);
    return module?.is === 'import' ? linked(module) : module;
  }

  const linked = (meaning: Meaning & { is: 'import' }): Meaning =>
    table.linked?.(meaning.module, meaning.path) ?? meaning;

  function ofIdentifier(node: TSESTree.Identifier): Meaning | undefined {
    const variable = index.variableOf(node);
    if (!variable) return usesZx && node.name === '$' ? ofModule('zx/globals') : ofGlobal(node.name);
    if (ofVariables.has(variable)) return ofVariables.get(variable);
    ofVariables.set(variable, undefined);
    const meaning = meaningOfVariable(reader, variable);
    ofVariables.set(variable, meaning);
    return meaning;
  }

  function ofMember(node: TSESTree.MemberExpression): Meaning | undefined {
    const key = index.keyOf(node);
    if (key === undefined) return undefined;
    return memberOf(meaningOf(node.object), key) ?? ofMemberWrites(node);
  }

  /** `deps.spawn = spawn` before `deps.spawn(…)`. */
  function ofMemberWrites(node: TSESTree.MemberExpression): Meaning | undefined {
    const place = index.rootOf(node);
    if (!place) return undefined;
    for (const value of index.assignedTo(place.root, place.path)) {
      const meaning = meaningOf(value);
      if (meaning) return meaning;
    }
    return undefined;
  }

  function memberOf(meaning: Meaning | undefined, key: string): Meaning | undefined {
    if (depth > maximumDepth) return undefined;
    depth += 1;
    const member = readMember(meaning, key);
    depth -= 1;
    return member;
  }

  function readMember(meaning: Meaning | undefined, key: string): Meaning | undefined {
    switch (meaning?.is) {
      case 'import': {
        if (key === 'default') return linked(meaning);
        if (meaning.module === 'global' && meaning.path === '') return ofGlobal(key);
        if (meaning.module === 'global' && meaning.path === 'globalThis') return ofGlobal(key);
        return linked({ ...meaning, path: meaning.path === '' ? key : `${meaning.path}.${key}` });
      }
      case 'object':
        return memberOfObject(reader, meaning.node, key);
      case 'class':
        return memberOfClass(reader, meaning.node, key, true);
      case 'instance':
        return memberOfInstance(reader, meaning.node, key);
      case 'type':
        return memberOfType(reader, meaning.members, key);
      default:
        return undefined;
    }
  }

  function rowOf(call: CallNode): { row: ProcessApi; invocation: Invocation } | undefined {
    const invocation = invocationOf(call, constantList);
    const meaning = meaningOf(invocation.target);
    if (meaning?.is !== 'import') return undefined;
    const row = rowNamed(meaning);
    if (!row || (row.kind === 'construct') !== (call.type === 'NewExpression')) return undefined;
    const args = meaning.bound ? [...meaning.bound, ...invocation.args] : invocation.args;
    return { row, invocation: { ...invocation, args } };
  }

  /** The list that a name holds for good: set once, and nothing is asked of it but to be spread. */
  function constantList(node: TSESTree.Node): TSESTree.Node {
    const variable = node.type === 'Identifier' ? index.variableOf(node) : undefined;
    const def = variable?.defs[0];
    if (!variable || def?.type !== 'Variable' || def.node.id.type !== 'Identifier' || !def.node.init)
      return node;
    const isChanged = variable.references.some(
      ({ identifier, init, writeExpr }) =>
        (writeExpr && !init) || identifier.parent.type === 'MemberExpression',
    );
    return isChanged ? node : bareExpression(def.node.init);
  }

  function rowNamed({ module, path }: { module: string; path: string }): ProcessApi | undefined {
    if (!module.startsWith('./')) return table.row(module, path);
    // A user's row names a file of the project by the end of its path.
    const steps = module.split('/').slice(1);
    for (let at = 0; at < steps.length; at++) {
      const row = table.row(`./${steps.slice(at).join('/')}`, path);
      if (row) return row;
    }
    return undefined;
  }

  function functionOf(call: CallNode): FunctionNode | undefined {
    const meaning = meaningOf(invocationOf(call).target);
    if (call.type === 'NewExpression' && meaning?.is === 'class') return constructorOf(meaning.node);
    return meaning?.is === 'function' ? meaning.node : undefined;
  }

  return {
    meaningOf,
    rowOf,
    functionOf,
    callersOf,
    ofModule,
    memberOf,
    resultOf: (meaning) => resultOf(reader, meaning),
  };
}

/** What meanings call the module that a file imports: a package by its name, a file by its path without the extension. */
export function moduleName(specifier: string, filename: string): string {
  if (!specifier.startsWith('.')) return bare(specifier);
  return `./${join(dirname(filename.replaceAll('\\', '/')), specifier).replace(/\.[cm]?[jt]sx?$/, '')}`;
}

function constructorOf(owner: ClassNode): FunctionNode | undefined {
  for (const element of owner.body.body) {
    if (element.type !== 'MethodDefinition' || element.kind !== 'constructor') continue;
    return element.value.type === 'FunctionExpression' ? element.value : undefined;
  }
  return undefined;
}
