import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type typescript from 'typescript';
import type { Compiler } from '../graph/compiler.ts';

/** Deprecated in TypeScript 6, and what older projects look their modules up by. */
const BASE = 'baseUrl';

/** A tsconfig or jsconfig that could not be read as it is meant. */
export interface ConfigFault {
  /** Absolute. */
  file: string;
  /** Counted from 1; undefined where it is about the whole file. */
  line: number | undefined;
  why: string;
  /** It does not parse. Else a file that it extends is not there, as in a part of a repository: the rest of it holds. */
  isUnreadable: boolean;
}

/** How modules are looked up by a project, and the folders of its files. */
interface Mapping {
  options: typescript.CompilerOptions;
  folders: readonly string[];
}

/**
 * The compiler options that the nearest tsconfig or jsconfig gives a file, for looking up modules; several where that only
 * refers to others, those of the project that holds the file first.
 */
export function fileOptions(
  ts: Compiler,
  usual: typescript.CompilerOptions,
  fail: (fault: ConfigFault) => void,
): (file: string) => readonly typescript.CompilerOptions[] {
  const known = new Map<string, readonly Mapping[]>();
  const ofFolder = (folder: string): readonly Mapping[] => {
    const before = known.get(folder);
    if (before) return before;
    const config = ['tsconfig.json', 'jsconfig.json'].map((name) => join(folder, name)).find(existsSync);
    const parent = dirname(folder);
    const made = config ? read(config) : parent === folder ? [] : ofFolder(parent);
    known.set(folder, made);
    return made;
  };

  function read(config: string, depth = 3): readonly Mapping[] {
    const source = ts.readJsonConfigFile(config, (path) => readFileSync(path, 'utf8'));
    // Nothing is listed: only the options are asked for.
    const host = { ...ts.sys, readDirectory: () => [] };
    const parsed = ts.parseJsonSourceFileConfigFileContent(source, host, dirname(config), undefined, config);
    noteFaults(config, source, parsed.errors);
    const { paths, [BASE]: base, pathsBasePath, customConditions } = parsed.options;
    if (paths ?? base) {
      const options = { ...usual, ...definedOf({ paths, [BASE]: base, pathsBasePath, customConditions }) };
      return [{ options, folders: Object.keys(parsed.wildcardDirectories ?? {}) }];
    }
    // A tsconfig of references alone leaves what counts to them.
    const references = depth > 0 ? (parsed.projectReferences ?? []) : [];
    return references
      .map((reference) => ts.resolveProjectReferencePath(reference))
      .flatMap((path) => (existsSync(path) ? read(path, depth - 1) : []));
  }

  /** What a compiler makes of other mistakes is its business. */
  function noteFaults(
    config: string,
    source: typescript.TsConfigSourceFile,
    errors: readonly typescript.Diagnostic[],
  ): void {
    const { parseDiagnostics: syntax } = source as unknown as { parseDiagnostics: typescript.Diagnostic[] };
    const [fault] = [...syntax, ...errors.filter(isMissingBase)];
    if (!fault) return;
    const line =
      fault.file && fault.start !== undefined
        ? fault.file.getLineAndCharacterOfPosition(fault.start).line + 1
        : undefined;
    const why = ts
      .flattenDiagnosticMessageText(fault.messageText, ' ')
      .replaceAll(`${dirname(config)}/`, './');
    fail({ file: config, line, why, isUnreadable: syntax.length > 0 });
  }

  return (file) => {
    const its = ofFolder(dirname(file));
    const holds = ({ folders }: Mapping): boolean => folders.some((folder) => file.startsWith(`${folder}/`));
    const [own, others] = [its.filter(holds), its.filter((each) => !holds(each))];
    const found = [...own, ...others].map(({ options }) => options);
    return found.length > 0 ? found : [usual];
  };
}

/** Cannot read file, file not found: of a path, not of a package, nor of what is installed or made (`.svelte-kit`, `.nuxt`). */
function isMissingBase({ code, messageText: text }: typescript.Diagnostic): boolean {
  if ((code !== 5083 && code !== 6053) || typeof text !== 'string') return false;
  return /'(?:\.{0,2}[\\/]|[A-Za-z]:)/.test(text) && !/[\\/](?:node_modules|\.\w[^\\/]*)[\\/]/.test(text);
}

function definedOf(options: Record<string, unknown>): typescript.CompilerOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as typescript.CompilerOptions;
}
