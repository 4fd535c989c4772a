import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What the nearest package.json says of the files below it. */
interface Manifest {
  folder: string;
  private?: boolean;
  type?: string;
  main?: string;
  module?: string;
  exports?: unknown;
  name?: string;
  dependencies?: Record<string, string>;
}

/** Answers what packages say of their files. */
export interface Packages {
  /** Whether a file is an ES module, by its name or its package. */
  isEsModule: (file: string) => boolean;
  /** The major version of a dependency, by the package.json of the file or of one around it. */
  majorOf: (file: string, name: string) => number | undefined;
  /** Whether what a file exports is for others: of a package that is published, its entries; without a package.json all. */
  isPublic: (file: string) => boolean;
}

/**
 * @param textOf the text of a file of the program; undefined for others
 */
export function packagesOf(textOf: (file: string) => string | undefined): Packages {
  const manifests = new Map<string, Manifest | undefined>();
  const entries = new Map<Manifest, ReadonlySet<string> | 'all'>();

  function manifestOf(folder: string): Manifest | undefined {
    if (manifests.has(folder)) return manifests.get(folder);
    const path = join(folder, 'package.json');
    const parent = dirname(folder);
    const found = existsSync(path) ? read(path) : parent === folder ? undefined : manifestOf(parent);
    manifests.set(folder, found);
    return found;
  }

  function read(path: string): Manifest {
    try {
      return { ...(JSON.parse(readFileSync(path, 'utf8')) as object), folder: dirname(path) };
    } catch {
      return { folder: dirname(path) };
    }
  }

  function entriesOf(manifest: Manifest): ReadonlySet<string> | 'all' {
    const named = [manifest.main, manifest.module, ...strings(manifest.exports)].filter(
      (each) => each !== undefined,
    );
    const paths = named.length > 0 ? named : ['index'];
    const files = new Set(
      paths.flatMap((path) => sourceOf(resolve(manifest.folder, path), manifest.folder) ?? []),
    );
    if (files.size === 0) return named.length > 0 ? 'all' : new Set();
    // What an entry hands on whole is an entry as well.
    for (const file of files) {
      for (const [, star, assigned, held] of (textOf(file) ?? '').matchAll(
        /export\s*\*[^'"\n]*from\s*['"](\.[^'"]*)['"]|exports\b[^\n;]*=\s*require\(\s*['"](\.[^'"]*)['"]|(?:\.{3}|[\w'"]\s*:)\s*require\(\s*['"](\.[^'"]*)['"]/g,
      )) {
        const found = sourceOf(resolve(dirname(file), star ?? assigned ?? held ?? ''), manifest.folder);
        if (found !== undefined) files.add(found);
      }
    }
    return files;
  }

  /** The source of a path that may lack its extension, or lie where builds go. */
  function sourceOf(path: string, folder: string): string | undefined {
    const bare = path.replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
    const inside = relative(folder, bare).replaceAll('\\', '/');
    const moved = ['src', 'lib', ''].map((each) =>
      join(folder, each, inside.replace(/^(dist|build|out|lib|esm|cjs)\/(esm\/|cjs\/|src\/)?/, '')),
    );
    for (const base of [bare, ...moved])
      for (const end of [
        '.ts',
        '.js',
        '.mts',
        '.mjs',
        '.cts',
        '.cjs',
        '.tsx',
        '.jsx',
        '/index.ts',
        '/index.js',
        '',
      ])
        if (textOf(base + end) !== undefined) return base + end;
    return undefined;
  }

  return {
    isEsModule(file) {
      if (/\.c[jt]s$/.test(file)) return false;
      return /\.m[jt]s$/.test(file) || manifestOf(dirname(file))?.type === 'module';
    },
    majorOf(file, name) {
      for (let its = manifestOf(dirname(file)); its; its = manifestOf(dirname(its.folder))) {
        const range = its.dependencies?.[name];
        if (range !== undefined) return Number(/\d+/.exec(range)?.[0] ?? NaN);
        if (dirname(its.folder) === its.folder) break;
      }
      return undefined;
    },
    isPublic(file) {
      const manifest = manifestOf(dirname(file));
      if (!manifest) return true;
      if (manifest.private === true) return false;
      const its = entries.get(manifest) ?? entriesOf(manifest);
      entries.set(manifest, its);
      return its === 'all' || its.has(file);
    },
  };
}

/** Every path that an `exports` field names. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
