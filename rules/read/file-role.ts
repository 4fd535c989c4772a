import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { TSESTree } from '@typescript-eslint/utils';
import type { LoopTable } from '../apis/loop-table.ts';
import { COMMAND_EXPORTS, COMMAND_LINES, SERVERS } from '../apis/off-loop.ts';
import { globPattern } from './allowed.ts';
import type { LoopModule } from './loop-module.ts';
import { lastName } from './nodes.ts';
import { exportedNames } from './exports.ts';

const known = new WeakMap<LoopModule, { reason: string | undefined }>();

/** Why all code of a file is off the loop, as it stands in a listing; undefined where it is not. */
export function offFile(module: LoopModule): string | undefined {
  const before = known.get(module);
  if (before) return before.reason;
  const reason = readRole(module);
  known.set(module, { reason });
  return reason;
}

function readRole(module: LoopModule): string | undefined {
  const { view, table } = module;
  const { commands, workers } = table.context;
  const byPath = offPath(view.filename, table);
  if (byPath !== undefined) return byPath;
  if (workers && isWorker(module)) return 'a worker';
  if (commands && isCommand(module)) return 'a command that starts no server, timer or watcher';
  return undefined;
}

/** Why all code of a file is off the loop by its path alone. */
export function offPath(filename: string, { context }: LoopTable): string | undefined {
  const path = pathInProject(filename);
  if (matches(context.offFiles, path)) return 'a test, a script or a config, by its path';
  if (matches(context.commandFiles, path)) return 'a command, by the settings';
  return undefined;
}

/**
 * The path within the project, with `/`: below the nearest package or repository, wherever the run was started. Only where
 * there is neither the current folder counts.
 */
function pathInProject(filename: string): string {
  const file = resolve(filename);
  const folder = projectOf(dirname(file)) ?? process.cwd();
  return (file.startsWith(folder + sep) ? relative(folder, file) : file).replaceAll('\\', '/');
}

const projects = new Map<string, string | undefined>();

function projectOf(folder: string): string | undefined {
  if (projects.has(folder)) return projects.get(folder);
  const parent = dirname(folder);
  const isOne = ['package.json', '.git'].some((name) => existsSync(join(folder, name)));
  const found = isOne ? folder : parent === folder ? undefined : projectOf(parent);
  projects.set(folder, found);
  return found;
}

const patterns = new Map<string, RegExp[]>();

function matches(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => {
    const made = patterns.get(glob) ?? withoutBraces(glob).map(globPattern);
    patterns.set(glob, made);
    return made.some((pattern) => pattern.test(path));
  });
}

/** `*.{a,b}` as `*.a` and `*.b`. */
function withoutBraces(glob: string): string[] {
  const [all, before = '', inside = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(glob) ?? [];
  if (all === undefined) return [glob];
  return inside.split(',').flatMap((each) => withoutBraces(before + each + after));
}

interface Package {
  /** Paths of the package's commands, without folders that builds write to and without extensions. */
  bins: ReadonlySet<string>;
  /** Whether it is nothing but commands: there is nothing to import, and nothing that serves. */
  isCommand: boolean;
}

const packages = new Map<string, Package | undefined>();

function packageOf(folder: string): Package | undefined {
  if (packages.has(folder)) return packages.get(folder);
  const here = join(folder, 'package.json');
  const parent = dirname(folder);
  const found = existsSync(here) ? readPackage(here) : parent === folder ? undefined : packageOf(parent);
  packages.set(folder, found);
  return found;
}

function readPackage(file: string): Package {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const { name, bin, main, module, exports } = manifest;
    const paths = (typeof bin === 'string' ? [bin] : Object.values(bin ?? {})).filter(isText);
    const isGenerator = isText(name) && /^(?:@[^/]+\/)?create-/.test(name);
    const isImported = [main, module, exports].some((entry) => entry !== undefined);
    const serves = [manifest.dependencies, manifest.devDependencies].some((its) =>
      Object.keys(its ?? {}).some((dependency) => SERVERS.has(dependency)),
    );
    return {
      bins: new Set(paths.map(sourceName)),
      isCommand: paths.length > 0 && (isGenerator || (!isImported && !serves)),
    };
  } catch {
    return { bins: new Set(), isCommand: false };
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A path that a source and what is built of it share. */
const sourceName = (path: string) =>
  path
    .replace(/^\.?\//, '')
    .replace(/^(src|dist|lib|build|out|esm|cjs)\//, '')
    .replace(/\.[cm]?[jt]sx?$/, '');

/** Speaks to its parent thread, or says by its name what it is; a file that starts workers of itself is both. */
function isWorker({ view, callees, index }: LoopModule): boolean {
  if (/(^|[\\/.-])worker\.[cm]?[jt]sx?$/i.test(view.filename)) return true;
  if (!/parentPort|workerpool/.test(view.text) || view.text.includes('isMainThread')) return false;
  const speaks = (call: { callee?: TSESTree.Node }): boolean => {
    const callee = call.callee;
    if (callee?.type !== 'MemberExpression') return false;
    const meaning = callees.meaningOf(callee);
    return (
      meaning?.is === 'import' &&
      (meaning.module === 'worker_threads'
        ? meaning.path.startsWith('parentPort.')
        : meaning.module === 'workerpool' && meaning.path === 'worker')
    );
  };
  const named = ['on', 'once', 'addListener', 'postMessage', 'worker', 'close'].flatMap((name) =>
    index.callsNamed(name),
  );
  return named.some((call) => call.type === 'CallExpression' && speaks(call));
}

/** What keeps a process alive to serve something else. */
const SERVES =
  /^(listen|serve|setInterval|watch|watchFile|createServer|subscribe|consume|registerTool|setRequestHandler|startPolling)$/;

function isCommand({ view, index }: LoopModule): boolean {
  const { filename, text, ast } = view;
  const path = pathInProject(filename);
  const its = packageOf(dirname(resolve(filename)));
  const isOne =
    text.startsWith('#!') ||
    /(^|\/)(bin|cli)\//.test(path) ||
    isCommandModule(ast) ||
    its?.isCommand === true ||
    its?.bins.has(sourceName(path)) === true;
  if (!isOne) return false;
  return !index.calls.some(
    (call) => call.type !== 'TaggedTemplateExpression' && SERVES.test(lastName(call.callee) ?? ''),
  );
}

/** Parses a command line, or is what somebody who does calls. */
function isCommandModule(ast: TSESTree.Program): boolean {
  const names = exportedNames(ast);
  return (
    ast.body.some((node) => node.type === 'ImportDeclaration' && COMMAND_LINES.includes(node.source.value)) ||
    (names.includes('handler') && names.some((name) => COMMAND_EXPORTS.has(name)))
  );
}
