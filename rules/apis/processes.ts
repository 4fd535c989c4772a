import type { CommandStyle, Effect, ProcessApi } from './tables.ts';

/** Rows of one module that behave alike. */
function rows(
  module: string,
  paths: string | readonly string[],
  command: CommandStyle,
  more: Partial<ProcessApi> = {},
): ProcessApi[] {
  return [paths].flat().map((path) => ({
    module,
    path,
    kind: 'call',
    command,
    effect: 'detaches' satisfies Effect,
    keys: ['detached'],
    ...more,
  }));
}

/** Node's own shape, which several promise wrappers take over name by name. */
function likeChildProcess(module: string): ProcessApi[] {
  return [
    ...rows(module, ['spawn', 'spawnSync', 'execFileSync'], 'argv'),
    ...rows(module, 'fork', 'module'),
    ...rows(module, 'execSync', 'line'),
    // Async exec and execFile build their own options for spawn and leave `detached` out (measured on Node 20).
    ...rows(module, 'exec', 'line', { effect: 'ignores' }),
    ...rows(module, 'execFile', 'argv', { effect: 'ignores' }),
  ];
}

/** The APIs that start processes. */
export const builtInProcesses: readonly ProcessApi[] = [
  ...likeChildProcess('child_process'),
  ...likeChildProcess('promisify-child-process'),
  ...likeChildProcess('child-process-promise'),
  ...likeChildProcess('mz/child_process'),

  ...rows('execa', ['', 'execa', 'execaSync', 'sync'], 'argv'),
  ...rows('execa', ['execaNode', 'node'], 'module'),
  ...rows(
    'execa',
    ['$', '$.sync', '$.s', 'execaCommand', 'execaCommandSync', 'command', 'commandSync'],
    'template',
  ),
  ...rows('execa', ['shell', 'shellSync'], 'line'),
  ...rows('cross-spawn', ['', 'spawn', 'sync', 'spawnSync'], 'argv'),
  ...rows('cross-spawn-promise', '', 'argv'),
  ...rows('nano-spawn', '', 'argv'),
  ...rows('tinyexec', ['x', 'exec', 'xSync'], 'argv', { keys: ['persist', 'nodeOptions.detached'] }),
  ...rows('zx', ['$', '$.sync'], 'shell-template', { settable: true }),
  // The global `$` of its scripts.
  ...rows('zx/globals', ['', 'sync'], 'shell-template'),
  ...rows('@npmcli/promise-spawn', '', 'argv', { options: 2 }),
  ...rows('@expo/spawn-async', ['', 'spawnAsync'], 'argv'),
  ...rows('teen_process', 'exec', 'argv'),
  ...rows('teen_process', 'SubProcess', 'argv', { kind: 'construct' }),
  ...rows('npm-execspawn', '', 'line'),
  ...rows('execspawn', '', 'line'),
  ...rows('spawn-command', '', 'line'),
  ...rows('spawn-please', '', 'argv'),
  ...rows('foreground-child', ['', 'foregroundChild'], 'argv', { options: 2 }),

  // `Bun` and `Deno` are read as the modules `bun` and `deno`.
  ...rows('bun', ['spawn', 'spawnSync'], 'list'),
  ...rows('bun', '$', 'shell-template'),
  ...rows('deno', 'Command', 'argv', { kind: 'construct' }),

  ...rows('owned-spawn', 'spawnOwned', 'argv', { effect: 'ignores' }),
  ...rows('owned-spawn', 'forkOwned', 'module', { effect: 'ignores' }),
  ...rows('owned-spawn', 'spawnDetached', 'argv', { effect: 'outlives', keys: ['why'] }),

  // A pseudo-terminal's child leads a session and ends with the terminal's master end; an opener hands over to the desktop.
  ...['node-pty', '@lydell/node-pty', '@homebridge/node-pty-prebuilt-multiarch'].flatMap((module) =>
    rows(module, 'spawn', 'argv', { effect: 'outlives', keys: [], off: true }),
  ),
  ...['open', 'opn', 'opener'].flatMap((module) =>
    rows(module, ['', 'openApp'], 'argv', { effect: 'outlives', keys: [], off: true }),
  ),
];
