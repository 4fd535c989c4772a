import type { SpawnSettings } from './apis/tables.ts';
import { createRule } from './create-rule.ts';
import { findUnsafeKills, type Danger } from './read/group-kill.ts';
import { viewOf } from './read/module-view.ts';
import { findSpawns } from './read/spawns.ts';

export type Options = [];
export type MessageIds = Danger;

export const noUnsafeGroupKill = createRule<Options, MessageIds>({
  name: 'no-unsafe-group-kill',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow signals to a process group that may be another one than meant',
      preset: 'recommended',
      severity: 'error',
    },
    messages: {
      everybody:
        'Pid -1 names every process that this user may signal. Check that the pid is greater than 1.',
      noGroup:
        '`{{text}}` is started without `detached`, so it leads no group and `-pid` is nobody or a stranger. Call `{{text}}.kill()`, or start it with `spawnOwned` and end it with `killOwned`.',
      noPid: 'A pid that is undefined names nobody: `process.kill` throws. Check that there is one.',
      ownGroup:
        'Pid 0 names the whole group of this process, this process included. Leave the call out where there is no pid.',
      unchecked:
        '`{{text}}` may be 0, which names the whole group of this process. Check that it is greater than 1 first.',
    },
    schema: [],
  },
  create(context) {
    return {
      'Program:exit'(): void {
        if (!/\bkill\b/.test(context.sourceCode.text)) return;
        const view = viewOf(context.sourceCode, context.filename);
        const sites = findSpawns(view, context.settings['owned-spawn'] as SpawnSettings | undefined);
        for (const { danger, node } of findUnsafeKills(view, sites)) {
          context.report({ node, messageId: danger, data: { text: context.sourceCode.getText(node) } });
        }
      },
    };
  },
});
