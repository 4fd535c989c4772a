import { createRule } from './create-rule.ts';

export type Options = [];
export type MessageIds = 'detached';

export const noDetachedSpawn = createRule<Options, MessageIds>({
  name: 'no-detached-spawn',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow starting a child process that outlives its owner without saying why',
      preset: 'recommended',
      severity: 'error',
    },
    messages: { detached: 'This child outlives its owner.' },
    schema: [],
    defaultOptions: [],
  },
  create: () => ({}),
});
