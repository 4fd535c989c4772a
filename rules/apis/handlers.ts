import type { Callbacks, LoopRow } from './loop-rows.ts';

type Rejections = Callbacks['rejections'];

const onLoop = (as: string, rejections: Rejections): Callbacks => ({
  run: 'loop',
  as,
  ...(rejections && { rejections }),
});

function rows(module: string, paths: readonly string[], as: string, rejections?: Rejections): LoopRow[] {
  return paths.map((path) => ({ module, path, callbacks: onLoop(as, rejections) }));
}

const methodsOf = (made: string, names: readonly string[]) => names.map((name) => `${made}.${name}`);

export const REQUEST = 'a request handler';
const VERBS = ['all', 'delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

/** A web framework: what makes an application or a router, and which of its methods take handlers. */
function framework(
  module: string,
  makers: readonly string[],
  methods: readonly string[],
  chains: readonly string[] = [],
  rejections: Rejections = 'seen',
): LoopRow[] {
  return [
    ...makers.map((path): LoopRow => ({ module, path, returns: 'App#' })),
    ...methods.map((name): LoopRow => ({
      module,
      path: `App#.${name}`,
      returns: 'App#',
      callbacks: onLoop(REQUEST, rejections),
    })),
    ...chains.map((name): LoopRow => ({ module, path: `App#.${name}`, returns: 'App#' })),
  ];
}

/** Who calls back on the loop. Receivers that no row knows are told by {@link shapedHandler} and its kin. */
export const handlerRows: readonly LoopRow[] = [
  ...rows('global', ['setImmediate', 'setInterval', 'setTimeout'], 'a timer'),
  ...rows('global', ['queueMicrotask', 'process.nextTick', 'requestIdleCallback'], 'a callback'),
  ...rows('timers', ['setImmediate', 'setInterval', 'setTimeout'], 'a timer'),
  ...rows('process', ['nextTick'], 'a callback'),
  ...['lodash', 'lodash-es', 'underscore', 'throttle-debounce', 'radash'].flatMap((module) =>
    rows(module, ['debounce', 'throttle', 'defer', 'delay'], 'a timer'),
  ),
  ...rows('lodash.debounce', [''], 'a timer'),
  ...rows('lodash.throttle', [''], 'a timer'),

  ...['fs', 'graceful-fs', 'fs-extra'].flatMap((module) =>
    rows(module, ['watch', 'watchFile'], 'a file watcher'),
  ),
  ...['http', 'https', 'http2'].flatMap((module) =>
    rows(module, ['createServer', 'createSecureServer'], REQUEST),
  ),
  ...rows('net', ['createServer', 'createConnection', 'connect'], 'a connection handler'),
  ...rows('tls', ['createServer', 'connect'], 'a connection handler'),
  ...rows('dgram', ['createSocket'], 'a message handler'),
  ...rows('bun', ['serve'], REQUEST, 'seen'),
  ...rows('deno', ['serve'], REQUEST, 'seen'),

  ...framework(
    'express',
    ['', 'Router', 'Express', 'Application', 'IRouter'],
    [...VERBS, 'param', 'use'],
    ['route'],
    'next',
  ),
  ...framework('polka', [''], [...VERBS, 'use'], [], 'next'),
  ...framework('restify', ['createServer', 'Server'], ['del', ...VERBS, 'opts', 'pre', 'use'], [], 'next'),
  ...framework(
    'fastify',
    ['', 'fastify', 'Fastify', 'FastifyInstance'],
    ['addHook', ...VERBS, 'route', 'setErrorHandler', 'setNotFoundHandler'],
  ),
  ...framework('koa', [''], ['use']),
  ...['@koa/router', 'koa-router'].flatMap((module) =>
    framework(module, ['', 'Router'], ['del', ...VERBS, 'use']),
  ),
  ...framework('hono', ['Hono'], [...VERBS, 'notFound', 'on', 'onError', 'use'], ['basePath']),
  ...framework('@hapi/hapi', ['server', 'Server'], ['ext', 'route']),
  ...framework('h3', ['createRouter', 'createApp', 'H3'], [...VERBS, 'use']),
  ...rows('h3', ['defineEventHandler', 'eventHandler'], REQUEST, 'seen'),
  ...rows('elysia', methodsOf('App#', [...VERBS, 'ws']), REQUEST, 'seen'),
  { module: 'elysia', path: 'Elysia', returns: 'App#' },

  ...['ipcMain', 'Ipc#'].flatMap((receiver) => [
    ...rows('electron', methodsOf(receiver, ['handle', 'handleOnce']), 'an IPC handler', 'seen'),
    ...rows('electron', methodsOf(receiver, ['on', 'once']), 'an IPC handler'),
  ]),
  { module: 'electron', path: 'IpcMain', returns: 'Ipc#' },
  ...rows('electron', methodsOf('ipcRenderer', ['on', 'once']), 'an IPC handler'),
  ...rows('electron', ['globalShortcut.register', 'protocol.registerFileProtocol'], 'a handler'),
  ...rows('electron', ['protocol.handle'], 'a handler', 'seen'),
  ...rows('vscode', ['commands.registerCommand'], 'a command handler', 'seen'),
  ...rows('vscode', ['commands.registerTextEditorCommand'], 'a command handler'),

  ...['@modelcontextprotocol/sdk/server/mcp', '@modelcontextprotocol/sdk/server/mcp.js'].flatMap((module) => [
    { module, path: 'McpServer', returns: 'Server#' },
    ...rows(
      module,
      methodsOf('Server#', [
        'prompt',
        'registerPrompt',
        'registerResource',
        'registerTool',
        'resource',
        'tool',
      ]),
      'a tool handler',
      'seen',
    ),
  ]),

  ...framework('telegraf', ['Telegraf', 'Composer'], ['action', 'command', 'hears', 'on', 'start', 'use']),
  ...framework('grammy', ['Bot', 'Composer'], ['callbackQuery', 'command', 'hears', 'on', 'use']),
  ...framework(
    '@slack/bolt',
    ['App'],
    ['action', 'command', 'event', 'message', 'options', 'shortcut', 'use', 'view'],
  ),
  ...rows('@apollo/server', ['ApolloServer'], 'a resolver', 'seen'),
  ...rows('apollo-server', ['ApolloServer'], 'a resolver', 'seen'),
  ...rows('@graphql-tools/schema', ['makeExecutableSchema'], 'a resolver', 'seen'),
  ...rows('graphql-yoga', ['createSchema'], 'a resolver', 'seen'),

  // Decorators of methods.
  ...rows(
    '@nestjs/common',
    ['All', 'Delete', 'Get', 'Head', 'Options', 'Patch', 'Post', 'Put', 'Sse'],
    REQUEST,
    'seen',
  ),
  ...rows('@nestjs/graphql', ['Mutation', 'Query', 'ResolveField', 'Subscription'], 'a resolver', 'seen'),
  ...rows('@nestjs/microservices', ['EventPattern', 'MessagePattern'], 'a message handler', 'seen'),
  ...rows('@nestjs/websockets', ['SubscribeMessage'], 'a message handler', 'seen'),
  ...rows('@nestjs/schedule', ['Cron', 'Interval', 'Timeout'], 'a scheduled task'),
  ...rows('@nestjs/event-emitter', ['OnEvent'], 'an event handler'),
  ...rows('@nestjs/bull', ['Process'], 'a queue handler', 'seen'),
  ...rows('routing-controllers', ['All', 'Delete', 'Get', 'Patch', 'Post', 'Put'], REQUEST, 'seen'),
  ...rows('type-graphql', ['FieldResolver', 'Mutation', 'Query', 'Subscription'], 'a resolver', 'seen'),

  ...rows('bullmq', ['Worker'], 'a queue handler', 'seen'),
  { module: 'bull', path: '', returns: 'Queue#' },
  ...rows('bull', ['Queue#.process'], 'a queue handler', 'seen'),
  { module: 'bee-queue', path: '', returns: 'Queue#' },
  ...rows('bee-queue', ['Queue#.process'], 'a queue handler', 'seen'),
  ...rows('node-cron', ['schedule'], 'a scheduled task'),
  ...rows('node-schedule', ['scheduleJob'], 'a scheduled task'),
  ...rows('cron', ['CronJob', 'job'], 'a scheduled task'),
  ...rows('croner', ['Cron', ''], 'a scheduled task'),
];

/** How a receiver that no row knows registers a handler. */
interface Shape {
  names: ReadonlySet<string>;
  as: string;
  /** What the call must hold beside the function: an event's name, a route's path. */
  needs?: 'event' | 'route';
  rejections?: 'seen';
}

export const SHAPES: readonly Shape[] = [
  {
    names: new Set([
      'on',
      'once',
      'addListener',
      'prependListener',
      'prependOnceListener',
      'addEventListener',
    ]),
    as: 'an event handler',
    needs: 'event',
  },
  { names: new Set([...VERBS, 'del', 'use']), as: REQUEST, needs: 'route' },
  {
    names: new Set([
      'registerTool',
      'registerPrompt',
      'registerResource',
      'setRequestHandler',
      'setNotificationHandler',
    ]),
    as: 'a tool handler',
    rejections: 'seen',
  },
  { names: new Set(['consume', 'subscribe']), as: 'a message handler' },
  { names: new Set(['query', 'mutation', 'subscription']), as: 'a procedure', rejections: 'seen' },
];

/** `workspace.onDidChangeTextDocument(fn)`, `connection.onHover(fn)`; what comes once, at the start or the end, left out. */
export const REGISTERS =
  /^on(?!(?:Before|Did|Will)?(?:Boot|Close|Complete|Destroy|Done|End|Exit|Finish|Init|Initialize|Listen|Load|Mount|Quit|Ready|Shutdown|Start|Stop)$)[A-Z]/;

/** Packages of hosts that call the methods of the classes which implement their interfaces. */
export const HOSTS: ReadonlySet<string> = new Set(['vscode', 'vscode-languageserver']);

/** A property that the runtime calls: `socket.onmessage = fn`. */
export const HANDLER_PROPERTY = /^on[a-z]{3,}$/;

/** Names that the parameters of a request handler have, in order. */
export const REQUEST_PARAMETERS = [/^_?(req|request)$/, /^_?(res|resp|response|reply)$/] as const;

/** Types of what a server hands to its handlers, by module: who takes one runs while something is served. */
export const REQUEST_TYPES: Readonly<Record<string, readonly string[]>> = {
  '@hapi/hapi': ['Request', 'ResponseToolkit'],
  '@nestjs/common': ['ExecutionContext'],
  '@sveltejs/kit': ['RequestEvent'],
  electron: ['IpcMainEvent', 'IpcMainInvokeEvent'],
  express: ['Request', 'Response', 'NextFunction'],
  fastify: ['FastifyReply', 'FastifyRequest'],
  global: ['Express.Request', 'Express.Response'],
  h3: ['H3Event'],
  hono: ['Context'],
  http: ['IncomingMessage', 'ServerResponse'],
  koa: ['Context', 'ParameterizedContext'],
  next: ['NextApiRequest', 'NextApiResponse'],
  'next/server': ['NextRequest'],
};

/** An error first: the callback of an asynchronous API. */
export const ERROR_PARAMETER = /^_?(e|er|err|error)\d?$/;

export const PROMISE_CALLBACK = 'a promise callback';

/** What compilers make of `async` for older engines: the first kind gives a promise, the second a function that does. */
export const ASYNC_HELPERS = {
  run: /^__(?:awaiter|async)$/,
  wrap: /^_?(?:asyncToGenerator|async_to_generator|wrapAsyncGenerator)\d*$/,
} as const;

/** What a promise's handlers are given to. */
export const PROMISE_METHODS: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

/** Exports that frameworks call for each request: Next, SvelteKit, Remix and their kin. */
export const ROUTE_EXPORTS: ReadonlySet<string> = new Set([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'getServerSideProps',
]);

/** Calls that run their callbacks before they return. */
export const NOW_METHODS: ReadonlySet<string> = new Set([
  'each',
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'forEach',
  'from',
  'fromEntries',
  'map',
  'mapValues',
  'parse',
  'reduce',
  'reduceRight',
  'replace',
  'replaceAll',
  'some',
  'sort',
  'stringify',
  'toSorted',
  'transaction',
]);
