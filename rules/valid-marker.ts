import type { TSESLint } from '@typescript-eslint/utils';
import type { SpawnSettings } from './apis/tables.ts';
import { createRule } from './create-rule.ts';
import type { Edit } from './edits/edit.ts';
import { removeComment } from './edits/remove-comment.ts';
import { blockingTargets } from './read/blocking-markers.ts';
import { isDate } from './read/date.ts';
import { readDirectives } from './read/directives.ts';
import { loopModule } from './read/loop-module.ts';
import { bindMarkers, readMarkers, type Marker, type MarkerKind, type MarkerTarget } from './read/markers.ts';
import { indexOf } from './read/module-index.ts';
import { viewOf, type ModuleView } from './read/module-view.ts';
import { calleeOf, lastName, type CallNode } from './read/nodes.ts';
import { reasonFault, wordsOf } from './read/reason.ts';
import type { SpawnSite } from './read/site.ts';
import { findSpawns } from './read/spawns.ts';

export interface RuleOptions {
  minimumWords?: number;
  now?: string;
}
export type Options = [RuleOptions?];

export type MessageIds =
  | 'badUntil'
  | 'blanket'
  | 'dangling'
  | 'disableWithoutReason'
  | 'duplicate'
  | 'expired'
  | 'misspelt'
  | 'noReason'
  | 'noSeparator'
  | 'placeholder'
  | 'stale'
  | 'tooShort'
  | 'unclear'
  | 'removeMarker'
  | 'writeMarker';

interface Problem {
  messageId: MessageIds;
  data?: Record<string, string>;
  suggestion?: { messageId: 'removeMarker' | 'writeMarker'; edit: Edit } | undefined;
}

/** What a marker stands at, and what is no longer so where it is stale. */
const places: Record<MarkerKind, { place: string; isOver: (api: string) => string }> = {
  'detached-spawn': {
    place: 'call that starts a process',
    isOver: (api) => `the child of \`${api}\` does not outlive its owner`,
  },
  'blocking-call': { place: 'call or function', isOver: (api) => `\`${api}\` does not block` },
};

/** What a marker may stand at, of either kind. */
type Site = Pick<SpawnSite, 'api' | 'verdict'> & MarkerTarget;

const forms: Record<MarkerKind, string> = {
  'detached-spawn': 'detached-spawn: ok — why it must outlive its owner',
  'blocking-call': 'blocking-call: ok — why it may block here',
};

export const validMarker = createRule<Options, MessageIds>({
  name: 'valid-marker',
  meta: {
    type: 'problem',
    docs: {
      description: 'Require markers to stand at what they excuse and to say why',
      preset: 'recommended',
      severity: 'error',
    },
    hasSuggestions: true,
    messages: {
      badUntil: '`until={{until}}` is no date. Write `[until=YYYY-MM-DD]`.',
      blanket: 'A marker covers one statement, not a file. Write `// {{form}}` at each call.',
      dangling:
        'This marker stands at no {{place}}. Put it on the line of the call or directly above its statement, or remove it.',
      disableWithoutReason:
        '`{{directive}}` silences `{{rules}}` without a reason. Write `{{directive}} {{rules}} -- why`.',
      duplicate: 'Another marker above already covers this call. Keep one of the two.',
      expired: 'This marker was to last until {{until}}. Mend the call, or set a new date.',
      misspelt: 'This is not how a marker is written, so it excuses nothing. Write `// {{form}}`.',
      noReason: 'This marker gives no reason. Write `// {{form}}`.',
      noSeparator: 'A dash must part `ok` from the reason. Write `// {{form}}`.',
      placeholder: '`{{reason}}` is no reason. Write `// {{form}}`.',
      stale: 'This marker excuses nothing any more: {{what}}. Remove it.',
      tooShort: 'The reason `{{reason}}` has fewer than {{minimum}} words. Say why, as in `// {{form}}`.',
      unclear: 'A marker begins its comment and says `ok`, so this one excuses nothing. Write `// {{form}}`.',
      removeMarker: 'Remove the marker.',
      writeMarker: 'Write it as `{{marker}}`.',
    },
    schema: [
      {
        type: 'object',
        properties: {
          minimumWords: {
            type: 'integer',
            minimum: 1,
            description: 'How many words a reason must have, in any script.',
          },
          now: {
            type: 'string',
            pattern: '^\\d{4}-\\d{2}-\\d{2}$',
            description: 'The date, as YYYY-MM-DD, that `until` is compared with. Default: today.',
          },
        },
        additionalProperties: false,
      },
    ],
    defaultOptions: [{ minimumWords: 3 }],
  },
  create(context, [{ minimumWords = 3, now } = {}]) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        const prefixes = ['owned-spawn/', context.id.slice(0, context.id.lastIndexOf('/') + 1)];
        for (const { comment, directive, rules, reason } of readDirectives(view, prefixes)) {
          if (!isReason(reason, minimumWords)) {
            const data = { directive, rules: rules.join(', ') };
            context.report({ loc: comment.loc, messageId: 'disableWithoutReason', data });
          }
        }
        const markers = readMarkers(view);
        if (markers.length === 0) return;
        for (const [marker, problem] of problemsOf(view, markers)) report(marker, problem);
      },
    };

    function* problemsOf(view: ModuleView, markers: readonly Marker[]): Generator<[Marker, Problem]> {
      const settings = context.settings['owned-spawn'] as SpawnSettings | undefined;
      const [spawnMarkers, others] = (['detached-spawn', 'blocking-call'] as const).map((wanted) =>
        markers.filter(({ kind }) => kind === wanted),
      ) as [Marker[], Marker[]];
      const bound = new Map<Marker, Site[]>([
        ...bindMarkers<Site>(view, spawnMarkers, spawnMarkers.length > 0 ? findSpawns(view, settings) : []),
        ...bindMarkers<Site>(
          view,
          others,
          others.length > 0 ? blockingTargets(loopModule(view, settings)) : [],
        ),
      ]);
      const unknown = bindMarkers(view, spawnMarkers, callsThatMayStart(view));
      const covered = new Set<Site>();
      for (const marker of markers) {
        const sites = bound.get(marker) ?? [];
        if (marker.fault === 'unclear' && sites.length === 0) continue;
        const isSomewhere = sites.length > 0 || (unknown.get(marker)?.length ?? 0) > 0;
        const problem =
          placeProblem(view, marker, isSomewhere) ??
          textProblem(marker, minimumWords) ??
          siteProblem(view, marker, sites, covered) ??
          dateProblem(marker, now);
        if (problem) yield [marker, problem];
        if (!marker.fault) for (const site of sites) covered.add(site);
      }
    }

    function report(marker: Marker, { messageId, data, suggestion }: Problem): void {
      const [start, end] = [marker.start, marker.end].map((at) => context.sourceCode.getLocFromIndex(at));
      const fix = (fixer: TSESLint.RuleFixer): TSESLint.RuleFix | null =>
        suggestion
          ? fixer.replaceTextRange([suggestion.edit.start, suggestion.edit.end], suggestion.edit.text)
          : null;
      context.report({
        loc: { start: start ?? marker.comment.loc.start, end: end ?? marker.comment.loc.end },
        messageId,
        data: { form: forms[marker.kind], place: places[marker.kind].place, reason: marker.reason, ...data },
        suggest: suggestion
          ? [
              {
                messageId: suggestion.messageId,
                data: { marker: `${marker.kind}: ok — ${marker.reason}` },
                fix,
              },
            ]
          : [],
      });
    }
  },
});

/** A reason that a reader can do something with. */
function isReason(reason: string, minimumWords: number): boolean {
  return !reasonFault(reason) && wordsOf(reason).length >= minimumWords;
}

/** Calls of what we do not know by a name that says that they may start a process: a marker there is nobody's fault. */
function callsThatMayStart(view: ModuleView): { call: CallNode }[] {
  const mayStart = (call: CallNode): boolean =>
    /^$|spawn|fork|exec|launch|daemon|start|run|open|^\$/i.test(lastName(calleeOf(call)) ?? '');
  return indexOf(view)
    .calls.filter(mayStart)
    .map((call) => ({ call }));
}

function placeProblem(view: ModuleView, marker: Marker, isSomewhere: boolean): Problem | undefined {
  if (isSomewhere || marker.fault === 'misspelt') return undefined;
  const [first] = view.ast.body;
  const isOnTop = !first || marker.comment.range[1] <= first.range[0];
  return { messageId: isOnTop ? 'blanket' : 'dangling', suggestion: removal(view, marker) };
}

function textProblem(marker: Marker, minimumWords: number): Problem | undefined {
  const { fault, reason } = marker;
  if (fault === 'misspelt' || fault === 'noSeparator')
    return { messageId: fault, suggestion: rewrite(marker) };
  if (fault) return { messageId: fault };
  if (wordsOf(reason).length >= minimumWords) return undefined;
  return { messageId: 'tooShort', data: { minimum: String(minimumWords) } };
}

function siteProblem(
  view: ModuleView,
  marker: Marker,
  sites: readonly Site[],
  covered: ReadonlySet<Site>,
): Problem | undefined {
  const [site] = sites;
  if (!site) return undefined;
  if (sites.every((each) => covered.has(each)))
    return { messageId: 'duplicate', suggestion: removal(view, marker) };
  if (sites.some(({ verdict }) => verdict.is !== 'no')) return undefined;
  return {
    messageId: 'stale',
    data: { what: places[marker.kind].isOver(site.api) },
    suggestion: removal(view, marker),
  };
}

function dateProblem({ until }: Marker, now = new Date().toISOString().slice(0, 10)): Problem | undefined {
  if (until === undefined) return undefined;
  if (!isDate(until)) return { messageId: 'badUntil', data: { until } };
  return until < now ? { messageId: 'expired', data: { until } } : undefined;
}

/** The marker in its own form; none where there is no reason to keep. */
function rewrite({ kind, start, reasonStart, reason }: Marker): Problem['suggestion'] {
  if (reasonFault(reason)) return undefined;
  return { messageId: 'writeMarker', edit: { start, end: reasonStart, text: `${kind}: ok — ` } };
}

/** Takes the marker away; none where its comment holds something else too. */
function removal({ text }: ModuleView, { comment, start, end }: Marker): Problem['suggestion'] {
  const [from, to] = comment.range;
  const isWhole = /^\/[/*][\s*]*$/.test(text.slice(from, start)) && /^[\s*/]*$/.test(text.slice(end, to));
  if (!isWhole) return undefined;
  return { messageId: 'removeMarker', edit: removeComment(text, comment, Math.max(end, to)) };
}
