import type { LoopSettings } from './apis/loop-table.ts';
import { createRule } from './create-rule.ts';
import { offFile } from './read/file-role.ts';
import { loopModule } from './read/loop-module.ts';
import { viewOf } from './read/module-view.ts';
import { calleeOf, lastName } from './read/nodes.ts';
import { pollsOf, touchOf } from './read/polls.ts';

export type Options = [{ minEveryMs?: number }?];

export type MessageIds = 'hot' | 'visibility';

const DEFAULT_MS = 5000;

export const noHotPoll = createRule<Options, MessageIds>({
  name: 'no-hot-poll',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow polls that ask the disk, processes or a database too often',
      preset: 'strict',
      severity: 'error',
    },
    messages: {
      hot: 'This asks {{what}} every {{everyMs}} ms (`{{name}}` in line {{line}}). Ask at most every {{minEveryMs}} ms, or wait to be told; `everyCadence` of `owned-spawn/cadence` also pauses while nobody looks.',
      visibility:
        'This asks {{what}} every {{everyMs}} ms (`{{name}}` in line {{line}}), held back by `document` alone: a window that nobody looks at may still be `visible`, and each window asks for itself. Use `everyCadence` of `owned-spawn/cadence`.',
    },
    schema: [
      {
        type: 'object',
        properties: {
          minEveryMs: {
            type: 'integer',
            minimum: 1,
            description: 'The shortest pause between two rounds, in milliseconds.',
          },
        },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ minEveryMs: DEFAULT_MS }],
  },
  create(context, [{ minEveryMs = DEFAULT_MS } = {}]) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        if (!/setInterval|setTimeout|sleep|delay|wait|pause/.test(view.text)) return;
        const module = loopModule(view, context.settings['owned-spawn'] as LoopSettings | undefined);
        if (offFile(module) !== undefined) return;
        for (const { timer, everyMs, body } of pollsOf(module)) {
          const isGuarded = /\bdocument\s*\.\s*(visibilityState|hidden)\b/.test(
            view.text.slice(...body.range),
          );
          if (everyMs >= minEveryMs && !isGuarded) continue;
          const touch = touchOf(module, body);
          if (!touch) continue;
          context.report({
            node: calleeOf(timer),
            messageId: isGuarded ? 'visibility' : 'hot',
            data: {
              what: touch.what,
              everyMs: String(everyMs),
              minEveryMs: String(minEveryMs),
              name: lastName(calleeOf(touch.call)) ?? '',
              line: String(touch.call.loc.start.line),
            },
          });
        }
      },
    };
  },
});
