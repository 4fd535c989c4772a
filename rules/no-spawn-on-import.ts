import type { TSESTree } from '@typescript-eslint/utils';
import type { SpawnSettings } from './apis/tables.ts';
import { processTable } from './apis/tables.ts';
import { createRule } from './create-rule.ts';
import { calleesOf, type Callees } from './read/callee.ts';
import { longLifeOf } from './read/lifetime.ts';
import { loadTimeOf } from './read/load-time.ts';
import { indexOf } from './read/module-index.ts';
import { viewOf, type ModuleView } from './read/module-view.ts';
import { isProgramFile } from './read/program-file.ts';
import { lastName } from './read/nodes.ts';
import type { SpawnSite } from './read/site.ts';
import { findSpawns } from './read/spawns.ts';

export type Options = [];
export type MessageIds = 'forEach' | 'onImport';

export const noSpawnOnImport = createRule<Options, MessageIds>({
  name: 'no-spawn-on-import',
  meta: {
    type: 'problem',
    docs: {
      description: 'Disallow starting processes while a module loads',
      preset: 'strict',
      severity: 'error',
    },
    messages: {
      forEach:
        '`{{api}}` starts a process for each of `{{list}}` before anybody asks for one. Start each at its first use (`onFirst` of `owned-spawn/lazy`).',
      onImport:
        '`{{api}}` starts a process while this module loads, whoever imports it and whatever for. Start it in a function, at its first use.',
    },
    schema: [],
  },
  create(context) {
    return {
      'Program:exit'(): void {
        const view = viewOf(context.sourceCode, context.filename);
        const settings = context.settings['owned-spawn'] as SpawnSettings | undefined;
        const sites = findSpawns(view, settings).filter(({ by }) => by === 'api');
        if (sites.length === 0 || isProgramFile(context.filename, view.text)) return;
        const callees = calleesOf(indexOf(view), processTable(settings));
        for (const site of sites) {
          const found = problemOf(view, callees, site);
          if (found) context.report({ node: site.name, ...found });
        }
      },
    };
  },
});

function problemOf(
  view: ModuleView,
  callees: Callees,
  site: SpawnSite,
): { messageId: MessageIds; data: Record<string, string> } | undefined {
  const load = loadTimeOf(indexOf(view), callees, site.call);
  if (!load) return undefined;
  const { api } = site;
  if (load.list && livesOn(view, site)) {
    return { messageId: 'forEach', data: { api, list: view.text.slice(...load.list.range) } };
  }
  return load.throughFunction || !isImported(view) ? undefined : { messageId: 'onImport', data: { api } };
}

/** Whether a child is there to stay: by what is done with it, or by being made so. */
function livesOn(view: ModuleView, site: SpawnSite): boolean {
  if (site.verdict.is === 'yes' || site.verdict.is === 'maybe') return site.form !== 'ineffective';
  return /^owned-spawn\.|\bspawnDetached$/.test(site.api) || longLifeOf(view, site) !== undefined;
}

/** Whether others can import something from the module; a module without exports is a program or a worker. */
function isImported({ ast, scopeManager }: ModuleView): boolean {
  return (
    ast.body.some(hasExport) ||
    scopeManager.scopes.some(({ references }) => references.some(({ identifier }) => isExports(identifier)))
  );
}

function hasExport(statement: TSESTree.ProgramStatement): boolean {
  if (statement.type !== 'ExportNamedDeclaration') return /^Export|^TSExportAssignment/.test(statement.type);
  return (
    statement.exportKind !== 'type' && (statement.declaration !== null || statement.specifiers.length > 0)
  );
}

/** `exports.x`, `module.exports`. */
function isExports(identifier: TSESTree.Identifier | TSESTree.JSXIdentifier): boolean {
  const { name, parent } = identifier;
  return (
    parent.type === 'MemberExpression' &&
    parent.object === identifier &&
    (name === 'exports' || (name === 'module' && lastName(parent) === 'exports'))
  );
}
