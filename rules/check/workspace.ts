import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Package {
  folder: string;
  /** The files that it names as its entries, by what is imported: `.`, `./utils`. */
  entries: ReadonlyMap<string, string>;
}

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** Where a package's sources lie that its entries were built of. */
const BUILT = /^(?:dist|build|lib|out|esm|cjs|types)\/(?:(?:esm|cjs|types|src|node)\/)?/;

/**
 * Finds the source of what is imported from the packages around some files.
 *
 * @returns a function of what is imported, such as `@scope/core/utils`; undefined where no package has that name.
 */
export function workspaceOf(files: readonly string[]): (specifier: string) => string | undefined {
  const packages = new Map<string, Package>();
  const seen = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder);
      const found = packageAt(folder);
      if (found && !packages.has(found.name)) packages.set(found.name, found);
    }
  }
  const known = new Map<string, string | undefined>();
  return (specifier) => {
    if (!known.has(specifier)) known.set(specifier, find(specifier));
    return known.get(specifier);
  };

  function find(specifier: string): string | undefined {
    const [, name = '', below = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
    const its = packages.get(name);
    if (!its) return undefined;
    const entry = its.entries.get(`.${below}`);
    const paths = entry === undefined ? (below === '' ? ['index', 'src/index'] : [below.slice(1)]) : [entry];
    for (const path of paths) {
      const plain = path.replace(/^\.\//, '').replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
      const rest = plain.replace(BUILT, '');
      for (const candidate of new Set([plain, `src/${rest}`, rest, 'src/index', 'index'])) {
        const isGuess = candidate === 'src/index' || candidate === 'index';
        if (isGuess && below !== '') continue;
        const file = sourceAt(join(its.folder, candidate));
        if (file !== undefined) return file;
      }
    }
    return undefined;
  }
}

function sourceAt(path: string): string | undefined {
  for (const base of [path, join(path, 'index')]) {
    for (const extension of EXTENSIONS) {
      const file = base + extension;
      if (isFile(file)) return file.replaceAll('\\', '/');
    }
  }
  return undefined;
}

/** `throwIfNoEntry: false` throws all the same below what is no folder: `package.json/index.ts`. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function packageAt(folder: string): (Package & { name: string }) | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  try {
    const { name, main, module, types, exports } = JSON.parse(readFileSync(file, 'utf8')) as Record<
      string,
      unknown
    >;
    if (typeof name !== 'string') return undefined;
    const entries = new Map<string, string>();
    const entry = [module, main, types].find((each) => typeof each === 'string');
    if (typeof entry === 'string') entries.set('.', entry);
    // Keys are what is imported, or else conditions of the package as a whole.
    if (typeof exports === 'object' && Object.keys(exports ?? {}).some((key) => key.startsWith('.'))) {
      for (const [key, value] of Object.entries(exports ?? {})) {
        const path = firstPath(value);
        if (path !== undefined && !key.includes('*')) entries.set(key, path);
      }
    } else {
      const path = firstPath(exports);
      if (path !== undefined) entries.set('.', path);
    }
    return { name, folder, entries };
  } catch {
    return undefined;
  }
}

/** The first file that the conditions of an entry name. */
function firstPath(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const each of Object.values(value)) {
    const path = firstPath(each);
    if (path !== undefined) return path;
  }
  return undefined;
}
