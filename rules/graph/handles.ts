import type { SourceFile } from 'typescript';
import type { LoopTable } from '../apis/loop-table.ts';
import { SQLITE_MODULES } from '../apis/sqlite.ts';
import type { Links } from '../read/api-table.ts';
import { moduleName } from '../read/callee.ts';
import { exportedBy, type Exported } from '../read/exported.ts';
import { linkedModule, type LoopModule } from '../read/loop-module.ts';
import type { Meaning } from '../read/meaning.ts';
import { isClass, lastName, type ClassNode } from '../read/nodes.ts';
import type { Compiler } from './compiler.ts';
import type { Imports } from './imports.ts';
import { sourceView } from './source-view.ts';

/** How deep a database may lie in what is exported: `registry.store.db`, `getStore().db`. */
const MOST_DEEP = 4;

/** A file that exports what is of a SQLite driver, or leads to it. */
interface Carrier {
  module: LoopModule;
  links: Links;
  exported: Exported;
  /** The names under which it does. */
  names: readonly string[];
}

/**
 * Follows databases and statements of SQLite drivers from the files that open them into those that import them: constants,
 * members, results of functions, fields of classes, through barrels too. No types are needed.
 *
 * @param ts the compiler that made the program
 * @returns the files that are handed some, read with what they are handed
 */
export function handledModules(
  ts: Compiler,
  sources: readonly SourceFile[],
  table: LoopTable,
  imports: Imports,
): ReadonlyMap<SourceFile, LoopModule> {
  const carriers = new Map<string, Carrier>();
  const handed = new Map<SourceFile, LoopModule>();
  const queue = new Set(sources.filter(({ text }) => OPENS.test(text)));
  for (const source of queue) {
    // Who was read before it was known what another file hands out is read again.
    queue.delete(source);
    const view = sourceView(ts, source);
    if (!view) continue;
    const { links, isHanded } = linksOf(source);
    const module = linkedModule(view, table, links);
    if (isHanded) handed.set(source, module);
    const exported = exportedBy(module);
    const carrier: Carrier = { module, links, exported, names: [] };
    const names = exported.names.filter((name) => holds(carrier, exported.meaningOf(name)));
    const passed = exported.all.flatMap((specifier) => carrierOf(source, specifier)?.names ?? []);
    carrier.names = [...new Set([...names, ...passed.filter((name) => name !== 'default')])];
    const before = carriers.get(source.fileName)?.names.length ?? 0;
    if (carrier.names.length > 0) carriers.set(source.fileName, carrier);
    if (carrier.names.length > before)
      for (const each of imports.importersOf(source.fileName))
        if (mayTake(each, carrier.names)) queue.add(each);
  }
  return handed;

  function carrierOf(source: SourceFile, specifier: string): Carrier | undefined {
    return carriers.get(imports.fileOf(source, specifier) ?? '');
  }

  function linksOf(source: SourceFile): { links: Links; isHanded: boolean } {
    const its = new Map<string, Carrier>();
    for (const specifier of imports.specifiersOf(source)) {
      const carrier = carrierOf(source, specifier);
      if (carrier) its.set(moduleName(specifier, source.fileName), carrier);
    }
    const known = new Map<string, Meaning | undefined>();
    const links: Links = (module, path) => {
      const carrier = its.get(module);
      const key = `${module} ${path}`;
      if (!carrier || known.has(key)) return known.get(key);
      // A circle of imports leads nowhere.
      known.set(key, undefined);
      const meaning = along(carrier, path);
      const found = isHandle(carrier.module, meaning)
        ? meaning
        : holds(carrier, meaning)
          ? ({ is: 'import', module, path } as const)
          : undefined;
      known.set(key, found);
      return found;
    };
    return { links, isHanded: its.size > 0 };
  }
}

/** Names a SQLite driver. */
const OPENS = new RegExp(`["'\`/](?:node:)?(?:${[...SQLITE_MODULES].join('|')})["'\`]`);

/** Of a driver: a database, a statement, a method of one that is bound, and what makes one. */
function isHandle({ table }: LoopModule, meaning: Meaning | undefined): boolean {
  if (meaning?.is !== 'import' || !SQLITE_MODULES.has(meaning.module)) return false;
  const { module, path } = meaning;
  return (
    path.endsWith('#') ||
    table.makes(module, path) !== undefined ||
    table.row(module, path)?.sqlite !== undefined
  );
}

/** What a path from a file's exports stands for there: `Store().db`. */
function along({ module: { callees }, exported }: Carrier, path: string): Meaning | undefined {
  const [first = 'default', ...steps] = path.match(/\(\)|[^.()]+/g) ?? [];
  const start = first === '()' ? callees.resultOf(exported.meaningOf('default')) : exported.meaningOf(first);
  return steps.reduce<Meaning | undefined>(
    (meaning, step) => (step === '()' ? callees.resultOf(meaning) : callees.memberOf(meaning, step)),
    start,
  );
}

/** Whether something of a file is of a driver, or gives or has what is. */
function holds(carrier: Carrier, meaning: Meaning | undefined, depth = MOST_DEEP): boolean {
  const { callees, index } = carrier.module;
  if (!meaning || depth === 0) return false;
  const hasMember = (names: readonly (string | undefined)[]): boolean =>
    names.some((name) => name !== undefined && holds(carrier, callees.memberOf(meaning, name), depth - 1));
  switch (meaning.is) {
    case 'import':
      return isHandle(carrier.module, meaning) || carrier.links(meaning.module, meaning.path) !== undefined;
    case 'function':
      return holds(carrier, callees.resultOf(meaning), depth - 1);
    case 'class':
      return hasMember(publicNames(meaning.node)) || holds(carrier, callees.resultOf(meaning), depth - 1);
    case 'instance': {
      const { node } = meaning;
      if (!isClass(node)) return false;
      const base = node.superClass ? callees.meaningOf(node.superClass) : undefined;
      if (holds(carrier, base, depth - 1)) return true;
      return hasMember([...publicNames(node), ...index.memberWrites(node).map(({ path: [name] }) => name)]);
    }
    case 'object':
      return hasMember(
        meaning.node.properties.map((each) => (each.type === 'Property' ? lastName(each.key) : undefined)),
      );
    default:
      return false;
  }
}

/** What only the class itself may use is handed to nobody. */
const publicNames = ({ body }: ClassNode): (string | undefined)[] =>
  body.body.flatMap((element) =>
    'key' in element && element.key.type === 'Identifier' && element.accessibility !== 'private'
      ? element.key.name
      : [],
  );

/** Whether a file that imports another one may use a name of it, or hand it on. */
function mayTake(source: SourceFile, names: readonly string[]): boolean {
  // Not in the public types.
  const { identifiers } = source as unknown as { identifiers?: ReadonlyMap<string, string> };
  return (
    names.includes('default') ||
    names.some((name) => identifiers?.has(name) ?? source.text.includes(name)) ||
    /\bexport\s*\*/.test(source.text)
  );
}
