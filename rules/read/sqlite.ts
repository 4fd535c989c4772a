import type { TSESTree } from '@typescript-eslint/utils';
import type { SqliteEffect } from '../apis/loop-rows.ts';
import type { Invocation } from './invocation.ts';
import { heldBy } from './held-by.ts';
import type { LoopModule } from './loop-module.ts';
import { constantText } from './module-index.ts';
import { bareExpression, calleeOf, lastName, type CallNode } from './nodes.ts';

/**
 * How much a SQLite call weighs. Light is what takes microseconds: a row by its key, a list that a `limit` keeps short, a
 * database in memory, a setting that is only read.
 */
export function sqliteWeight(
  module: LoopModule,
  effect: SqliteEffect,
  call: CallNode,
  { args }: Invocation,
): 'heavy' | 'light' {
  const [first] = args;
  const text = (node: TSESTree.Node | undefined) => node && constantText(module.index, node);
  switch (effect) {
    case 'open':
      return text(first) === ':memory:' ? 'light' : 'heavy';
    case 'get':
      return isPointQuery(statementText(module, call)) ? 'light' : 'heavy';
    case 'all':
      return isShortList(statementText(module, call)) ? 'light' : 'heavy';
    case 'pragma':
      return /^[\w.]+$/.test(text(first) ?? '') ? 'light' : 'heavy';
    default:
      return 'heavy';
  }
}

/** `select … from t where key = ?`: one table, equalities only, nothing to gather, to sort or to search. */
function isPointQuery(sql: string | undefined): boolean {
  const plain = sql && withoutComments(sql);
  return (
    plain !== undefined &&
    /^select\s[^;]*\sfrom\s+["'`[\]\w.]+\s+where\s/i.test(plain) &&
    /where\s+["'`[\]\w.]+\s*={1,2}\s*[?:@$]\w*(\s+(and|limit)\s+[^;]*)?;?$/i.test(plain) &&
    !/\b(count|sum|avg|min|max|total|group_concat|join|match|like|glob|regexp|order|group|having|union|recursive|or|distinct|exists|in)\b\s*\(?|[<>]|\bselect\b.*\bselect\b/i.test(
      plain,
    )
  );
}

/** A `limit` that is small and that no sorting or gathering precedes. */
function isShortList(sql: string | undefined): boolean {
  const plain = sql && withoutComments(sql);
  const limit = plain && /\blimit\s+(\d+)\s*;?$/i.exec(plain)?.[1];
  return (
    limit !== undefined &&
    limit !== '' &&
    Number(limit) <= 100 &&
    !/\b(join|match|like|glob|order|group|recursive|distinct|union)\b/i.test(plain ?? '')
  );
}

const withoutComments = (sql: string) =>
  sql
    .replace(/--[^\n]*|\/\*[^]*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The SQL of the statement that a call runs, followed back to where it was prepared. */
export function statementText(module: LoopModule, call: CallNode): string | undefined {
  if (call.type === 'TaggedTemplateExpression') return undefined;
  const callee = calleeOf(call);
  return callee.type === 'MemberExpression' ? preparedText(module, callee.object, 6) : undefined;
}

function preparedText(module: LoopModule, node: TSESTree.Node, depth: number): string | undefined {
  const bare = bareExpression(node);
  if (depth === 0) return undefined;
  if (bare.type === 'CallExpression') {
    const callee = calleeOf(bare);
    const [first] = bare.arguments;
    if (/^(prepare|query)$/.test(lastName(callee) ?? '')) return first && constantText(module.index, first);
    // `db.prepare('…').pluck()`
    return callee.type === 'MemberExpression' ? preparedText(module, callee.object, depth - 1) : undefined;
  }
  const made = heldBy(module.index, bare);
  return made && preparedText(module, made, depth - 1);
}
