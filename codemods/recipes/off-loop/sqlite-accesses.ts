import { isFunction, lastName, statementText, type LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { SqliteHandle } from './sqlite-handles.ts';
import { isWrapped } from './sqlite-wraps.ts';
import type { SurveyedSite } from './survey.ts';

/** What a call does to its database, and which one that is. */
export interface SqliteAccess {
  key: string;
  kinds: readonly ('read' | 'write')[];
}

/** What a call of a database looks at or changes; what is in a transaction is one step, and stays it. */
export function sqliteAccess({ module, site, handle }: SurveyedSite): SqliteAccess | undefined {
  if (!handle || isOneStep(handle, module, site.call)) return undefined;
  const kinds = kindsOf(module, site);
  return { key: `sqlite:${handle.module.view.filename}:${String(handle.open.range[0])}`, kinds };
}

function kindsOf(module: LoopModule, { sqlite, call }: SurveyedSite['site']): SqliteAccess['kinds'] {
  switch (sqlite) {
    case 'get':
    case 'all':
    case 'iterate': {
      const text = statementText(module, call);
      const isQuery = text === undefined || /^\s*(select|values|explain|pragma|with)\b/i.test(text);
      return isQuery && !/\breturning\b/i.test(text ?? '') ? ['read'] : ['read', 'write'];
    }
    case 'pragma':
      return call.parent.type === 'ExpressionStatement' ? [] : ['read'];
    case 'run':
    case 'exec':
    case 'transaction':
      return ['write'];
    default:
      return [];
  }
}

/** Whether what a place does to a database is one step with what is around it. */
export const isOneStep = (handle: SqliteHandle, module: LoopModule, node: TSESTree.Node): boolean =>
  isInTransaction(node) || isWrapped(handle, module, node);

/** Whether a place is in a function that is given to `transaction`. */
function isInTransaction(node: TSESTree.Node): boolean {
  for (let at = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (isFunction(at) && parent.type === 'CallExpression' && lastName(parent.callee) === 'transaction')
      return true;
  }
  return false;
}
