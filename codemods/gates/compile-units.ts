import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Compiler } from 'eslint-plugin-owned-spawn/api';
import type typescript from 'typescript';

/** Files that are compiled together: by one tsconfig, or without any. */
export interface CompileUnit {
  options: typescript.CompilerOptions;
  roots: ReadonlySet<string>;
  /** The edited files of it. */
  edited: readonly string[];
  /** Whether the project itself checks its JavaScript; here all is. */
  checksJavaScript: boolean;
}

const isJavaScript = (path: string): boolean => /\.[cm]?jsx?$/.test(path);

/** https://www.typescriptlang.org/docs/handbook/intro-to-js-ts.html#ts-check */
const CHECKED = /^\s*\/\/\s*@ts-check\b/m;

/**
 * Whether the project itself has the types of a file checked.
 *
 * @param checksJavaScript whether it does so with all of its JavaScript
 */
export const isChecked = ({ fileName, text }: typescript.SourceFile, checksJavaScript: boolean): boolean =>
  checksJavaScript || !isJavaScript(fileName) || CHECKED.test(text);

/**
 * Parts edited files by the tsconfigs that list them; a file that none lists goes with the nearest one above.
 *
 * @param edited absolute paths
 * @param sources all source files of the migration: without a tsconfig, and in JavaScript, any may import the edited ones
 */
export function compileUnits(
  ts: Compiler,
  edited: readonly string[],
  sources: readonly string[],
): CompileUnit[] {
  const parse = parser(ts);
  const groups = new Map<string, string[]>();
  for (const file of edited) {
    const config = configOf(parse, file) ?? '';
    groups.set(config, [...(groups.get(config) ?? []), file]);
  }
  return [...groups].map(([config, files]) => {
    const parsed = config === '' ? undefined : parse(config);
    // Nothing says that the JavaScript around is of another program.
    const hasJavaScript = (parsed ? files : [...files, ...sources]).some(isJavaScript);
    const others = !parsed ? sources : hasJavaScript ? sources.filter(isJavaScript) : [];
    return {
      options: {
        ...(parsed?.options ?? defaults(ts)),
        ...(hasJavaScript && { allowJs: true, checkJs: true, maxNodeModuleJsDepth: 0 }),
        ...quiet(ts, parsed?.options),
      },
      roots: new Set([...(parsed?.fileNames ?? []), ...files, ...others]),
      edited: files,
      checksJavaScript: parsed?.options.checkJs === true,
    };
  });
}

const defaults = (ts: Compiler): typescript.CompilerOptions => ({
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
  jsx: ts.JsxEmit.Preserve,
  strict: true,
});

/** Nothing is written, and what TypeScript 6 no longer includes by itself is there: without `types` it loses Node's. */
const quiet = (
  ts: Compiler,
  { types = Number.parseInt(ts.version) < 6 ? undefined : ['*'] }: typescript.CompilerOptions = {},
): typescript.CompilerOptions => ({
  noEmit: true,
  composite: false,
  incremental: false,
  skipLibCheck: true,
  ...(types && { types }),
});

type Parse = (config: string) => typescript.ParsedCommandLine | undefined;

function parser(ts: Compiler): Parse {
  const known = new Map<string, typescript.ParsedCommandLine | undefined>();
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  return (config) => {
    if (!known.has(config)) known.set(config, ts.getParsedCommandLineOfConfigFile(config, {}, host));
    return known.get(config);
  };
}

/** The tsconfig of a file: the nearest above that lists it, itself or by a reference; else the nearest one. */
function configOf(parse: Parse, file: string): string | undefined {
  let nearest: string | undefined;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const config = join(folder, name);
      if (!existsSync(config)) continue;
      const found = listing(parse, config, file, 2);
      if (found !== undefined) return found;
      nearest ??= config;
    }
    if (folder === dirname(folder)) return nearest;
  }
}

function listing(parse: Parse, config: string, file: string, depth: number): string | undefined {
  const parsed = parse(config);
  if (!parsed) return undefined;
  if (parsed.fileNames.includes(file)) return config;
  if (depth === 0) return undefined;
  for (const { path } of parsed.projectReferences ?? []) {
    const target = path.endsWith('.json') ? path : join(path, 'tsconfig.json');
    const found = listing(parse, target, file, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
