import type { LoopSettings } from './apis/loop-table.ts';
import type { SqliteEffect } from './apis/loop-rows.ts';
import { createRule } from './create-rule.ts';
import { loopFindings } from './graph/module-reach.ts';
import { viewOf } from './read/module-view.ts';
import { wayOf } from './no-blocking-call.ts';

export type Options = [{ pointQueries?: boolean }?];

export type MessageIds = 'direct' | 'path';

/** What a call does, after its name in a message. */
export const WHAT: Readonly<Record<SqliteEffect, string>> = {
  open: 'opens a database',
  exec: 'runs SQL',
  get: 'runs a query',
  all: 'reads all rows of a query',
  run: 'writes',
  iterate: 'steps through a query',
  transaction: 'runs a transaction',
  pragma: 'runs a pragma',
};

export const SQLITE_ADVICE = 'Use `openDatabase` of `owned-spawn/sqlite`, or move it off the loop.';

export const noBlockingSqlite = createRule<Options, MessageIds>({
  name: 'no-blocking-sqlite',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow synchronous SQLite calls on the event loop while there is something to serve',
      preset: 'recommended',
      severity: 'warn',
    },
    messages: {
      direct: '`{{name}}` {{what}} on the event loop inside {{inside}}. {{advice}}',
      path: '`{{name}}` blocks the event loop inside {{inside}}: {{path}}{{more}}, which {{what}}. {{advice}}',
    },
    schema: [
      {
        type: 'object',
        properties: {
          pointQueries: {
            type: 'boolean',
            description: 'Whether to report queries of one row by its key, which take microseconds.',
          },
        },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ pointQueries: false }],
  },
  create(context, [{ pointQueries = false } = {}]) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        const settings = context.settings['owned-spawn'] as LoopSettings | undefined;
        for (const finding of loopFindings(view, 'sqlite', settings, pointQueries)) {
          const { sqlite } = finding.site;
          context.report({
            node: finding.node,
            messageId: finding.steps.length > 1 ? 'path' : 'direct',
            data: {
              ...wayOf(finding),
              what: WHAT[sqlite ?? 'exec'],
              advice: SQLITE_ADVICE,
            },
          });
        }
      },
    };
  },
});
