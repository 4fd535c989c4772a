import { existsSync } from 'node:fs';
import type typescript from 'typescript';
import type { Compiler } from '../graph/compiler.ts';
import { fileOptions, type ConfigFault } from './file-options.ts';
import { isMinified } from './minified.ts';
import { workspaceOf } from './workspace.ts';

/** In UTF-16 units; what is longer was written by a bundler, and holds all that it calls. */
const BIG = 1_000_000;

/**
 * One program over all the given files and what they import, of however many packages, with or without tsconfigs.
 *
 * Only the ways that lead to other files are taken from the tsconfigs (`paths`, `baseUrl`), each for its own folder.
 * Packages below `node_modules` are left out, so that the answer is the same before and after they are installed; those
 * of the workspace are found by their names, in their sources.
 *
 * @param files absolute, with `/` or the platform's separator
 * @param contentOf texts that count in the place of what is on the disk
 * @param fail is told of each tsconfig that is broken
 */
export function programOf(
  ts: Compiler,
  files: readonly string[],
  contentOf: (path: string) => string | undefined = () => undefined,
  fail: (fault: ConfigFault) => void = () => undefined,
): typescript.Program {
  const options: typescript.CompilerOptions = {
    allowJs: true,
    checkJs: false,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    resolveJsonModule: false,
    jsx: ts.JsxEmit.Preserve,
    lib: ['lib.esnext.d.ts'],
    types: [],
    skipLibCheck: true,
    experimentalDecorators: true,
  };
  const host = ts.createCompilerHost(options);
  const [readFile, fileExists] = [host.readFile.bind(host), host.fileExists.bind(host)];
  host.readFile = (path) => contentOf(path) ?? readFile(path);
  host.fileExists = (path) => contentOf(path) !== undefined || fileExists(path);
  const getSourceFile = host.getSourceFile.bind(host);
  const optionsOf = fileOptions(ts, options, fail);
  const workspace = workspaceOf(files);

  const resolve = (name: string, from: string): typescript.ResolvedModuleFull | undefined => {
    const isRelative = /^\.{0,2}\//.test(name) || /^\.{1,2}$/.test(name);
    for (const its of optionsOf(from)) {
      const isMapped = its.paths !== undefined || 'baseUrl' in its || name.startsWith('#');
      if (!isRelative && !isMapped) continue;
      const found = ts.resolveModuleName(name, from, its, host).resolvedModule;
      const source = found && sourceOf(found);
      if (source) return source;
    }
    const file = workspace(name);
    return file === undefined ? undefined : moduleAt(file);
  };

  return ts.createProgram(files, options, {
    ...host,
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    getSourceFile(path, version, onError) {
      const text = path.endsWith('.d.ts') ? '' : (host.readFile(path) ?? '');
      return text.length > BIG || isMinified(path, text)
        ? ts.createSourceFile(path, '', version)
        : getSourceFile(path, version, onError);
    },
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => ({ resolvedModule: resolve(text, from) })),
  });
}

const isSource = (path: string): boolean => !/[\\/]node_modules[\\/]|\.d\.[cm]?ts$|\.json$/.test(path);

/** What is declared beside its JavaScript, `git.d.ts` of `git.js`, is followed there. */
function sourceOf(found: typescript.ResolvedModuleFull): typescript.ResolvedModuleFull | undefined {
  const { resolvedFileName: path } = found;
  if (isSource(path)) return found;
  const [, stem, kind = ''] = /^(.*)\.d\.([cm]?)ts$/.exec(path) ?? [];
  const beside = [`${stem ?? ''}.${kind}js`, `${stem ?? ''}.jsx`].find((file) => existsSync(file));
  return stem !== undefined && beside !== undefined && isSource(beside) ? moduleAt(beside) : undefined;
}

const moduleAt = (file: string): typescript.ResolvedModuleFull => ({
  resolvedFileName: file,
  extension: extensionOf(file),
  isExternalLibraryImport: false,
});

const extensionOf = (path: string): string => /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? '.ts';
