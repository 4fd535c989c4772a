import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type typescript from 'typescript';
import type { Compiler } from '../graph/compiler.ts';
import { isMinified } from './minified.ts';
import { workspaceOf } from './workspace.ts';

/** In UTF-16 units; what is longer was written by a bundler, and holds all that it calls. */
const BIG = 1_000_000;

/** Deprecated in TypeScript 6, and what older projects look their modules up by. */
const BASE = 'baseUrl';

/**
 * One program over all the given files and what they import, of however many packages, with or without tsconfigs.
 *
 * Only the ways that lead to other files are taken from the tsconfigs (`paths`, `baseUrl`), each for its own folder.
 * Packages below `node_modules` are left out, so that the answer is the same before and after they are installed; those
 * of the workspace are found by their names, in their sources.
 *
 * @param files absolute, with `/` or the platform's separator
 * @param contentOf texts that count in the place of what is on the disk
 */
export function programOf(
  ts: Compiler,
  files: readonly string[],
  contentOf: (path: string) => string | undefined = () => undefined,
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
  const optionsOf = folderOptions(ts, options);
  const workspace = workspaceOf(files);

  const resolve = (name: string, from: string): typescript.ResolvedModuleFull | undefined => {
    const its = optionsOf(dirname(from));
    const isMapped = its.paths !== undefined || BASE in its || name.startsWith('#');
    const found =
      /^\.{0,2}\//.test(name) || /^\.{1,2}$/.test(name) || isMapped
        ? ts.resolveModuleName(name, from, its, host).resolvedModule
        : undefined;
    if (found && isSource(found.resolvedFileName)) return found;
    const file = workspace(name);
    if (file === undefined) return undefined;
    return { resolvedFileName: file, extension: extensionOf(file), isExternalLibraryImport: false };
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

const extensionOf = (path: string): string => /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? '.ts';

/** The compiler options that the nearest tsconfig or jsconfig gives a folder, for looking up modules. */
function folderOptions(
  ts: Compiler,
  usual: typescript.CompilerOptions,
): (folder: string) => typescript.CompilerOptions {
  const known = new Map<string, typescript.CompilerOptions>();
  const ofFolder = (folder: string): typescript.CompilerOptions => {
    const before = known.get(folder);
    if (before) return before;
    const config = ['tsconfig.json', 'jsconfig.json'].map((name) => join(folder, name)).find(existsSync);
    const parent = dirname(folder);
    const made = config ? read(config) : parent === folder ? usual : ofFolder(parent);
    known.set(folder, made);
    return made;
  };

  function read(config: string, depth = 3): typescript.CompilerOptions {
    const { config: json } = ts.readConfigFile(config, (path) => readFileSync(path, 'utf8')) as {
      config?: unknown;
    };
    // Nothing is listed: only the options are asked for.
    const parsed = ts.parseJsonConfigFileContent(
      json ?? {},
      { ...ts.sys, readDirectory: () => [] },
      dirname(config),
    );
    const { paths, [BASE]: base, pathsBasePath, customConditions } = parsed.options;
    if (paths ?? base)
      return { ...usual, ...definedOf({ paths, [BASE]: base, pathsBasePath, customConditions }) };
    // A tsconfig of references alone leaves what counts to them.
    if (depth > 0) {
      for (const reference of parsed.projectReferences ?? []) {
        const path = ts.resolveProjectReferencePath(reference);
        const its = existsSync(path) ? read(path, depth - 1) : usual;
        if (its !== usual) return its;
      }
    }
    return usual;
  }
  return ofFolder;
}

function definedOf(options: Record<string, unknown>): typescript.CompilerOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as typescript.CompilerOptions;
}
