import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopSettings } from './apis/loop-table.ts';
import { createRule } from './create-rule.ts';
import { callsIn } from './read/calls-in.ts';
import { loopModule, type LoopModule } from './read/loop-module.ts';
import { constantText } from './read/module-index.ts';
import { viewOf } from './read/module-view.ts';
import {
  bareExpression,
  calleeOf,
  isFunction,
  lastName,
  type CallNode,
  type FunctionNode,
} from './read/nodes.ts';

export type Options = [];

export type MessageIds = 'awaits' | 'leaves';

export const noAsyncExitHandler = createRule<Options, MessageIds>({
  name: 'no-async-exit-handler',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow asynchronous work in handlers of `exit`, which is never finished',
      preset: 'strict',
      severity: 'error',
    },
    messages: {
      awaits:
        'The process ends before this `exit` handler goes on after its first `await`. Do the work synchronously, or before `process.exit()`.',
      leaves:
        'The process ends before `{{name}}` is done, which this `exit` handler starts. Do the work synchronously, or before `process.exit()`.',
    },
    schema: [],
  },
  create(context) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        if (!/exit/i.test(view.text)) return;
        const module = loopModule(view, context.settings['owned-spawn'] as LoopSettings | undefined);
        for (const call of module.index.calls) {
          const handler = handlerOf(module, call);
          const fn = handler && functionOf(module, handler);
          const fault = fn && faultOf(module, fn);
          if (!fault) continue;
          const loc = isFunction(handler) ? headOf(handler) : handler.loc;
          context.report({
            loc,
            messageId: fault === 'awaits' ? 'awaits' : 'leaves',
            data: fault === 'awaits' ? {} : { name: lastName(calleeOf(fault)) ?? '' },
          });
        }
      },
    };
  },
});

/** What is given to `process.on('exit', …)` and to packages that stand for it. */
function handlerOf(module: LoopModule, call: CallNode): TSESTree.Node | undefined {
  if (call.type !== 'CallExpression') return undefined;
  const [first, second] = call.arguments;
  if (
    !first ||
    !/^(on|once|addListener|prepend(Once)?Listener|exitHook|onExit)$/.test(lastName(call.callee) ?? '')
  )
    return undefined;
  const meaning = module.callees.meaningOf(call.callee);
  if (meaning?.is !== 'import') return undefined;
  const isProcess =
    meaning.module === 'process' || (meaning.module === 'global' && meaning.path.startsWith('process.'));
  if (isProcess) return constantText(module.index, first) === 'exit' ? second : undefined;
  return /^(exit-hook|signal-exit)$/.test(meaning.module) ? first : undefined;
}

function functionOf({ callees }: LoopModule, node: TSESTree.Node): FunctionNode | undefined {
  const bare = bareExpression(node);
  if (isFunction(bare)) return bare;
  const meaning = callees.meaningOf(bare);
  return meaning?.is === 'function' ? meaning.node : undefined;
}

/** Whether a handler awaits, or the call in it that starts what goes on later. */
function faultOf(module: LoopModule, fn: FunctionNode): 'awaits' | CallNode | undefined {
  if (fn.async && awaits(module, fn)) return 'awaits';
  return callsIn(module.index, fn.body).find((call) => {
    const callee = calleeOf(call);
    const entered = module.callees.functionOf(call);
    if (entered?.async) return entered !== fn && awaits(module, entered);
    const meaning = module.callees.meaningOf(callee);
    if (meaning?.is !== 'import') return false;
    return (
      meaning.module === 'fs/promises' || (meaning.module === 'fs' && meaning.path.startsWith('promises.'))
    );
  });
}

const awaits = ({ view }: LoopModule, fn: FunctionNode) =>
  /\bawait\b/.test(view.text.slice(...fn.body.range));

/** `async () =>`, without the body. */
function headOf({ loc, body }: FunctionNode): TSESTree.SourceLocation {
  return { start: loc.start, end: body.loc.start };
}
