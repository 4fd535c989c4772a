import type { TSESLint } from '@typescript-eslint/utils';
import type { SpawnSettings } from './apis/tables.ts';
import { createRule } from './create-rule.ts';
import { ownSpawnEdits } from './edits/own-spawn.ts';
import { longLifeOf, type LongLife } from './read/lifetime.ts';
import { viewOf, type ModuleView } from './read/module-view.ts';
import type { SpawnSite } from './read/site.ts';
import { findSpawns } from './read/spawns.ts';

export type Options = [];
export type MessageIds = 'unowned' | 'own';

export const preferSpawnOwned = createRule<Options, MessageIds>({
  name: 'prefer-spawn-owned',
  meta: {
    type: 'suggestion',
    docs: {
      description: 'Require child processes that live on to end with their owner',
      preset: 'strict',
      severity: 'error',
    },
    hasSuggestions: true,
    messages: {
      unowned:
        '`{{api}}` starts a child that lives on ({{sign}}), and nobody ends it when this program is killed. Start it with `{{to}}`.',
      own: 'Start it with `{{to}}`, which ends it with its owner.',
    },
    schema: [],
  },
  create(context) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        const settings = context.settings['owned-spawn'] as SpawnSettings | undefined;
        for (const site of findSpawns(view, settings)) {
          const life = isUnowned(site) ? longLifeOf(view, site) : undefined;
          if (!life) continue;
          const data = { api: site.api, sign: signOf(view, life), to: ownedName(site) };
          context.report({
            node: site.name,
            messageId: 'unowned',
            data,
            suggest: suggestionsFor(view, site),
          });
        }
      },
    };
  },
});

/** APIs that hand their child to the caller. */
const handsOverChild =
  /^(?:(?:child_process|promisify-child-process|child-process-promise|mz\/child_process)\.(?:spawn|fork|exec|execFile)|cross-spawn(?:\.spawn)?|execa(?:\.(?!\w*sync$)[\w$]+)?|nano-spawn|Bun\.spawn)$/i;

/** A child that is not known to be made to outlive its owner: that is another rule's. */
function isUnowned({ api, by, verdict }: SpawnSite): boolean {
  return by === 'api' && handsOverChild.test(api) && (verdict.is === 'no' || verdict.is === 'unknown');
}

function ownedName({ api }: SpawnSite): string {
  return api.endsWith('.fork') ? 'forkOwned' : 'spawnOwned';
}

/** What shows that the child lives on, as a clause. */
function signOf({ text }: ModuleView, { by, node }: LongLife): string {
  const [line] = text.slice(...node.range).split('\n');
  const code = `\`${line ?? ''}\``;
  switch (by) {
    case 'kept':
      return `it is kept in ${code}`;
    case 'ended':
      return `${code} in line ${node.loc.start.line} ends it`;
    case 'returned':
      return 'it is returned, with listeners';
  }
}

/** Where options from elsewhere may detach it, nobody can say what it becomes. */
function suggestionsFor(
  view: ModuleView,
  site: SpawnSite,
): TSESLint.SuggestionReportDescriptor<MessageIds>[] {
  if (site.verdict.is !== 'no' || site.form !== 'option') return [];
  const result = ownSpawnEdits(view, site);
  if ('reason' in result) return [];
  return [
    {
      messageId: 'own',
      data: { to: ownedName(site) },
      fix: (fixer) => result.edits.map(({ start, end, text }) => fixer.replaceTextRange([start, end], text)),
    },
  ];
}
