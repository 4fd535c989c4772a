import type { TSESTree } from '@typescript-eslint/utils';
import { findBlocking, handsTerminalOver, type BlockingSite } from './blocking.ts';
import { contextOf, type Unit } from './context.ts';
import { offFile } from './file-role.ts';
import type { LoopModule } from './loop-module.ts';
import { calleeOf, lastName, type CallNode } from './nodes.ts';

/** A call that blocks, or looks as if it did, and why it is no blocking call on the event loop. */
interface SilentCall {
  call: CallNode;
  name: string;
  why: string;
}

const SETTINGS = "settings['owned-spawn']";

/** By what settings a file is off the loop, by how the reason begins. */
const FILE_SETTINGS: readonly (readonly [start: string, setting: string])[] = [
  ['a test', 'offFiles'],
  ['a command, by the settings', 'commandFiles'],
  ['a worker', 'workers'],
  ['a command', 'commands'],
];

/** Why all code of a file is off the loop, and the setting that says so. */
export function offFileText(module: LoopModule): string | undefined {
  const reason = offFile(module);
  if (reason === undefined) return undefined;
  return `The file is off the loop: ${reason} (${SETTINGS}.context.${fileSetting(reason)}).`;
}

/** The setting under `context` by which a file is off the loop for a reason. */
export const fileSetting = (reason: string): string =>
  FILE_SETTINGS.find(([start]) => reason.startsWith(start))?.[1] ?? '';

/** Why a blocking call is not on the loop by what is known of its own file; undefined where its callers decide. */
export function silenceOf(module: LoopModule, { unit }: BlockingSite): string | undefined {
  const file = offFileText(module);
  if (file !== undefined) return file;
  if (unit.where === 'off')
    return `It runs in ${unit.as || 'code off the loop'}, which keeps nobody waiting (${offSetting(unit)}).`;
  return unit.where === 'boot' ? bootText(unit) : undefined;
}

const offSetting = ({ as }: Unit): string =>
  as === 'an exit handler' ? `${SETTINGS}.context.exits` : `a row of the table or of ${SETTINGS}.offLoop`;

const bootText = ({ fn, name }: Unit): string =>
  fn
    ? `${name ? `\`${name}\`` : 'The function around it'} runs before there is anything to serve: only the top level, or what it starts, reaches it (${SETTINGS}.context.boot).`
    : 'It stands at the top level, which runs while the module loads, before there is anything to serve.';

/** The calls of some lines that block elsewhere or otherwise, and those whose name says that they block. */
export function silentCalls(module: LoopModule, line: number): SilentCall[] {
  const sites = new Set<TSESTree.Node>(findBlocking(module).map(({ call }) => call));
  return module.index.calls.flatMap((call) => {
    const name = lastName(calleeOf(call)) ?? '';
    if (sites.has(call) || !isAt(call, line)) return [];
    const why = whyLeftOut(module, call) ?? (name.endsWith('Sync') ? NO_ROW : undefined);
    return why === undefined ? [] : [{ call, name, why }];
  });
}

/** Whether a call begins, or names what it calls, in a line. */
const isAt = (call: CallNode, line: number): boolean =>
  call.loc.start.line === line || calleeOf(call).loc.end.line === line;

const NO_ROW = `No row of the table says that it blocks; ${SETTINGS}.blocking takes more.`;

function whyLeftOut(module: LoopModule, call: CallNode): string | undefined {
  const found = module.rowOf(call);
  const blocks = found?.row.blocks;
  if (!blocks && !found?.row.sqlite) return undefined;
  if (contextOf(module).isOff(call))
    return `It runs in a worker only, or directly before the process exits (${SETTINGS}.context.workers and .exits).`;
  if (blocks?.cost === 'child' && handsTerminalOver(module, found.invocation))
    return `Its child is handed the terminal, and is meant to be waited for (${SETTINGS}.context.terminals).`;
  return 'Called like this it does not block: it is given a callback, `async: true` or no time to wait.';
}
