import { resolve, dirname } from 'node:path';
import {
  bareExpression,
  eolNear,
  indentOf,
  isInside,
  lastName,
  namesOf,
  sourceOf,
  type Edit,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import { isExports } from './exported.ts';
import type { Ground, Patch } from './requirements.ts';
import { isNamed, type TwinFamily } from './twin-family.ts';
import { renameEdit, separatorOf, twinName } from './twin-shape.ts';
import { forEachUse, valueNamed } from './uses.ts';

/** A call that may go to the twin instead. */
export interface TwinCaller {
  place: LoopModule;
  call: TSESTree.CallExpression;
  fn: FunctionNode;
  /** Gives the callee the twin's name. */
  rename: Edit;
  /** What brings the name into the module, where something does. */
  item?: NameItem | undefined;
}

/** What brings a name into a module; its twin comes by another one like it. */
type NameItem =
  | TSESTree.ImportSpecifier
  | TSESTree.ImportDefaultSpecifier
  | TSESTree.Property
  | TSESTree.VariableDeclarator;

/** How a function is reached by its names, and its twin by others like them. */
export interface TwinUses {
  callers: readonly TwinCaller[];
  /**
   * What names the twin wherever it is called.
   *
   * @param isCopied whether a call is changed in a copy only, and stands there as before
   */
  patchesFor: (callers: readonly TwinCaller[], isCopied: (caller: TwinCaller) => boolean) => Patch[];
}

/** Finds the calls of a function that could go to its twin, and exports the twin wherever the function is exported. */
export function twinUsesOf(ground: Ground, { module, fn, members }: TwinFamily): TwinUses {
  const names = new Set(namesOf(module.index, fn));
  const exports: Patch[] = [];
  const calls: { place: LoopModule; call: TSESTree.CallExpression; callee: TSESTree.Node }[] = [];
  /** The names that other modules find the twin by, and those that are given on in a way that it is not. */
  const known = new Set<string>();
  const lost = new Set<string>();
  const seen = new Set<TSESTree.Node>();
  let isDefault = fn.parent.type === 'ExportDefaultDeclaration';

  const addDefaults = (file: string): void => {
    isDefault = true;
    for (const name of ground.defaultNames(file)) names.add(name);
  };
  const insert = (place: LoopModule, at: number, text: string): void => {
    exports.push({ file: place.view.filename, edits: [{ start: at, end: at, text }] });
  };

  if (names.delete('exports') || isDefault) addDefaults(module.view.filename);
  if (fn.parent.type !== 'ExportDefaultDeclaration') for (const name of names) known.add(name);
  forEachUse(ground, { module, fn, members, names: [...names] }, names, (place, node, isSure) => {
    if (isSure) visit(place, node);
  });
  const callers = calls.flatMap(({ place, call, callee }) => {
    const way = wayOf(place, callee);
    return way ? [{ place, call, fn, ...way }] : [];
  });
  return { callers, patchesFor };

  function visit(place: LoopModule, id: TSESTree.Node): void {
    const value = valueNamed(id);
    const { parent } = value;
    // Of `export { load }` both names stand at one place.
    const one = parent?.type === 'ExportSpecifier' ? parent : value;
    if (!parent || seen.has(one)) return;
    seen.add(one);
    switch (parent.type) {
      case 'CallExpression':
        if (parent.callee === value) calls.push({ place, call: parent, callee: bareExpression(value) });
        return;
      case 'ImportSpecifier':
        names.add(parent.local.name);
        return;
      case 'ExportSpecifier': {
        const [own, exported] = [nameIn(parent.local), nameIn(parent.exported)];
        const local = own === 'default' ? (fn.id?.name ?? own) : own;
        const twin = exported === 'default' ? local : exported;
        insertItem(
          place,
          parent,
          local === twin ? twinName(local) : `${twinName(local)} as ${twinName(twin)}`,
        );
        if (exported === 'default') addDefaults(place.view.filename);
        else names.add(exported);
        known.add(twin);
        return;
      }
      case 'ExportDefaultDeclaration':
        if (value.type !== 'Identifier') return;
        addDefaults(place.view.filename);
        insertStatement(place, parent, `export { ${twinName(value.name)} }`);
        return;
      case 'VariableDeclarator':
        if (parent.init !== value || parent.id.type !== 'Identifier') return;
        names.add(parent.id.name);
        if (parent.parent.parent.type.startsWith('Export')) lost.add(parent.id.name);
        return;
      case 'Property':
        visitProperty(place, parent, value);
        return;
      case 'AssignmentExpression':
        visitAssignment(place, parent, value);
        return;
      default:
    }
  }

  function visitProperty(place: LoopModule, property: TSESTree.Property, value: TSESTree.Node): void {
    const key = property.computed ? undefined : lastName(property.key);
    if (key === undefined) return;
    if (property.parent.type === 'ObjectPattern') {
      if (property.key === value || property.shorthand) names.add(lastName(property.value) ?? key);
      return;
    }
    const holder = property.parent.parent;
    const isHeld = /^(VariableDeclarator|ExportDefaultDeclaration|AssignmentExpression)$/.test(holder.type);
    if (property.value !== value && !property.shorthand) return;
    if (!isHeld) return;
    const twin = twinText(place, property.value);
    insertItem(place, property, property.shorthand ? twin : `${twinName(key)}: ${twin}`);
    names.add(key);
    known.add(key);
  }

  /** `exports.load = load`, `module.exports = load` */
  function visitAssignment(
    place: LoopModule,
    { left, right, parent }: TSESTree.AssignmentExpression,
    value: TSESTree.Node,
  ): void {
    const name = left.type === 'MemberExpression' && !left.computed ? lastName(left) : undefined;
    if (right !== value || name === undefined) return;
    names.add(name);
    if (parent.type !== 'ExpressionStatement') {
      lost.add(name);
      return;
    }
    const text = place.view.text.slice(...left.range);
    const twin = twinText(place, right);
    if (isExports(place, left) && name === 'exports') {
      addDefaults(place.view.filename);
      known.add(lastName(right) ?? '');
      insertStatement(place, parent, `${text}.${twinName(lastName(right) ?? '')} = ${twin}`);
      return;
    }
    known.add(name);
    insertStatement(place, parent, `${text.slice(0, -name.length)}${twinName(name)} = ${twin}`);
  }

  function insertStatement(place: LoopModule, statement: TSESTree.Node, code: string): void {
    const { text } = place.view;
    const [start, end] = statement.range;
    const semicolon = text.charAt(end - 1) === ';' ? ';' : '';
    insert(place, end, `${eolNear(text, end)}${indentOf(text, start)}${code}${semicolon}`);
  }

  /** Behind an item of a list, on a line of its own where that has one. */
  function insertItem(place: LoopModule, item: TSESTree.Node, text: string): void {
    insert(place, item.range[1], `${separatorOf(place, item)}${text}`);
  }

  /** How a callee is named after the twin; undefined where it is not known to reach it by that name. */
  function wayOf(place: LoopModule, callee: TSESTree.Node): Pick<TwinCaller, 'rename' | 'item'> | undefined {
    if (callee.type === 'MemberExpression') {
      const { property, computed } = callee;
      if (computed) return undefined;
      return reaches(property.name) && !clashes(place, property.name)
        ? { rename: renameEdit(property) }
        : undefined;
    }
    if (callee.type !== 'Identifier') return undefined;
    const variable = place.index.variableOf(callee);
    const def = variable?.defs[0];
    if (!variable || !def) return undefined;
    const rename = renameEdit(callee);
    if (def.node === fn || ('init' in def.node && def.node.init === fn)) return { rename };
    if (clashes(place, callee.name)) return undefined;
    if (def.node.type === 'ImportSpecifier')
      return reaches(nameIn(def.node.imported)) ? { rename, item: def.node } : undefined;
    if (def.node.type === 'ImportDefaultSpecifier')
      return isDefault && isOf(place, def.node.parent.source.value) && fn.id
        ? { rename, item: def.node }
        : undefined;
    const source = sourceOf(variable);
    if (!source?.declarator || def.node.type !== 'VariableDeclarator') return undefined;
    const item = def.name.parent;
    if (item.type === 'Property' && item.parent.type === 'ObjectPattern')
      return reaches(lastName(item.key) ?? '') ? { rename, item } : undefined;
    const init = def.node.init && bareExpression(def.node.init);
    if (init?.type === 'MemberExpression')
      return reaches(lastName(init) ?? '') ? { rename, item: def.node } : undefined;
    const own = fn.id?.name;
    const [, end] = callee.range;
    return isDefault && own !== undefined && isOf(place, source.specifier.value)
      ? { rename: { start: end, end, text: `.${twinName(own)}` } }
      : undefined;
  }

  function reaches(name: string): boolean {
    return known.has(name) && !lost.has(name);
  }

  /** Whether a specifier names the module of the function itself, and not one that gives it on. */
  function isOf({ view }: LoopModule, specifier: string): boolean {
    const bare = (path: string): string => path.replace(/(\/index)?(\.d)?\.[cm]?[jt]sx?$|\/index$/, '');
    return bare(resolve(dirname(view.filename), specifier)) === bare(module.view.filename);
  }

  function clashes(place: LoopModule, name: string): boolean {
    return place !== module && isNamed(place, twinName(name));
  }

  function patchesFor(all: readonly TwinCaller[], isCopied: (caller: TwinCaller) => boolean): Patch[] {
    const found = [...exports];
    const byItem = new Map<NameItem, TwinCaller[]>();
    for (const caller of all) {
      const { place, rename, item } = caller;
      found.push({ file: place.view.filename, edits: [rename], isForTwin: isCopied(caller) });
      if (item) byItem.set(item, [...(byItem.get(item) ?? []), caller]);
    }
    for (const [item, its] of byItem) {
      const place = its[0]?.place;
      const going = its.filter((caller) => !isCopied(caller));
      if (place) found.push({ file: place.view.filename, edits: [itemEdit(place, item, going)] });
    }
    return found;
  }

  /** Brings the twin's name into a module beside the old one, or in its place where all that used it goes to the twin. */
  function itemEdit(place: LoopModule, item: NameItem, going: readonly TwinCaller[]): Edit {
    const { text } = place.view;
    const local =
      item.type === 'Property' ? item.value : item.type === 'VariableDeclarator' ? item.id : item.local;
    const isGone = (place.index.variableOf(local as TSESTree.Identifier)?.references ?? []).every(
      ({ identifier, init }) => init === true || going.some(({ call }) => isInside(identifier, call.callee)),
    );
    const [start, end] = item.range;
    if (item.type === 'ImportDefaultSpecifier') {
      const [twin, its] = [twinName(fn.id?.name ?? ''), twinName(item.local.name)];
      const named = twin === its ? twin : `${twin} as ${its}`;
      const [, first] = item.parent.specifiers;
      if (first?.type === 'ImportSpecifier')
        return { start: first.range[0], end: first.range[0], text: `${named}, ` };
      return isGone ? { start, end, text: `{ ${named} }` } : { start: end, end, text: `, { ${named} }` };
    }
    const named = itemText(place, item);
    if (isGone) return { start, end, text: named };
    const separator = item.type === 'VariableDeclarator' ? ', ' : separatorOf(place, item);
    return { start: end, end, text: `${separator}${named}` };

    function itemText({ view }: LoopModule, of: Exclude<NameItem, TSESTree.ImportDefaultSpecifier>): string {
      if (of.type === 'VariableDeclarator') {
        const init = of.init ?? of;
        return `${twinName(text.slice(...of.id.range))} = ${twinText(place, init)}`;
      }
      const [key, value] = of.type === 'Property' ? [of.key, of.value] : [of.imported, of.local];
      const [from, to] = [key, value].map((each) => twinName(view.text.slice(...each.range)));
      return from === to ? (from ?? '') : `${from ?? ''}${of.type === 'Property' ? ': ' : ' as '}${to ?? ''}`;
    }
  }
}

const nameIn = (node: TSESTree.Identifier | TSESTree.StringLiteral): string =>
  node.type === 'Identifier' ? node.name : node.value;

/** The expression with the twin's name at its end: `load`, `lib.load`, `require('./lib').load`. */
function twinText({ view }: LoopModule, value: TSESTree.Node): string {
  return twinName(view.text.slice(...value.range));
}
