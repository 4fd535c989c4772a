import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopSettings } from './apis/loop-table.ts';
import { createRule } from './create-rule.ts';
import { contextOf } from './read/context.ts';
import { blockingDriver } from './read/drivers.ts';
import { loopModule } from './read/loop-module.ts';
import { viewOf } from './read/module-view.ts';

export type Options = [];

export type MessageIds = 'blocks';

export const noBlockingDriver = createRule<Options, MessageIds>({
  name: 'no-blocking-driver',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow awaiting database drivers that block the event loop all the same',
      preset: 'strict',
      severity: 'error',
    },
    messages: {
      blocks:
        '`await` does not keep this off the event loop: {{driver}} works synchronously and answers with a promise. Use `openDatabase` of `owned-spawn/sqlite`, or move it off the loop.',
    },
    schema: [],
  },
  create(context) {
    const awaited: TSESTree.AwaitExpression[] = [];
    return {
      AwaitExpression(node): void {
        awaited.push(node);
      },
      'Program:exit'(): void {
        if (awaited.length === 0) return;
        const view = viewOf(context.sourceCode, context.filename);
        if (!/sqlite|libsql/.test(view.text)) return;
        const module = loopModule(view, context.settings['owned-spawn'] as LoopSettings | undefined);
        for (const node of awaited) {
          const driver = blockingDriver(module, node.argument);
          if (!driver || contextOf(module).unitOf(node).where !== 'loop') continue;
          context.report({
            loc: { start: node.loc.start, end: node.argument.loc.start },
            messageId: 'blocks',
            data: { driver },
          });
        }
      },
    };
  },
});
