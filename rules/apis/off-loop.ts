import type { LoopRow } from './loop-rows.ts';

function rows(module: string, paths: readonly string[], as: string): LoopRow[] {
  return paths.map((path) => ({ module, path, callbacks: { run: 'off', as } }));
}

/** What test runners export, and make globals. */
const TEST_FUNCTIONS: readonly string[] = [
  ...['after', 'afterAll', 'afterEach', 'before', 'beforeAll', 'beforeEach'],
  ...['describe', 'it', 'suite', 'test'],
];

/** Who runs the functions that it is given off the loop, in another context, or when the process is about to end. */
export const offLoopRows: readonly LoopRow[] = [
  ...rows('owned-spawn/offload', ['offload'], 'a worker'),
  ...rows('workerpool', ['worker'], 'a worker'),
  { module: 'workerpool', path: 'pool', returns: 'Pool#' },
  ...rows('workerpool', ['Pool#.exec'], 'a worker'),
  { module: 'piscina', path: '', returns: 'Pool#' },
  { module: 'piscina', path: 'Piscina', returns: 'Pool#' },
  ...rows('piscina', ['Pool#.run', 'Pool#.runTask'], 'a worker'),
  { module: 'tinypool', path: '', returns: 'Pool#' },
  { module: 'tinypool', path: 'Tinypool', returns: 'Pool#' },
  ...rows('tinypool', ['Pool#.run'], 'a worker'),
  ...rows('microjob', ['job'], 'a worker'),
  ...rows('greenlet', [''], 'a worker'),
  ...rows('worker_threads', ['parentPort.on', 'parentPort.once', 'parentPort.addListener'], 'a worker'),

  ...rows('exit-hook', ['', 'exitHook'], 'an exit handler'),
  ...rows('signal-exit', ['', 'onExit'], 'an exit handler'),
  ...rows('node-cleanup', [''], 'an exit handler'),
  ...rows('death', [''], 'an exit handler'),

  // What a test runner calls serves nobody, and what a command line parser calls is the whole program.
  ...['node:test', 'vitest', '@jest/globals', 'mocha', 'bun:test', '@playwright/test'].flatMap((module) =>
    rows(module, ['', 'bench', ...TEST_FUNCTIONS], 'a test'),
  ),
  ...rows('global', TEST_FUNCTIONS, 'a test'),
];

/** What a function is, for a message, that a command line parser calls. */
export const COMMAND = 'a command';

/** Calls that stand for a command line: `program.command('x').action(fn)`, `defineCommand({ run() {} })`. */
export const COMMAND_METHODS: ReadonlySet<string> = new Set(['action', 'createCommand', 'defineCommand']);

/** What modules export beside the `handler` of a command: yargs' names and pnpm's. */
export const COMMAND_EXPORTS: ReadonlySet<string> = new Set([
  'builder',
  'command',
  'commandNames',
  'describe',
  'help',
]);

/** Packages that parse command lines; a file that uses one is that of a command. */
export const COMMAND_LINES: readonly string[] = [
  'commander',
  'yargs',
  'cac',
  'sade',
  'meow',
  'oclif',
  '@oclif/core',
  'citty',
  'clipanion',
  'caporal',
];

/** Packages that make a program live on to serve somebody: a command that needs one may be a server. */
export const SERVERS: ReadonlySet<string> = new Set([
  '@fastify/websocket',
  '@grpc/grpc-js',
  '@hapi/hapi',
  '@hono/node-server',
  '@modelcontextprotocol/sdk',
  'blessed',
  'bull',
  'bullmq',
  'chokidar',
  'connect',
  'discord.js',
  'electron',
  'express',
  'fastify',
  'grammy',
  'hono',
  'ink',
  'koa',
  'mqtt',
  'next',
  'node-cron',
  'polka',
  'restify',
  'socket.io',
  'telegraf',
  'vite',
  'vscode-languageserver',
  'webpack-dev-server',
  'ws',
]);

/** Events after which nothing else runs in a process: their handlers must block, for nothing later is waited for. */
export const LAST_EVENTS: ReadonlySet<string> = new Set([
  'exit',
  'beforeExit',
  'uncaughtException',
  'uncaughtExceptionMonitor',
  'unhandledRejection',
  'will-quit',
  'before-quit',
  'quit',
  'SIGINT',
  'SIGTERM',
  'SIGQUIT',
  'SIGBREAK',
]);

/** Events that come once, before there is anything to serve. */
export const FIRST_EVENTS: ReadonlySet<string> = new Set([
  'DOMContentLoaded',
  'listening',
  'load',
  'ready',
  'spawn',
]);
