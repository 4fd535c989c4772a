import type { CallNode, Edit, FacadeUse, LoopModule } from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isTried } from './handle-uses.ts';
import type { OffLoopReason } from './reasons.ts';
import { SQLITE_DRIVERS } from './sqlite-drivers.ts';

/** How the construction of a database is rewritten, and what stands against it. */
export interface SqliteOpening {
  name?: FacadeUse;
  edits: readonly Edit[];
  stops: readonly { reason: OffLoopReason; node: TSESTree.Node }[];
}

/** `new Database(path, options)` becomes `openDatabase(path, { …options, driver })`. */
export function sqliteOpening(module: LoopModule, open: CallNode, driver: string): SqliteOpening {
  const { text } = module.view;
  const stopped = (reason: OffLoopReason, node: TSESTree.Node): SqliteOpening => ({
    edits: [],
    stops: [{ reason, node }],
  });
  if (open.type !== 'NewExpression' || !/^new\s+[\w$.]+\s*\(/.test(text.slice(...open.range)))
    return stopped('sqlite-escapes', open);
  const [path, options, ...more] = open.arguments;
  if (!path || path.type === 'SpreadElement' || more.length > 0) return stopped('sqlite-options', open);
  if (options && options.type !== 'ObjectExpression') return stopped('sqlite-options', options);
  const { edits, stops } = optionsEdits(module, path, options, driver);
  return {
    name: { name: 'openDatabase', replaces: open.callee, range: [open.range[0], open.callee.range[1]] },
    edits,
    stops: isTried(open) ? [{ reason: 'sqlite-late-error', node: open }, ...stops] : stops,
  };
}

function optionsEdits(
  module: LoopModule,
  path: TSESTree.Node,
  options: TSESTree.ObjectExpression | undefined,
  driver: string,
): Pick<SqliteOpening, 'edits' | 'stops'> {
  const { text } = module.view;
  const quote = [driver, driver.replace('node:', '')].some((name) => text.includes(`"${name}"`)) ? '"' : "'";
  const chosen = `driver: ${quote}${driver}${quote}`;
  if (!options) return { edits: [insertion(path.range[1], `, { ${chosen} }`)], stops: [] };
  const edits: Edit[] = [];
  const stops: SqliteOpening['stops'][number][] = [];
  for (const property of options.properties) {
    const name = property.type === 'Property' ? module.index.keyOf(property) : undefined;
    const known = name === undefined ? undefined : SQLITE_DRIVERS[driver]?.options[name];
    if (property.type !== 'Property' || known === undefined || (known !== name && property.shorthand))
      stops.push({ reason: 'sqlite-options', node: property });
    else if (known !== name)
      edits.push({ start: property.key.range[0], end: property.key.range[1], text: known });
  }
  const [first] = options.properties;
  edits.push(
    first ? insertion(first.range[0], `${chosen}, `) : insertion(options.range[0] + 1, ` ${chosen} `),
  );
  return { edits, stops };
}

const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text });
