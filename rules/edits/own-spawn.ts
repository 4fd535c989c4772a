import type { TSESTree } from '@typescript-eslint/utils';
import { indexOf } from '../read/module-index.ts';
import { groupKillsOf } from '../read/intent.ts';
import type { ModuleView } from '../read/module-view.ts';
import { bareExpression, calleeOf, lastName, type CallNode } from '../read/nodes.ts';
import type { SpawnSite } from '../read/site.ts';
import { adoptionEdit, adoptionOf, type Adoption } from './adopt-child.ts';
import { bindRuntime, type RuntimeName, type RuntimeUse } from './bindings.ts';
import { inlineOption, removeDetached } from './detached-option.ts';
import { hasOverlap, sortedEdits, type Edit } from './edit.ts';
import { ownedKills, type GroupKill } from './kill-owned.ts';
import { inlineRequest, sourceBehind } from './module-source.ts';
import type { EditResult, NoteCode, ReasonCode } from './reasons.ts';
import { unusedCode } from './unused-code.ts';

/** What a site becomes: its child dies with its owner, or outlives it and says why. */
export type OwnMode = 'own' | 'detach';

const OWNED: Readonly<Record<string, RuntimeName>> = {
  'child_process.spawn': 'spawnOwned',
  'child_process.fork': 'forkOwned',
};
const SYNC = /^child_process\.\w+Sync$/;

/** Edits that turn one site into `spawnOwned` or `forkOwned`, its import included; or why they cannot be made. */
export function ownSpawnEdits(view: ModuleView, site: SpawnSite): EditResult {
  return ownSpawns(view, [{ site, mode: 'own' }])[0] ?? { reason: 'overlap' };
}

/**
 * Edits that move several sites of one file onto the runtime; they may be made together only, since the sites share
 * imports: each site that is not left has its own edits and all that it shares.
 */
export function ownSpawns(
  view: ModuleView,
  wanted: readonly { site: SpawnSite; mode: OwnMode }[],
): EditResult[] {
  const adoptable = new Set(wanted.flatMap(({ site }) => (isAdoptable(view, site) ? [site.call] : [])));
  const moved = wanted.map(({ site, mode }) => ({ site, mode, ...calleeEdit(view, site, mode, adoptable) }));
  const calls = new Set<TSESTree.Node>(
    moved.filter(({ reason, adopted }) => !reason && !adopted).map(({ site }) => site.call),
  );
  const parts = moved.map((each): Part => {
    if (each.reason) return { reason: each.reason };
    const { site, use, adopted } = each;
    if (use && adopted) return { edits: [], notes: [], removed: [], site, uses: [use], adopted };
    const option = each.mode === 'detach' ? askWhy(view, each.site) : removeDetached(view, each.site, calls);
    if ('reason' in option) return option;
    return { ...option, site, uses: use ? [use] : [] };
  });
  return finished(view, parts);
}

interface Done {
  edits: Edit[];
  notes: NoteCode[];
  /** What the edits take away, whole. */
  removed: TSESTree.Node[];
  site: SpawnSite;
  uses: RuntimeUse[];
  /** The call stays: its child, which leads a group, is handed to the runtime. */
  adopted?: Adoption;
}

type Part = { reason: ReasonCode } | Done;

/** The callee to replace and its new name; neither for an option that only has to go. */
function calleeEdit(
  view: ModuleView,
  site: SpawnSite,
  mode: OwnMode,
  adoptable: ReadonlySet<TSESTree.Node>,
): { use?: RuntimeUse; adopted?: Adoption; reason?: ReasonCode } {
  if (site.verdict.is === 'maybe' || isUpToCaller(view, site)) return { reason: 'conditional' };
  if (site.form === 'launcher') return { reason: 'launcher' };
  if (site.form === 'shell') return { reason: 'shell-text' };
  if (site.form === 'ineffective') return {};
  if (SYNC.test(site.api)) return { reason: 'sync-api' };
  if (site.by !== 'api') return { reason: 'indirect-callee' };
  const owned = OWNED[site.api];
  if (site.api.startsWith('owned-spawn.')) return { reason: 'no-why' };
  if (!owned) return mode === 'own' ? adoption(view, site, adoptable) : { reason: 'other-library' };
  if (site.call.type !== 'CallExpression') return { reason: 'indirect-callee' };
  const callee = calleeOf(site.call);
  const api = site.api.split('.').at(-1);
  const isNamed =
    callee.type === 'Identifier' || (callee.type === 'MemberExpression' && lastName(callee) === api);
  if (!isNamed || !isOwnName(view, callee)) return { reason: 'indirect-callee' };
  if (mode === 'own') return { use: { name: owned, replaces: callee } };
  return owned === 'spawnOwned'
    ? { use: { name: 'spawnDetached', replaces: callee } }
    : { reason: 'no-detached-form' };
}

/** Whether the option is a parameter: callers may say otherwise than its default. */
function isUpToCaller(view: ModuleView, { cause }: SpawnSite): boolean {
  const value = cause?.type === 'Property' ? bareExpression(cause.value) : undefined;
  const variable = value?.type === 'Identifier' ? indexOf(view).variableOf(value) : undefined;
  return variable?.defs[0]?.type === 'Parameter';
}

/** Libraries whose calls give the child itself, which leads its group under `detached: true`. */
const ADOPTABLE = /^(?:execa|cross-spawn)(?:\.(?:execa|execaNode|node|spawn))?$/;

/** Whether another library's call gives a child that leads its group: one that is not detached is in our own. */
const isLeader = ({ api, call, verdict }: SpawnSite): boolean =>
  verdict.is === 'yes' && ADOPTABLE.test(api) && call.type === 'CallExpression';

/** Whether such a child can be handed to the runtime by the names of the module. */
function isAdoptable(view: ModuleView, site: SpawnSite): boolean {
  const { call, by } = site;
  if (by !== 'api' || !isLeader(site) || call.type !== 'CallExpression') return false;
  const callee = calleeOf(call);
  return sourceBehind(indexOf(view), callee) !== undefined && !inlineRequest(callee);
}

/** Another library starts the child: it is handed to the runtime once the call is made. */
function adoption(
  view: ModuleView,
  site: SpawnSite,
  adoptable: ReadonlySet<TSESTree.Node>,
): { use: RuntimeUse; adopted: Adoption } | { reason: ReasonCode } {
  const { call } = site;
  if (!isLeader(site) || call.type !== 'CallExpression') return { reason: 'other-library' };
  if (!adoptable.has(call)) return { reason: 'indirect-callee' };
  const adopted = adoptionOf(view, call, adoptable);
  return adopted
    ? { use: { name: 'ownProcessGroups', replaces: calleeOf(call) }, adopted }
    : { reason: 'other-library' };
}

/** Whether the callee is the API's own function by a local name: not wrapped, not handed in. */
function isOwnName(view: ModuleView, callee: TSESTree.Node): boolean {
  return sourceBehind(indexOf(view), callee) !== undefined || inlineRequest(callee) !== undefined;
}

/** `spawnDetached` wants a reason: an empty one is rejected by the rule and by the runtime until a person writes it. */
function askWhy(
  view: ModuleView,
  site: SpawnSite,
): Pick<Done, 'edits' | 'notes' | 'removed'> | { reason: ReasonCode } {
  const property = inlineOption(site);
  const { call, options } = site;
  if (!property || call.type !== 'CallExpression' || !options) return { reason: 'options-elsewhere' };
  const quote = view.text.split('"').length > view.text.split("'").length ? '"' : "'";
  const [start, end] = property.range;
  const edits: Edit[] = [{ start, end, text: `why: ${quote}${quote}` }];
  // spawnDetached takes its arguments always: (command, args, options).
  if (call.arguments[1] === options)
    edits.push({ start: options.range[0], end: options.range[0], text: '[], ' });
  return { edits, notes: [], removed: [property] };
}

/** Joins the sites' edits with the imports and group kills that they share; a site that collides is left. */
function finished(view: ModuleView, parts: readonly Part[]): EditResult[] {
  const done = parts.flatMap((part) => ('reason' in part ? [] : [part]));
  const owned = done.filter(
    ({ uses, adopted }) => !adopted && uses.some(({ name }) => name !== 'spawnDetached'),
  );
  const kills = ownedKills(view, new Set(owned.map(({ site }) => site.call)));
  const killUses = kills.map((kill) => ({
    ...kill,
    use: { name: 'killOwned' as const, replaces: kill.call },
  }));
  const uses = [...done.flatMap((part) => part.uses), ...killUses.map(({ use }) => use)];
  const unused = unusedCode(view, [
    ...kills.flatMap(({ gone }) => gone),
    ...done
      .flatMap((part) => part.uses)
      .flatMap(({ name, replaces }) => (name === 'ownProcessGroups' ? [] : [replaces])),
    ...done.flatMap((part) => (part.uses.length > 0 ? part.removed : [])),
  ]);
  const bindings = bindRuntime(view, uses, unused.imports);
  const shared = [
    ...bindings.edits,
    ...unused.edits,
    ...killUses.map(({ call, args, isCaught, use }) => {
      const text = `${bindings.textOf(use)}(${args})`;
      return {
        start: call.range[0],
        end: call.range[1],
        text: isCaught ? `${text}.catch(() => {})` : `void ${text}`,
      };
    }),
  ];
  const adoptions = adoptionsOf(view, done, bindings.textOf);
  const ownEdits = new Map(
    done.map((part) => [
      part,
      [
        ...part.edits,
        ...part.uses.map(
          (use) =>
            (part.adopted && adoptions.get(part.adopted.place)) ?? {
              start: use.replaces.range[0],
              end: use.replaces.range[1],
              text: bindings.textOf(use),
            },
        ),
      ],
    ]),
  );
  const all = sortedEdits([...shared, ...[...ownEdits.values()].flat()]);
  if (hasOverlap(all)) return parts.map((part) => ('reason' in part ? part : { reason: 'overlap' }));
  return parts.map((part) => {
    if ('reason' in part) return part;
    const own = ownEdits.get(part) ?? [];
    const kept = killsKept(view, part.site, kills);
    const notes = new Set<NoteCode>([
      ...part.notes,
      ...part.removed.flatMap(unused.notesOf),
      ...(kept.length > 0 ? (['group-kill-kept'] as const) : []),
    ]);
    return {
      edits: sortedEdits(part.uses.length > 0 ? [...own, ...shared] : own),
      notes: [...notes],
      kept: kept.map(({ loc: { start } }) => ({ line: start.line, column: start.column + 1 })),
    };
  });
}

/** The kills that stay although they are, as far as the module tells, of a site's child. */
const killsKept = (view: ModuleView, site: SpawnSite, replaced: readonly GroupKill[]): readonly CallNode[] =>
  replaced.some(({ starts }) => starts.includes(site.call))
    ? []
    : groupKillsOf(view, site).filter((kill) => !replaced.some(({ call }) => call === kill));

/** What hands children over, by its place: two calls of one statement share the edit. */
function adoptionsOf(
  view: ModuleView,
  done: readonly Done[],
  textOf: (use: RuntimeUse) => string,
): Map<TSESTree.Node, Edit> {
  const edits = new Map<TSESTree.Node, Edit>();
  const taken: TSESTree.Node[] = [];
  for (const { adopted: first, uses } of done) {
    const [use] = uses;
    if (!first || !use || edits.has(first.place)) continue;
    const others = done.flatMap(({ adopted }) =>
      adopted && adopted !== first && adopted.place === first.place ? [adopted] : [],
    );
    edits.set(first.place, adoptionEdit(view, [first, ...others], textOf(use), taken));
  }
  return edits;
}
