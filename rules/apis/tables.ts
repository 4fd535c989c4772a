import { checkAllow, type AllowGroup } from './allow.ts';
import { asList, asRecord, fail, oneOf, onlyKeys } from './checked.ts';
import type { LoopSettings } from './loop-table.ts';
import { builtInProcesses } from './processes.ts';

export { SettingsError } from './checked.ts';

/** How an API that starts processes is told what to run. */
export type CommandStyle =
  /** `(file, args?, options?)` */
  | 'argv'
  /** `(modulePath, args?, options?)` */
  | 'module'
  /** `(line, options?)`, read by a shell */
  | 'line'
  /** `` tag`line` `` or `tag(options)`, read by a shell */
  | 'shell-template'
  /** `` tag`line` `` or `tag(options)`, split into argv without a shell */
  | 'template'
  /** `([file, ...args], options?)` or `({ cmd: [file, ...args] })` */
  | 'list';

/** What an API does with the option that detaches. */
export type Effect =
  /** The child leaves its owner where one of `keys` is true. */
  | 'detaches'
  /** The option is accepted and does nothing. */
  | 'ignores'
  /** The child always leaves, unless one of `keys` says why. */
  | 'outlives';

/** One API that starts processes. */
export interface ProcessApi {
  /** The module specifier without `node:`; a user's row may name a file of the project: `./lib/launch`. */
  module: string;
  /** The member's path in the module; `''` is the module itself or its default export. */
  path: string;
  kind: 'call' | 'construct';
  command: CommandStyle;
  effect: Effect;
  /** Paths of the options that decide, in the options argument. */
  keys: readonly string[];
  /** The options argument's index; without it the last argument that is no callback. */
  options?: number;
  /** The option may also be set on the API itself, for all calls that follow: `$.detached = true`. */
  settable?: true;
  /** Rows that are off until the user turns them on by `settings['owned-spawn'].enable`. */
  off?: true;
}

/** What users may say under `settings['owned-spawn']`. */
export interface SpawnSettings extends LoopSettings {
  /** More APIs and wrappers that start processes; only `module` is required. */
  apis?: readonly (Partial<ProcessApi> & Pick<ProcessApi, 'module'>)[];
  /** Modules whose built-in rows are off by default: `node-pty`, `open`. */
  enable?: readonly string[];
  /** Groups of process starts that outlive their owner for one reason. */
  allow?: readonly AllowGroup[];
}

/** The rows of one lint run, found by module and path. */
export interface ProcessTable {
  /** The row of a module's member. */
  row(module: string, path: string): ProcessApi | undefined;
  /** Whether a row names the module. */
  knows(module: string): boolean;
  /** A file without a match of this text can start no process that we know. */
  mention: RegExp;
}

const styles: readonly CommandStyle[] = ['argv', 'module', 'line', 'shell-template', 'template', 'list'];
const effects: readonly Effect[] = ['detaches', 'ignores', 'outlives'];
const kinds: readonly ProcessApi['kind'][] = ['call', 'construct'];

/** The option as a key, a shorthand, a member or a variable that is set; not the word in a sentence. */
const OPTION = `\\bdetached["'\`]?\\s*[:=,}\\]?|&]`;

/** What command lines that leave a child hold, when they are given to a wrapper out of sight. */
const BACKGROUND = 'setsid|nohup|disown|2>&1|/dev/null';

const builtInTable = tableOf(builtInProcesses.filter((row) => !row.off));

/**
 * The table for the given settings.
 *
 * @throws {SettingsError} naming the entry and what is wrong with it.
 */
export function processTable(settings?: unknown): ProcessTable {
  if (settings === undefined || settings === null) return builtInTable;
  const { apis, enable } = checkedSettings(settings);
  if (apis.length === 0 && enable.length === 0) return builtInTable;
  return tableOf([...builtInProcesses.filter((row) => !row.off || enable.includes(row.module)), ...apis]);
}

function tableOf(rows: readonly ProcessApi[]): ProcessTable {
  const byName = new Map(rows.map((row) => [`${bare(row.module)} ${row.path}`, row]));
  const modules = new Set(rows.map((row) => bare(row.module)));
  // A package is named by a whole specifier, Bun's and Deno's members by the global, a file by the end of a path.
  const isGlobal = (module: string) => module === 'bun' || module === 'deno';
  const named = [...modules];
  const globals = named.filter(isGlobal).map(capital);
  const files = named.filter((module) => module.startsWith('.'));
  const packages = named.filter((module) => !isGlobal(module) && !module.startsWith('.'));
  const words = [
    `\\b(?:${globals.join('|')})\\b(?!["'\`])`,
    `["'\`](?:bun["'\`]|(?:node:)?(?:${packages.map(escaped).join('|')})["'\`/])`,
    ...files.map(escaped),
  ];
  return {
    row: (module, path) => byName.get(`${module} ${path}`),
    knows: (module) => modules.has(module),
    mention: new RegExp([OPTION, BACKGROUND, ...words].join('|')),
  };
}

/** A specifier without `node:`; of a file of the project, without the leading dots and the extension. */
export function bare(module: string): string {
  // These exist with the prefix only; npm has a `sqlite` of its own.
  if (/^node:(sqlite|test|sea)\b/.test(module)) return module;
  if (module.startsWith('node:')) return module.slice('node:'.length);
  return module.startsWith('.')
    ? module.replace(/^(\.{1,2}\/)+/, './').replace(/\.[cm]?[jt]sx?$/, '')
    : module;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
function escaped(text: string): string {
  return text.replace(/^\.\//, '').replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
}

function checkedSettings(settings: unknown): { apis: ProcessApi[]; enable: string[] } {
  const record = asRecord(settings, `settings['owned-spawn']`);
  const loopKeys: (keyof LoopSettings)[] = ['blocking', 'handlers', 'offLoop', 'context'];
  onlyKeys(record, ['apis', 'enable', 'allow', ...loopKeys], `settings['owned-spawn']`);
  const enable = asList(record.enable, `settings['owned-spawn'].enable`).map((name, index) => {
    const where = `settings['owned-spawn'].enable[${String(index)}]`;
    const able = [...new Set(builtInProcesses.filter((row) => row.off).map((row) => row.module))];
    if (typeof name !== 'string' || !able.includes(name)) fail(where, `must be one of ${able.join(', ')}`);
    return name;
  });
  const apis = asList(record.apis, `settings['owned-spawn'].apis`).map((entry, index) =>
    checkedRow(entry, `settings['owned-spawn'].apis[${String(index)}]`),
  );
  checkAllow(record.allow, `settings['owned-spawn'].allow`);
  return { apis, enable };
}

function checkedRow(entry: unknown, where: string): ProcessApi {
  const record = asRecord(entry, where);
  onlyKeys(record, ['module', 'path', 'kind', 'command', 'effect', 'keys', 'options'], where);
  const { module, path = '', keys = ['detached'], options } = record;
  if (typeof module !== 'string' || module === '') {
    fail(`${where}.module`, `must be a module specifier, such as 'child_process' or './lib/launch'`);
  }
  if (typeof path !== 'string') fail(`${where}.path`, `must be the name of an export, such as 'spawn'`);
  const names = asList(keys, `${where}.keys`);
  if (names.length === 0 || !names.every((key) => typeof key === 'string' && key !== '')) {
    fail(`${where}.keys`, `must be a list of option names, such as ['detached']`);
  }
  if (options !== undefined && !(Number.isInteger(options) && (options as number) >= 0)) {
    fail(`${where}.options`, `must be the index of the options argument: 0, 1, 2 …`);
  }
  return {
    module: module,
    path: path === 'default' ? '' : path,
    kind: oneOf(record.kind ?? 'call', kinds, `${where}.kind`),
    command: oneOf(record.command ?? 'argv', styles, `${where}.command`),
    effect: oneOf(record.effect ?? 'detaches', effects, `${where}.effect`),
    keys: names as string[],
    ...(options === undefined ? {} : { options: options as number }),
  };
}
