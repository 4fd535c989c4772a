import type { TSESTree } from '@typescript-eslint/utils';
import { indexOf } from '../read/module-index.ts';
import { heldChild, type HeldChild } from '../read/adopted.ts';
import { groupKillsOf } from '../read/intent.ts';
import type { ModuleView } from '../read/module-view.ts';
import { bareExpression, calleeOf, lastName } from '../read/nodes.ts';
import type { SpawnSite } from '../read/site.ts';
import { bindRuntime, type RuntimeName, type RuntimeUse } from './bindings.ts';
import { inlineOption, removeDetached } from './detached-option.ts';
import { hasOverlap, sortedEdits, type Edit } from './edit.ts';
import { insertAfter } from './insertion.ts';
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
  const moved = wanted.map(({ site, mode }) => ({ site, mode, ...calleeEdit(view, site, mode) }));
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
  adopted?: HeldChild;
}

type Part = { reason: ReasonCode } | Done;

/** The callee to replace and its new name; neither for an option that only has to go. */
function calleeEdit(
  view: ModuleView,
  site: SpawnSite,
  mode: OwnMode,
): { use?: RuntimeUse; adopted?: HeldChild; reason?: ReasonCode } {
  if (site.verdict.is === 'maybe' || isUpToCaller(view, site)) return { reason: 'conditional' };
  if (site.form === 'launcher') return { reason: 'launcher' };
  if (site.form === 'shell') return { reason: 'shell-text' };
  if (site.form === 'ineffective') return {};
  if (SYNC.test(site.api)) return { reason: 'sync-api' };
  if (site.by !== 'api') return { reason: 'indirect-callee' };
  const owned = OWNED[site.api];
  if (site.api.startsWith('owned-spawn.')) return { reason: 'no-why' };
  if (!owned) return mode === 'own' ? adoption(view, site) : { reason: 'other-library' };
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

/** Another library starts the child: it is handed to the runtime as soon as something holds it. */
function adoption(
  view: ModuleView,
  { api, call, verdict }: SpawnSite,
): { use: RuntimeUse; adopted: HeldChild } | { reason: ReasonCode } {
  // A child that is not detached is in its owner's own group.
  const isLeader = verdict.is === 'yes' && ADOPTABLE.test(api);
  const held = isLeader && call.type === 'CallExpression' ? heldChild(call) : undefined;
  if (!held || call.type !== 'CallExpression') return { reason: 'other-library' };
  const callee = calleeOf(call);
  return sourceBehind(indexOf(view), callee) && !inlineRequest(callee)
    ? { use: { name: 'ownProcessGroups', replaces: callee }, adopted: held }
    : { reason: 'indirect-callee' };
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
    // The child is named in what replaces its kill.
    ...kills.flatMap(({ call }) => [call.callee, ...call.arguments.slice(1)]),
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
  const renamed = ({ uses: its, adopted }: Done): Edit[] =>
    its.map((use) =>
      adopted
        ? adoptionEdit(view, adopted, bindings.textOf(use))
        : { start: use.replaces.range[0], end: use.replaces.range[1], text: bindings.textOf(use) },
    );
  const all = sortedEdits([...shared, ...done.flatMap((part) => [...part.edits, ...renamed(part)])]);
  if (hasOverlap(all)) return parts.map((part) => ('reason' in part ? part : { reason: 'overlap' }));
  return parts.map((part) => {
    if ('reason' in part) return part;
    const own = [...part.edits, ...renamed(part)];
    const notes = new Set<NoteCode>([
      ...part.notes,
      ...part.removed.flatMap(unused.notesOf),
      ...(isKilledStill(view, part.site, kills) ? (['group-kill-kept'] as const) : []),
    ]);
    return { edits: sortedEdits(part.uses.length > 0 ? [...own, ...shared] : own), notes: [...notes] };
  });
}

/** Whether a kill stays that is, as far as the module tells, of a site's child. */
const isKilledStill = (view: ModuleView, site: SpawnSite, replaced: readonly GroupKill[]): boolean =>
  !replaced.some(({ starts }) => starts.includes(site.call)) &&
  groupKillsOf(view, site).some((kill) => !replaced.some(({ call }) => call === kill));

/** Hands the child over in the line below the call. */
function adoptionEdit(view: ModuleView, { statement, holder }: HeldChild, name: string): Edit {
  const semi = view.text.charAt(statement.range[1] - 1) === ';' ? ';' : '';
  return insertAfter(view, statement, [`${name}(${view.text.slice(...holder.range)})${semi}`]);
}
