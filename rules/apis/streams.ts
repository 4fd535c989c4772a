import type { Callbacks, LoopRow } from './loop-rows.ts';

/** What a function is, for a message, that a stream calls. */
export const STREAM_CODE = "a stream's callback";

/** What a stream stands for in paths: `Stream#._transform`. */
export const STREAM = 'Stream#';

const callbacks: Callbacks = { run: 'loop', as: STREAM_CODE };

const rows = (module: string, paths: readonly string[]): LoopRow[] =>
  paths.map((path) => ({ module, path, callbacks }));

/** Classes of streams: their options hold functions (`new Transform({ transform })`), and subclasses have methods for them. */
const classes = (module: string, names: readonly string[]): LoopRow[] =>
  names.map((path) => ({ module, path, returns: STREAM, callbacks }));

const NODE_STREAMS = ['Duplex', 'PassThrough', 'Readable', 'Transform', 'Writable'];
const WEB_STREAMS = ['ReadableStream', 'TransformStream', 'WritableStream'];

/** Streams call what they are given for each chunk, whenever one comes. */
export const streamRows: readonly LoopRow[] = [
  ...['stream', 'readable-stream', 'streamx'].flatMap((module) => classes(module, NODE_STREAMS)),
  ...rows('global', WEB_STREAMS),
  ...rows('stream/web', WEB_STREAMS),
  ...rows('through2', ['', 'ctor', 'ctorObj', 'obj']),
  ...rows('through2-concurrent', ['', 'obj']),
  ...rows('through', ['']),
  ...rows('event-stream', ['map', 'mapSync', 'through']),
  ...rows('map-stream', ['']),
  ...rows('split2', ['']),
  ...rows('flush-write-stream', ['', 'obj']),
  ...rows('from2', ['', 'obj']),
];

/** The methods by which a class of its own makes a stream. */
export const STREAM_METHODS: ReadonlySet<string> = new Set([
  '_destroy',
  '_final',
  '_flush',
  '_read',
  '_transform',
  '_write',
  '_writev',
]);

/** The last of the three parameters of `_transform` and `_write`, by which both are known where the class's base is not. */
export const CHUNK_CALLBACK = /^_?(?:cb|callback|done|next)$/i;
