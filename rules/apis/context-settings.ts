import { asList, asRecord, fail, onlyKeys } from './checked.ts';

/** What counts as on the event loop; each of these is a guess that users may switch off. */
export interface ContextSettings {
  /** Files whose code is off the loop, as globs: tests, build scripts, configs. */
  offFiles: readonly string[];
  /** Files of command line programs, as globs: nothing else runs in their process. */
  commandFiles: readonly string[];
  /** A file with a shebang or named in a package's `bin` that starts no server, timer or watcher is a command. */
  commands: boolean;
  /** A file that speaks to a `parentPort`, or is named `….worker.ts`, is a worker's. */
  workers: boolean;
  /** Handlers of `exit`, crashes and leaving signals, and code directly before `process.exit()`, must block. */
  exits: boolean;
  /** Functions that only the top level reaches run before there is anything to serve. */
  boot: boolean;
  /** What keeps its result in a variable of the module, and looks there first, runs once. */
  once: boolean;
  /** A child with `stdio: 'inherit'` is handed the terminal, and the program is meant to wait. */
  terminals: boolean;
  /** Handlers are also told by their shape: `x.on('event', fn)`, `(req, res) => …`, `(error, value) => …`. */
  shapes: boolean;
  /** A function that returns a promise is as good as an async one. */
  promises: boolean;
}

export const builtInContext: ContextSettings = {
  offFiles: [
    '**/{test,tests,__tests__,__mocks__,spec,specs,e2e,fixtures,__fixtures__,testing}/**',
    '**/{test,tests}.*',
    '**/*.{test,tests,spec,e2e,bench,stories,eval}.*',
    '**/{scripts,bench,benchmark,benchmarks,evals}/**',
    // What a build writes is no TypeScript.
    'build/**/*.{ts,mts,cts}',
    '**/*.{config,conf}.*',
    '**/{gulpfile,Gruntfile,Jakefile,karma.conf,rollup.config,webpack.config}.*',
  ],
  commandFiles: [],
  commands: true,
  workers: true,
  exits: true,
  boot: true,
  once: true,
  terminals: true,
  shapes: true,
  promises: true,
};

/** @throws {SettingsError} naming what is wrong. */
export function checkedContext(value: unknown, where: string): ContextSettings {
  if (value === undefined) return builtInContext;
  const given = asRecord(value, where);
  onlyKeys(given, Object.keys(builtInContext), where);
  for (const [key, usual] of Object.entries(builtInContext)) {
    const its = given[key];
    if (its === undefined) continue;
    if (typeof usual === 'boolean' && typeof its !== 'boolean')
      fail(`${where}.${key}`, 'must be true or false');
    if (
      typeof usual !== 'boolean' &&
      !asList(its, `${where}.${key}`).every((glob) => typeof glob === 'string')
    )
      fail(`${where}.${key}`, `must be a list of globs, such as ['scripts/**']`);
  }
  return { ...builtInContext, ...given };
}
