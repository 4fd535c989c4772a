import type { TSESLint } from '@typescript-eslint/utils';
import type { LoopSettings } from './apis/loop-table.ts';
import { createRule } from './create-rule.ts';
import { promiseTwinEdits } from './edits/promise-twin.ts';
import { loopFindings, type LoopFinding } from './graph/module-reach.ts';
import { pathText } from './graph/path.ts';
import type { BlockingSite } from './read/blocking.ts';
import { loopModule } from './read/loop-module.ts';
import { viewOf, type ModuleView } from './read/module-view.ts';

export type Options = [{ probes?: boolean }?];

export type MessageIds = 'awaitTwin' | 'direct' | 'path';

type Suggestion = TSESLint.SuggestionReportDescriptor<MessageIds>;

export const noBlockingCall = createRule<Options, MessageIds>({
  name: 'no-blocking-call',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow calls that block the event loop while there is something to serve',
      preset: 'recommended',
      severity: 'warn',
    },
    hasSuggestions: true,
    messages: {
      awaitTwin: 'Await `{{twin}}`.',
      direct: '`{{name}}` blocks the event loop inside {{inside}}.{{bound}} {{advice}}',
      path: '`{{name}}` blocks the event loop inside {{inside}}: {{path}}{{more}}.{{bound}} {{advice}}',
    },
    schema: [
      {
        type: 'object',
        properties: {
          probes: {
            type: 'boolean',
            description:
              'Whether to report probes (`existsSync`, `statSync`, …) and `mkdirSync` outside loops too.',
          },
        },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ probes: false }],
  },
  create(context, [{ probes = false } = {}]) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        const settings = context.settings['owned-spawn'] as LoopSettings | undefined;
        for (const finding of loopFindings(view, 'call', settings, probes)) {
          context.report({
            node: finding.node,
            messageId: finding.steps.length > 1 ? 'path' : 'direct',
            data: { ...wayOf(finding), bound: boundText(finding), advice: adviceOf(finding) },
            suggest: suggestionsFor(view, finding, settings),
          });
        }
      },
    };
  },
});

/** What a message says of the way from the code on the loop to the blocking call. */
export function wayOf({
  inside,
  root,
  steps,
  more,
}: Pick<LoopFinding, 'inside' | 'root' | 'steps' | 'more'>): Record<string, string> {
  return {
    name: steps[0]?.name ?? '',
    inside,
    path: pathText(root, steps),
    more: more === 0 ? '' : more === 1 ? ', and 1 more path' : `, and ${String(more)} more paths`,
  };
}

/** How long a child that is waited for may take. */
export function boundText({ site: { bound } }: { site: Pick<BlockingSite, 'bound'> }): string {
  if (bound === undefined) return '';
  return bound === 'none'
    ? ' It has no `timeout`, so it may block for ever.'
    : ` Its \`timeout\` lets it block for ${String(bound)} ms.`;
}

/** What to do about a blocking call. */
export function adviceOf({
  site: { instead },
  steps,
}: {
  site: Pick<BlockingSite, 'instead'>;
  steps: readonly unknown[];
}): string {
  if (instead === undefined) return 'Move it off the loop (`offload` of `owned-spawn/offload`).';
  return steps.length === 1
    ? `Await ${instead}, or move it off the loop.`
    : `Await ${instead} there and make the functions on the way async (\`owned-spawn migrate --recipe off-loop\`), or move it off the loop.`;
}

/** The twin in place, where the call stands in an async function and its result allows it. */
function suggestionsFor(
  view: ModuleView,
  finding: LoopFinding,
  settings: LoopSettings | undefined,
): Suggestion[] {
  if (finding.steps.length > 1) return [];
  const result = promiseTwinEdits(loopModule(view, settings), finding.site);
  if (!result) return [];
  return [
    {
      messageId: 'awaitTwin',
      data: { twin: result.shown },
      fix: (fixer) => result.edits.map(({ start, end, text }) => fixer.replaceTextRange([start, end], text)),
    },
  ];
}
