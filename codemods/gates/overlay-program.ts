import { fileURLToPath } from 'node:url';
import type { Compiler } from 'eslint-plugin-owned-spawn/api';
import type typescript from 'typescript';
import type { CompileUnit } from './compile-units.ts';

/** A program, and which files of it import which. */
export interface OverlayProgram {
  program: typescript.Program;
  /** By the imported file, the files that import it. */
  importers: ReadonlyMap<string, ReadonlySet<string>>;
  /** The files as they were read: in the program, those of a package that is there twice stand for its first copy. */
  sources: ReadonlyMap<string, typescript.SourceFile>;
}

const here = fileURLToPath(import.meta.url);

/**
 * A program over a unit's files, some of them with other texts than on the disk. What the unit imports of the runtime and
 * is not installed yet is found where this package finds it.
 *
 * @param texts by absolute path
 * @param before a program of the same unit whose unchanged files are taken over
 */
export function overlayProgram(
  ts: Compiler,
  { options, roots }: CompileUnit,
  texts: ReadonlyMap<string, string>,
  before?: OverlayProgram,
): OverlayProgram {
  const host = ts.createCompilerHost(options, true);
  const importers = new Map<string, Set<string>>(
    [...(before?.importers ?? [])].map(([path, by]) => [path, new Set(by)]),
  );
  const sources = new Map(before?.sources);
  const cache = ts.createModuleResolutionCache(host.getCurrentDirectory(), (name) => name, options);
  const bundler = { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext };
  const readFile = host.readFile.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);

  const program = ts.createProgram({
    rootNames: [...roots],
    options,
    ...(before && { oldProgram: before.program }),
    host: {
      ...host,
      readFile: (path) => texts.get(path) ?? readFile(path),
      getSourceFile(path, version, ...rest) {
        const text = texts.get(path);
        if (text !== undefined) return ts.createSourceFile(path, text, version, true);
        const source = sources.get(path) ?? getSourceFile(path, version, ...rest);
        if (source) sources.set(path, source);
        return source;
      },
      resolveModuleNameLiterals: (literals, from, redirected, its, file) =>
        literals.map((literal) => {
          const { text: name } = literal;
          const mode = ts.getModeForUsageLocation(file, literal, its);
          let { resolvedModule } = ts.resolveModuleName(name, from, its, host, cache, redirected, mode);
          if (!resolvedModule && /^owned-spawn(?:\/|$)/.test(name))
            ({ resolvedModule } = ts.resolveModuleName(name, here, bundler, host));
          const path = resolvedModule?.resolvedFileName;
          if (path !== undefined) importers.set(path, (importers.get(path) ?? new Set()).add(from));
          return { resolvedModule };
        }),
    },
  });
  return { program, importers, sources };
}

/** The files and all that import them, directly or through others: what an edit of them can change the types of. */
export function affectedBy(files: Iterable<string>, { importers }: OverlayProgram): Set<string> {
  const affected = new Set(files);
  for (const file of affected) for (const importer of importers.get(file) ?? []) affected.add(importer);
  return affected;
}
