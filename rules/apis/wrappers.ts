import type { LoopRow } from './loop-rows.ts';

/**
 * Packages whose only export wraps a function, by its call or by a method of that name. Left out is what calls it a single
 * time in a process (`once`), as is what fills a variable of the module the first time: the setting `once`.
 */
const WRAPPERS: readonly string[] = [
  'express-async-handler',
  'fast-memoize',
  'lodash.memoize',
  'mem',
  'memoize',
  'memoize-one',
  'memoizee',
  'micro-memoize',
  'mimic-function',
  'moize',
  'nano-memoize',
  'p-memoize',
  'pify',
  'thenify',
];

/** What the collections of helpers call such functions. */
const HELPERS = ['after', 'ary', 'before', 'flip', 'memoize', 'partial', 'partialRight', 'rearg', 'unary'];

const LIBRARIES = [
  'lodash',
  'lodash-es',
  'lodash/fp',
  'underscore',
  'ramda',
  'remeda',
  'radash',
  'es-toolkit',
  'rambda',
];

const wraps = (module: string, path: string): LoopRow => ({
  module,
  path,
  callbacks: { run: 'called', as: '' },
});

/** Who gives a function that calls the one it is given. */
export const wrapperRows: readonly LoopRow[] = [
  ...WRAPPERS.map((module) => wraps(module, '')),
  ...LIBRARIES.flatMap((module) => HELPERS.map((path) => wraps(module, path))),
  ...['lodash', 'lodash-es'].flatMap((module) => HELPERS.map((name) => wraps(`${module}/${name}`, ''))),
  wraps('util', 'promisify'),
  wraps('util', 'callbackify'),
  wraps('util', 'deprecate'),
  wraps('async_hooks', 'AsyncResource.bind'),
  wraps('react', 'useCallback'),
  wraps('react', 'cache'),
];
