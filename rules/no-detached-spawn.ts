import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { TSESLint } from '@typescript-eslint/utils';
import type { SpawnSettings } from './apis/tables.ts';
import { createRule } from './create-rule.ts';
import { markerSkeletonEdits } from './edits/marker.ts';
import { ownSpawnEdits } from './edits/own-spawn.ts';
import { allowedSites } from './read/allowed.ts';
import { intentOf, type Intent } from './read/intent.ts';
import { bindMarkers, readMarkers } from './read/markers.ts';
import { viewOf, type ModuleView } from './read/module-view.ts';
import { lastName } from './read/nodes.ts';
import type { SpawnSite } from './read/site.ts';
import { findSpawns } from './read/spawns.ts';

export type Options = [{ reportMaybe?: boolean }?];

export type MessageIds =
  | 'detached'
  | 'ignored'
  | 'launcher'
  | 'mark'
  | 'maybe'
  | 'noReason'
  | 'options'
  | 'own'
  | 'ownAfterInstall'
  | 'removeOption'
  | 'shell';

type Suggestion = TSESLint.SuggestionReportDescriptor<MessageIds>;

export const noDetachedSpawn = createRule<Options, MessageIds>({
  name: 'no-detached-spawn',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow starting a child process that outlives its owner without saying why',
      preset: 'recommended',
      severity: 'error',
    },
    hasSuggestions: true,
    messages: {
      detached: '`{{api}}` starts a child that outlives its owner, by {{option}}. {{advice}}',
      ignored: '`{{api}}` ignores `detached`, so this child does not outlive its owner. Remove the option.',
      launcher: '`{{api}}` starts a child that outlives its owner: {{leaver}}. {{advice}}',
      maybe:
        '`{{api}}` may start a child that outlives its owner, by {{option}}: it depends on `{{why}}`. {{advice}}',
      noReason:
        '`{{api}}` starts a child that outlives its owner. Say why in its option `why`, as a literal.',
      options: 'Whoever starts a process with these options leaves it behind, by {{option}}. {{advice}}',
      shell: 'The command line of `{{api}}` leaves a child behind: {{leaver}}. {{advice}}',
      mark: 'Insert a marker, and write the reason into it.',
      own: 'Use `{{to}}`, which ends it with its owner.',
      ownAfterInstall: 'Use `{{to}}`, which ends it with its owner (first: `npm install owned-spawn`).',
      removeOption: 'Remove the option.',
    },
    schema: [
      {
        type: 'object',
        properties: {
          reportMaybe: {
            type: 'boolean',
            description: 'Whether to report options that are decided at run time.',
          },
        },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ reportMaybe: true }],
  },
  create(context, [{ reportMaybe = true } = {}]) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        const settings = context.settings['owned-spawn'] as SpawnSettings | undefined;
        const sites = findSpawns(view, settings).filter(
          ({ verdict }) => verdict.is === 'yes' || (verdict.is === 'maybe' && reportMaybe),
        );
        if (sites.length === 0) return;
        const excused = new Set([
          ...markedSites(view, sites),
          ...allowedSites(view, sites, settings, 'detached-spawn').keys(),
        ]);
        for (const site of sites) {
          if (excused.has(site)) continue;
          const intent = intentOf(view, site);
          context.report({
            node: site.name,
            messageId: messageOf(site),
            data: dataOf(site, intent),
            suggest: suggestionsFor(view, site, intent),
          });
        }
      },
    };
  },
});

/** The sites that a marker with a reason stands at. */
function markedSites(view: ModuleView, sites: readonly SpawnSite[]): SpawnSite[] {
  const markers = readMarkers(view).filter(({ kind, fault }) => kind === 'detached-spawn' && !fault);
  return [...bindMarkers(view, markers, sites).values()].flat();
}

function messageOf(site: SpawnSite): MessageIds {
  if (site.call.type === 'ObjectExpression') return 'options';
  if (site.api === 'owned-spawn.spawnDetached') return 'noReason';
  if (site.form === 'launcher' || site.form === 'shell') return site.form;
  if (site.form === 'ineffective') return 'ignored';
  return site.verdict.is === 'maybe' ? 'maybe' : 'detached';
}

function dataOf(site: SpawnSite, intent: Intent): Record<string, string> {
  return {
    api: site.by === 'wrapper' ? (lastName(site.name) ?? site.api) : site.api,
    option: optionOf(site),
    leaver: site.leaver ?? '',
    why: site.verdict.is === 'maybe' ? site.verdict.why : '',
    advice:
      site.leaver === undefined ? adviceOf(intent) : `If it is meant, ${mark}; if not, ${own} without that.`,
  };
}

/** The option that decides, and the line that sets it where that is not the call's. */
function optionOf({ name, cause }: SpawnSite): string {
  const key =
    cause?.type === 'Property' && !cause.computed && cause.key.type === 'Identifier'
      ? cause.key.name
      : 'detached';
  if (!cause || cause.loc.start.line === name.loc.start.line) return `\`${key}\``;
  return `\`${key}\` in line ${String(cause.loc.start.line)}`;
}

const own = 'start it with `spawnOwned`';
const mark = 'say why in a marker: `// detached-spawn: ok — …`';

function adviceOf({ kind, signal }: Intent): string {
  switch (kind) {
    case 'outlives':
      return `It seems meant (${signal}): ${mark}.`;
    case 'convenience':
      return `It seems to be for ending the whole group (${signal}): ${own}, which does that.`;
    case 'accident':
      return `If it must end with its owner, ${own}; if not, ${mark}.`;
  }
}

/** A marker first where the child seems meant to outlive; what it becomes on the runtime first everywhere else. */
function suggestionsFor(view: ModuleView, site: SpawnSite, intent: Intent): Suggestion[] {
  const rewrite = rewriteOf(view, site);
  const marker = suggestion('mark', {}, markerSkeletonEdits(view, site));
  const offered = site.form === 'ineffective' ? [rewrite] : [rewrite, marker];
  return (intent.kind === 'outlives' ? offered.reverse() : offered).filter((each) => each !== undefined);
}

function rewriteOf(view: ModuleView, site: SpawnSite): Suggestion | undefined {
  const result = ownSpawnEdits(view, site);
  if (site.form === 'ineffective') return suggestion('removeOption', {}, result);
  const to = !site.api.startsWith('child_process.')
    ? 'ownProcessGroups'
    : site.api.endsWith('.fork')
      ? 'forkOwned'
      : 'spawnOwned';
  return suggestion(hasRuntime(view.filename) ? 'own' : 'ownAfterInstall', { to }, result);
}

function suggestion(
  messageId: MessageIds,
  data: Record<string, string>,
  result: ReturnType<typeof ownSpawnEdits>,
): Suggestion | undefined {
  if ('reason' in result) return undefined;
  return {
    messageId,
    data,
    fix: (fixer) => result.edits.map(({ start, end, text }) => fixer.replaceTextRange([start, end], text)),
  };
}

const runtimes = new Map<string, boolean>();

/** Whether `owned-spawn` is installed where a file would import it from. */
function hasRuntime(filename: string): boolean {
  const folder = dirname(resolve(filename));
  const known = runtimes.get(folder);
  if (known !== undefined) return known;
  const found = canResolve(folder);
  runtimes.set(folder, found);
  return found;
}

function canResolve(folder: string): boolean {
  try {
    createRequire(join(folder, 'x.js')).resolve('owned-spawn/package.json');
    return true;
  } catch {
    return false;
  }
}
