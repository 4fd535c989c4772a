import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { offLoopError } from '../host/codec.ts';

export type DriverName = 'better-sqlite3' | 'node:sqlite';

/** A driver as a host loads it. */
export interface Driver {
  name: DriverName;
  /** What to require: an absolute path, or the builtin. */
  path: string;
}

/** Where a program's modules are looked for: the given place, the entry file, the current folder. */
function places(from: string | URL | undefined): string[] {
  const given =
    from === undefined ? [] : [String(from).startsWith('file:') ? fileURLToPath(from) : String(from)];
  return [...given, ...(process.argv[1] === undefined ? [] : [process.argv[1]]), join(process.cwd(), 'x')];
}

function betterSqlite3(from: string | URL | undefined): string | undefined {
  for (const place of places(from)) {
    try {
      return createRequire(place).resolve('better-sqlite3');
    } catch {
      // The next place may have it.
    }
  }
  return undefined;
}

/**
 * The driver to use: the named one, else the one that this process has loaded already, else better-sqlite3 where it is
 * installed, else node:sqlite.
 * @param from where better-sqlite3 is looked for first
 * @throws ERR_OWNED_SPAWN_NO_DRIVER where it is not to be had
 */
export function chooseDriver(name: DriverName | undefined, from: string | URL | undefined): Driver {
  const path = name === 'node:sqlite' ? undefined : betterSqlite3(from);
  const hasBuiltin = isBuiltin('node:sqlite');
  const prefersBuiltin = path === undefined || (hasBuiltin && usesNodeSqlite() && !addons().some(isOf(path)));
  if (path !== undefined && (name !== undefined || !prefersBuiltin)) return { name: 'better-sqlite3', path };
  if (name !== 'better-sqlite3' && hasBuiltin) return { name: 'node:sqlite', path: 'node:sqlite' };
  throw offLoopError(
    'ERR_OWNED_SPAWN_NO_DRIVER',
    name === 'node:sqlite'
      ? `node:sqlite is not in Node ${process.versions.node} (22.13 has it, 22.5 with --experimental-sqlite): npm install better-sqlite3`
      : 'better-sqlite3 is not installed where this program looks for modules: npm install better-sqlite3, or name the place with the option resolveFrom',
  );
}

/** Whether an addon belongs to the package of an entry file, `lib/index.js`. */
const isOf = (entry: string) => (addon: string) => addon.startsWith(join(dirname(entry), '..') + sep);

/** Whether this thread has loaded node:sqlite. */
const usesNodeSqlite = (): boolean =>
  ((process as { moduleLoadList?: string[] }).moduleLoadList ?? []).includes('NativeModule sqlite');

/** Native libraries in this process that hold a SQLite. */
function addons(): string[] {
  let paths: string[];
  try {
    const maps = readFileSync('/proc/self/maps', 'utf8');
    paths = maps.split('\n').flatMap((line) => /(\/.*)$/.exec(line)?.[1] ?? []);
  } catch {
    const report = process.report.getReport() as { sharedObjects?: string[] };
    paths = report.sharedObjects ?? [];
  }
  // A Node that was linked with the system's library has its node:sqlite there.
  return [...new Set(paths)].filter(
    (path) =>
      /(?:sqlite|libsql)[^/\\]*\.(?:node|so|dylib|dll)\b/i.test(path) && !/[/\\]libsqlite3\.so/.test(path),
  );
}

/**
 * SQLite builds in this process other than the driver's. Two of them drop each other's locks: closing any descriptor of a
 * file drops all locks of the process on it (fcntl(2)), which one build knows only of its own descriptors. Databases were
 * lost by it (https://www.sqlite.org/howtocorrupt.html, 2.2.1).
 * @param loaded paths of the SQLite libraries in this process
 */
export function otherBuilds(driver: Driver, loaded: readonly string[] = addons()): string[] {
  const own = driver.name === 'better-sqlite3' ? isOf(driver.path) : () => false;
  return [
    ...loaded.filter((addon) => !own(addon)),
    ...(driver.name === 'better-sqlite3' && usesNodeSqlite() ? ['node:sqlite'] : []),
  ];
}

/** The driver's class of errors, without the driver: `instanceof` then holds here too. */
export function errorClasses(driver: Driver): Record<string, new (message: string, code: string) => Error> {
  if (driver.name !== 'better-sqlite3') return {};
  try {
    const SqliteError = createRequire(driver.path)('./sqlite-error') as new (m: string, c: string) => Error;
    return { SqliteError };
  } catch {
    return {};
  }
}
