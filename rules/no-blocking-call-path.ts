import { createRule } from './create-rule.ts';
import { givenPaths } from './graph/given-paths.ts';
import { adviceOf, boundText, wayOf } from './no-blocking-call.ts';
import { SQLITE_ADVICE, WHAT } from './no-blocking-sqlite.ts';
import { noteOnce } from './note-once.ts';

export type Options = [{ probes?: boolean; pointQueries?: boolean }?];

export type MessageIds = 'path' | 'sqlite';

export const noBlockingCallPath = createRule<Options, MessageIds>({
  name: 'no-blocking-call-path',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow calls that block the event loop through functions of other files',
      preset: 'recommended-type-checked',
      severity: 'warn',
      requiresTypeChecking: true,
    },
    messages: {
      path: '`{{name}}` blocks the event loop inside {{inside}}: {{path}}{{more}}.{{bound}} {{advice}}',
      sqlite:
        '`{{name}}` blocks the event loop inside {{inside}}: {{path}}{{more}}, which {{what}}. {{advice}}',
    },
    schema: [
      {
        type: 'object',
        properties: {
          pointQueries: {
            type: 'boolean',
            description: 'Whether to report queries of one row by its key, which take microseconds.',
          },
          probes: {
            type: 'boolean',
            description:
              'Whether to report probes (`existsSync`, `statSync`, …) and `mkdirSync` outside loops too.',
          },
        },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ pointQueries: false, probes: false }],
  },
  create(context, [{ pointQueries = false, probes = false } = {}]) {
    const paths = givenPaths(context);
    if (!paths) {
      noteOnce('no-blocking-call-path is silent where there are no types: see its page on `parserOptions`.');
      return {};
    }
    return {
      'Program:exit'(): void {
        for (const finding of paths({ pointQueries, probes })) {
          const { at, site } = finding;
          context.report({
            loc: {
              start: context.sourceCode.getLocFromIndex(at.start),
              end: context.sourceCode.getLocFromIndex(at.end),
            },
            messageId: site.family === 'sqlite' ? 'sqlite' : 'path',
            data: {
              ...wayOf(finding),
              bound: boundText(finding),
              what: WHAT[site.sqlite ?? 'exec'],
              advice: site.family === 'sqlite' ? SQLITE_ADVICE : adviceOf(finding),
            },
          });
        }
      },
    };
  },
});
