import type { TSESTree } from '@typescript-eslint/utils';
import { heldBy } from './held-by.ts';
import type { LoopModule } from './loop-module.ts';
import { constantText, type ModuleIndex } from './module-index.ts';
import { bareExpression, calleeOf, type CallNode } from './nodes.ts';

/** A client whose methods return promises and work synchronously, as far as its making shows. */
interface Driver {
  /** What makes a client, as `module path`. */
  makes: readonly string[];
  /** As a message calls it. */
  name: string;
  /** Whether the options of the call that makes it choose the synchronous driver. */
  isSync(module: LoopModule, call: CallNode): boolean;
}

// Measured: 2923 of 2924 ms of a query on the loop with libsql, 3874 of 3877 with Kysely, all of it with Drizzle.
const drivers: readonly Driver[] = [
  {
    makes: [
      '@libsql/client createClient',
      '@libsql/client/node createClient',
      '@libsql/client/sqlite3 createClient',
    ],
    name: '`@libsql/client` on a local file',
    isSync: (module, call) => /^(file:|:memory:)/.test(optionText(module, call, 'url') ?? ''),
  },
  {
    makes: [
      'drizzle-orm/better-sqlite3 drizzle',
      'drizzle-orm/bun-sqlite drizzle',
      'drizzle-orm/expo-sqlite drizzle',
    ],
    name: 'Drizzle on a synchronous SQLite driver',
    isSync: () => true,
  },
  {
    makes: ['kysely Kysely'],
    name: "Kysely's `SqliteDialect`",
    isSync: (module, call) => isMadeBy(module, option(module, call, 'dialect'), 'kysely', 'SqliteDialect'),
  },
  {
    makes: ['knex ', 'knex knex'],
    name: 'Knex on better-sqlite3',
    isSync: (module, call) => optionText(module, call, 'client') === 'better-sqlite3',
  },
];

/** The synchronous driver behind what is awaited: `db.select().from(t)` of a `db` that Drizzle made of better-sqlite3. */
export function blockingDriver(module: LoopModule, awaited: TSESTree.Node): string | undefined {
  const clients = clientsOf(module);
  if (clients.size === 0) return undefined;
  let at = bareExpression(awaited);
  for (;;) {
    const made = makerOf(module.index, at);
    const driver = made && clients.get(made);
    if (driver) return driver;
    if (at.type === 'CallExpression') at = calleeOf(at);
    else if (at.type === 'MemberExpression') at = bareExpression(at.object);
    else return undefined;
  }
}

const known = new WeakMap<LoopModule, Map<CallNode, string>>();

/** The calls of a module that make a client of a synchronous driver. */
function clientsOf(module: LoopModule): Map<CallNode, string> {
  const before = known.get(module);
  if (before) return before;
  const clients = new Map<CallNode, string>();
  for (const call of module.index.calls) {
    const meaning = module.callees.meaningOf(calleeOf(call));
    if (meaning?.is !== 'import') continue;
    const driver = drivers.find(({ makes }) => makes.includes(`${meaning.module} ${meaning.path}`));
    if (driver?.isSync(module, call)) clients.set(call, driver.name);
  }
  known.set(module, clients);
  return clients;
}

/** The call that made what a name or a field holds. */
function makerOf(index: ModuleIndex, node: TSESTree.Node, depth = 3): CallNode | undefined {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return node;
  const made = depth > 0 ? heldBy(index, node) : undefined;
  return made && makerOf(index, bareExpression(made), depth - 1);
}

/** The value of an option in the first argument, an object, of a call. */
function option({ index }: LoopModule, call: CallNode, key: string): TSESTree.Node | undefined {
  if (call.type === 'TaggedTemplateExpression') return undefined;
  const first = call.arguments[0] && bareExpression(call.arguments[0]);
  const object = first?.type === 'Identifier' ? heldBy(index, first) : first;
  if (object?.type !== 'ObjectExpression') return undefined;
  const property = object.properties.find((each) => each.type === 'Property' && index.keyOf(each) === key);
  return property?.type === 'Property' ? property.value : undefined;
}

function optionText(module: LoopModule, call: CallNode, key: string): string | undefined {
  const value = option(module, call, key);
  if (!value) return undefined;
  const [first] = value.type === 'TemplateLiteral' ? value.quasis : [];
  return constantText(module.index, value) ?? first?.value.raw;
}

function isMadeBy(module: LoopModule, node: TSESTree.Node | undefined, owner: string, path: string): boolean {
  const maker = node && makerOf(module.index, bareExpression(node));
  const meaning = maker && module.callees.meaningOf(calleeOf(maker));
  return meaning?.is === 'import' && meaning.module === owner && meaning.path === path;
}
