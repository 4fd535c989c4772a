import type { TSESTree } from '@typescript-eslint/utils';
import type { Edit } from '../edits/edit.ts';
import { isModule, styleOf } from '../edits/import-form.ts';
import { insertAfter, insertAtTop } from '../edits/insertion.ts';
import { requestIn } from '../edits/module-source.ts';
import { walk } from '../read/module-index.ts';
import type { ModuleView } from '../read/module-view.ts';
import { bareExpression, literalText } from '../read/nodes.ts';
import { appendItem, type ItemList } from './append-item.ts';
import { configMakerOf, topLevel } from './config-maker.ts';

export const PLUGIN = 'eslint-plugin-owned-spawn';

/** What adding our preset to an ESLint config comes to: edits, nothing, or why a person must do it. */
export type PresetEdits = { edits: Edit[] } | 'present' | { unsure: string };

/** Where the preset goes: into a list, or into one that is made around an expression. */
type Place = ItemList | { around: TSESTree.Node; isArray: boolean };

class Unsure extends Error {}

/** Ends the search: what is written there is not for us to edit. */
const giveUp: (why: string) => never = (why) => {
  throw new Unsure(why);
};

/** Whether a module has a text of its own somewhere, as imports have names of modules. */
function isNamed(ast: TSESTree.Program, name: string): boolean {
  let found = false;
  walk(ast, (node) => {
    found ||= literalText(node) === name;
  });
  return found;
}

/**
 * The edits that import our plugin into a flat config and put its preset last, written as the file is. Nothing else changes.
 * @param preset a name in the plugin's `configs`
 */
export function presetEdits(view: ModuleView, preset: string): PresetEdits {
  const { ast, text } = view;
  if (isNamed(ast, PLUGIN)) return 'present';
  try {
    const exported = exportedOf(ast);
    const place = placeIn(view, exported, exported);
    const taken = new Set(
      view.scopeManager.scopes.flatMap(({ variables }) => variables.map(({ name }) => name)),
    );
    const local = ['ownedSpawn', 'ownedSpawnPlugin', 'ownedSpawnRules'].find((name) => !taken.has(name));
    if (local === undefined) giveUp('its names for the plugin are taken');
    const { quote, semi } = styleOf(view, undefined);
    const member = /^\w+$/.test(preset) ? `.${preset}` : `[${quote}${preset}${quote}]`;
    const element = `${local}.configs${member}`;
    return { edits: [importEdit(view, local, quote, semi), ...elementEdits(view, place, element)] };
  } catch (error) {
    if (error instanceof Unsure) return { unsure: error.message };
    throw error;
  }

  function elementEdits(its: ModuleView, place: Place, element: string): Edit[] {
    if ('items' in place) return appendItem(its, place, element);
    const [start, end] = place.around.range;
    return [
      { start, end: start, text: place.isArray ? '[...' : '[' },
      { start: end, end, text: `, ${element}]` },
    ];
  }

  function importEdit(its: ModuleView, local: string, quote: string, semi: string): Edit {
    const source = quote + PLUGIN + quote;
    const isEsm = isModule(its);
    const line = isEsm
      ? `import ${local} from ${source}${semi}`
      : `${/\bconst\b/.test(text) ? 'const' : 'var'} ${local} = require(${source}).default${semi}`;
    const before = lastBefore(ast, isEsm);
    return before ? insertAfter(its, before, [line]) : insertAtTop(its, [line]);
  }
}

/** The import that ours goes after: the last, or among imports sorted by their sources the one before ours. */
function lastBefore({ body }: TSESTree.Program, isEsm: boolean): TSESTree.Node | undefined {
  if (!isEsm)
    return body.findLast(
      (node) => node.type === 'VariableDeclaration' && node.declarations.some(({ init }) => requestIn(init)),
    );
  const imports = body.filter((node) => node.type === 'ImportDeclaration');
  const sources = imports.map(({ source }) => source.value);
  const isSorted = sources.every((source, i) => i === 0 || (sources[i - 1] ?? '') <= source);
  return (isSorted && imports.findLast(({ source }) => source.value < PLUGIN)) || imports.at(-1);
}

/** The one expression that a config exports. */
function exportedOf({ body }: TSESTree.Program): TSESTree.Node {
  const found = body.flatMap((node) => {
    if (node.type === 'ExportDefaultDeclaration') return [node.declaration];
    if (node.type === 'TSExportAssignment') return [node.expression];
    const assignment = node.type === 'ExpressionStatement' && node.expression;
    if (!assignment || assignment.type !== 'AssignmentExpression') return [];
    return isModuleExports(assignment.left) ? [assignment.right] : [];
  });
  const [only, ...others] = found;
  if (!only) giveUp('it exports nothing that can be seen');
  return others.length === 0 ? only : giveUp('it exports more than once');
}

const isModuleExports = (node: TSESTree.Node): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'module' &&
  node.property.type === 'Identifier' &&
  node.property.name === 'exports';

/** @param outermost what is exported: one config alone becomes a list there */
function placeIn(view: ModuleView, node: TSESTree.Node, outermost: TSESTree.Node, depth = 5): Place {
  const bare = bareExpression(node);
  switch (bare.type) {
    case 'ArrayExpression':
      return listOf(bare.elements, bare.range[0] + 1, bare.range[1] - 1);
    case 'ObjectExpression':
      return isLegacy(bare)
        ? giveUp('it has the keys of an .eslintrc')
        : { around: outermost, isArray: false };
    case 'Identifier':
      return depth === 0
        ? giveUp(`\`${bare.name}\` cannot be followed`)
        : behindName(view, bare, outermost, depth);
    case 'CallExpression':
      return inCall(view, bare, outermost, depth);
    default:
      return giveUp('what it exports is made at run time');
  }
}

function behindName(
  view: ModuleView,
  { name }: TSESTree.Identifier,
  outermost: TSESTree.Node,
  depth: number,
): Place {
  const variable = topLevel(view, name);
  const [definition] = variable?.defs ?? [];
  if (!variable || !definition) return giveUp(`\`${name}\` is not declared in it`);
  if (definition.type === 'ImportBinding') return giveUp(`\`${name}\` comes from another file`);
  const writes = variable.references.filter((reference) => reference.isWrite()).length;
  const init = definition.node.type === 'VariableDeclarator' && definition.node.init;
  if (!init || writes !== 1) return giveUp(`\`${name}\` is given its value in more than one place`);
  return placeIn(view, init, outermost, depth - 1);
}

function inCall(
  view: ModuleView,
  call: TSESTree.CallExpression,
  outermost: TSESTree.Node,
  depth: number,
): Place {
  const { callee } = call;
  const end = call.range[1] - 1;
  const start = view.text.indexOf('(', (call.typeArguments ?? callee).range[1]) + 1;
  const method =
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
  if (callee.type === 'MemberExpression' && isCompat(view, callee.object))
    return { around: outermost, isArray: true };
  if (callee.type === 'MemberExpression' && (method === 'concat' || method === 'append')) {
    // What has the method must be an array, or made by a function whose configs are composed.
    placeIn(view, callee.object, outermost, depth - 1);
    return listOf(call.arguments, start, end);
  }
  const maker = configMakerOf(view, callee);
  if (!maker)
    return giveUp(`\`${view.text.slice(...callee.range)}\` makes it, and what that takes is not known here`);
  if (maker.options && call.arguments.length === 0)
    return giveUp(`\`${view.text.slice(...callee.range)}\` is called without its options`);
  const last = call.arguments.at(-1);
  const isArray = last?.type === 'ArrayExpression' && !(maker.options && call.arguments.length === 1);
  return isArray
    ? listOf(last.elements, last.range[0] + 1, last.range[1] - 1)
    : listOf(call.arguments, start, end);
}

function listOf(items: readonly (TSESTree.Node | null)[], start: number, end: number): ItemList {
  const present = items.filter((item) => item !== null);
  return present.length === items.length ? { items: present, start, end } : giveUp('its list has holes');
}

/** Whether a name is a `new FlatCompat()`, whose methods return arrays. */
function isCompat(view: ModuleView, node: TSESTree.Node): boolean {
  if (node.type !== 'Identifier') return false;
  const [definition] = topLevel(view, node.name)?.defs ?? [];
  const init = definition?.node.type === 'VariableDeclarator' ? definition.node.init : undefined;
  return (
    init?.type === 'NewExpression' && init.callee.type === 'Identifier' && init.callee.name === 'FlatCompat'
  );
}

const LEGACY = new Set(['root', 'env', 'globals', 'overrides', 'parser', 'parserOptions', 'ignorePatterns']);

const isLegacy = ({ properties }: TSESTree.ObjectExpression): boolean =>
  properties.some(
    (property) =>
      property.type === 'Property' && property.key.type === 'Identifier' && LEGACY.has(property.key.name),
  );
