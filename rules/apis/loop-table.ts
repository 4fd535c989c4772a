import { checkAllow, type AllowGroup } from './allow.ts';
import { builtInContext, checkedContext, type ContextSettings } from './context-settings.ts';
import { blockingRows, denoRow } from './blocking.ts';
import { asList, asRecord, fail, oneOf, onlyKeys } from './checked.ts';
import { handlerRows, REGISTERS, SHAPES } from './handlers.ts';
import type { Callbacks, Cost, LoopRow } from './loop-rows.ts';
import { COMMAND_METHODS, offLoopRows } from './off-loop.ts';
import { sqliteRows } from './sqlite.ts';
import { streamRows } from './streams.ts';
import { wrapperRows } from './wrappers.ts';
import { bare } from './tables.ts';

/** What users may say about the event loop under `settings['owned-spawn']`. */
export interface LoopSettings {
  /** More calls that block. */
  blocking?: readonly { module: string; path?: string; cost?: Cost; instead?: string }[];
  /** More APIs that call back on the loop. */
  handlers?: readonly { module: string; path?: string; as?: string }[];
  /** More APIs that run what they are given off the loop. */
  offLoop?: readonly { module: string; path?: string; as?: string }[];
  /** What counts as on the loop, and what does not. */
  context?: Partial<ContextSettings>;
  /** What shares one reason to block. */
  allow?: readonly AllowGroup[];
}

/** The rows of one lint run. */
export interface LoopTable {
  row(module: string, path: string): LoopRow | undefined;
  knows(module: string): boolean;
  /** What a call of a member, or a type of its name, stands for in paths: `Database#`. */
  makes(module: string, path: string): string | undefined;
  /** Whether what a call of a member gives calls the function that it is given first. */
  wraps(module: string, path: string): boolean;
  /** A file without a match of this text can hold no call that blocks. */
  mention: RegExp;
  /** Whether a callee of this last name may register a handler. */
  registers(name: string): boolean;
  context: ContextSettings;
  allow: readonly AllowGroup[];
}

const builtInRows: readonly LoopRow[] = [
  ...blockingRows,
  ...sqliteRows,
  ...handlerRows,
  ...streamRows,
  ...offLoopRows,
  ...wrapperRows,
];
const tables = new WeakMap<object, LoopTable>();

/**
 * The table for the given settings.
 *
 * @throws {SettingsError} naming the entry and what is wrong with it.
 */
export function loopTable(settings?: object | null): LoopTable {
  if (settings === undefined || settings === null) return builtInTable;
  const known = tables.get(settings);
  if (known) return known;
  const { rows, context, allow } = checkedLoop(settings);
  const isPlain = rows.length === 0 && context === builtInContext && allow.length === 0;
  const table = isPlain ? builtInTable : sharedTable(rows, context, allow);
  tables.set(settings, table);
  return table;
}

const byContent = new Map<string, LoopTable>();

/** A config gives files of different patterns settings that are alike but not the same. */
function sharedTable(
  rows: readonly LoopRow[],
  context: ContextSettings,
  allow: readonly AllowGroup[],
): LoopTable {
  const content = JSON.stringify([rows, context, allow]);
  const table = byContent.get(content) ?? tableOf([...builtInRows, ...rows], context, allow);
  byContent.set(content, table);
  return table;
}

function tableOf(
  rows: readonly LoopRow[],
  context: ContextSettings,
  allow: readonly AllowGroup[],
): LoopTable {
  const byName = new Map<string, LoopRow>();
  for (const row of rows) {
    const key = `${bare(row.module)} ${row.path}`;
    byName.set(key, { ...byName.get(key), ...row });
  }
  const modules = new Set(rows.map(({ module }) => bare(module)));
  const registering = new Set([
    ...rows
      .filter(({ callbacks }) => callbacks)
      .map(({ path, module }) => lastStep(path) || lastStep(module)),
    ...SHAPES.flatMap(({ names }) => [...names]),
    ...COMMAND_METHODS,
  ]);
  const row = (specifier: string, path: string): LoopRow | undefined => {
    const module = plainModule(specifier);
    if (module === 'deno') return byName.get(`deno ${path}`) ?? denoRow(path);
    if (!module.startsWith('./')) return byName.get(`${module} ${path}`);
    // A user's row names a file of the project by the end of its path.
    const steps = module.split('/').slice(1);
    for (let at = 0; at < steps.length; at++) {
      const found = byName.get(`./${steps.slice(at).join('/')} ${path}`);
      if (found) return found;
    }
    return undefined;
  };
  return {
    row,
    knows: (module) => modules.has(module),
    makes: (module, path) => row(module, path)?.returns,
    wraps: (module, path) => row(module, path)?.callbacks?.run === 'called',
    mention: mentionOf(rows),
    registers: (name) => registering.has(name) || REGISTERS.test(name),
    context,
    allow,
  };
}

/** Other names of a module: Electron has two `fs`, and `fs-extra/esm` holds the functions that `fs-extra` adds. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['original-fs', 'fs'],
  ['fs-extra/esm', 'fs-extra'],
]);

/** Packages hand on others that they hold: `@theia/core/shared/fs-extra`, `next/dist/compiled/glob`. */
function plainModule(specifier: string): string {
  const other = OTHER_NAMES.get(specifier);
  if (other !== undefined) return other;
  return (
    /^[^.].*\/(?:bundled|compiled|shared|vendor)\/((?:@[^/]+\/)?[^/]+)$/.exec(specifier)?.[1] ?? specifier
  );
}

function lastStep(path: string): string {
  return /[^./]*$/.exec(path)?.[0] ?? '';
}

/** Most calls that block are named so; of the others the module is. */
function mentionOf(rows: readonly LoopRow[]): RegExp {
  const modules = rows
    .filter(
      ({ blocks, sqlite, returns, path }) =>
        (blocks ?? sqlite ?? returns?.startsWith('Sync')) && !/Sync\b/.test(path),
    )
    .map(({ module }) => bare(module))
    .filter((module) => module !== 'global' && module !== 'deno');
  const words = [...new Set(modules)].map((module) =>
    module.replace(/^\.\//, '').replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&'),
  );
  return new RegExp(`Sync\\b|\\bAtomics\\b|["'\`/](?:${words.join('|')})(?:\\.[cm]?[jt]s)?["'\`/]`);
}

const builtInTable = tableOf(builtInRows, builtInContext, []);

const costs: readonly Cost[] = ['io', 'probe', 'child', 'cpu', 'wait'];

function checkedLoop(settings: object): {
  rows: LoopRow[];
  context: ContextSettings;
  allow: readonly AllowGroup[];
} {
  const { blocking, handlers, offLoop, context, allow } = settings as Record<string, unknown>;
  const where = (key: string) => `settings['owned-spawn'].${key}`;
  checkAllow(allow, where('allow'));
  const list = <Row>(
    value: unknown,
    key: string,
    read: (entry: Record<string, unknown>, at: string) => Row,
  ): Row[] =>
    asList(value, where(key)).map((entry, index) => {
      const at = `${where(key)}[${String(index)}]`;
      return read(asRecord(entry, at), at);
    });
  const callbacks =
    (run: Callbacks['run'], fallback: string) => (entry: Record<string, unknown>, at: string) => {
      onlyKeys(entry, ['module', 'path', 'as'], at);
      return { ...named(entry, at), callbacks: { run, as: text(entry.as, `${at}.as`) ?? fallback } };
    };
  return {
    rows: [
      ...list(blocking, 'blocking', (entry, at): LoopRow => {
        onlyKeys(entry, ['module', 'path', 'cost', 'instead'], at);
        const instead = text(entry.instead, `${at}.instead`);
        const cost = oneOf(entry.cost ?? 'io', costs, `${at}.cost`);
        return { ...named(entry, at), blocks: instead === undefined ? { cost } : { cost, instead } };
      }),
      ...list(handlers, 'handlers', callbacks('loop', 'a handler')),
      ...list(offLoop, 'offLoop', callbacks('off', 'a worker')),
    ],
    context: checkedContext(context, where('context')),
    allow: ((allow ?? []) as AllowGroup[]).filter(({ kind }) => kind !== 'detached-spawn'),
  };
}

function named({ module, path }: Record<string, unknown>, where: string): { module: string; path: string } {
  if (typeof module !== 'string' || module === '')
    fail(`${where}.module`, `must be a module specifier, such as 'fs' or './lib/db'`);
  const name = text(path, `${where}.path`) ?? '';
  return { module, path: name === 'default' ? '' : name };
}

function text(value: unknown, where: string): string | undefined {
  if (value !== undefined && typeof value !== 'string') fail(where, 'must be a text');
  return value;
}
