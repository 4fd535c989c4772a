import {
  functionAround,
  isClass,
  offFile,
  shownPath,
  type FunctionNode,
  type LoopModule,
} from 'eslint-plugin-owned-spawn/api';
import type { TSESTree } from '@typescript-eslint/utils';
import type { HostProposal } from '../../plan/plan.ts';
import type { Judged } from './judged.ts';
import type { Ground } from './requirements.ts';

/** With more blocking calls than these a module is worth a host of its own, in which they all stay as they are. */
const FEW = 5;

/** `import { find, type Row } from './repo.js';`, `const repo = require('./repo')` */
const IMPORT =
  /^(?:import\s+(?:\*\s*as\s+(?<all>[\w$]+)|\{(?<named>[^}]*)\})\s*from\s*|(?:const|let|var)\s+(?:(?<held>[\w$]+)|\{(?<taken>[^}]*)\})\s*=\s*require\(\s*)(?<from>(['"])(?<path>[^'"\n]+)\6)[ \t]*\)?;?/gm;

/**
 * The modules with more than a few blocking calls that `owned-spawn/offload` could host whole: others only call functions of
 * them. They are proposed and not moved, for what they remember and what they are handed cannot be seen from here.
 */
export function hostedModules(sites: readonly Judged[], ground: Ground, base: string): HostProposal[] {
  const blocking = new Map<LoopModule, Judged[]>();
  for (const each of sites)
    if (each.status !== 'suppressed') blocking.set(each.module, [...(blocking.get(each.module) ?? []), each]);
  return [...blocking].flatMap(([{ view }, its]) => {
    if (its.length <= FEW || !its.every(({ site }) => isModuleFunction(site.unit.fn))) return [];
    const edits: HostProposal['edits'] = [];
    for (const file of ground.importing.importersOf(view.filename)) {
      const user = ground.modules.at(file);
      if (!user || offFile(user) !== undefined) continue;
      const edit = hostEdit(user, view.filename, ground, base);
      if (!edit) return [];
      edits.push(edit);
    }
    if (edits.length === 0) return [];
    return { module: shownPath(view.filename, base), sites: its.length, edits };
  });
}

/** A function of the module itself: what one makes, or an object of a class, could not leave the host. */
function isModuleFunction(fn: FunctionNode | undefined): boolean {
  if (!fn || functionAround(fn)) return false;
  for (let at: TSESTree.Node = fn; at.parent; at = at.parent) if (isClass(at)) return false;
  return true;
}

/** What a module would write to host another one; undefined where it does not only import functions of it by one statement. */
function hostEdit(
  { view, index }: LoopModule,
  target: string,
  ground: Ground,
  base: string,
): HostProposal['edits'][number] | undefined {
  const { filename: file, text } = view;
  const imports = [...text.matchAll(IMPORT)].filter(
    ({ groups }) => ground.importing.fileOf(file, groups?.path ?? '') === target,
  );
  const [found] = imports;
  if (!found || imports.length > 1) return undefined;
  const { all, named = '', held, taken = '', from = '', path = '' } = found.groups ?? {};
  const names = (named || taken)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const types = names.flatMap((name) => /^type\s+(.*)/.exec(name)?.[1] ?? []);
  const values = names.filter((name) => !/^type\s/.test(name)).map((name) => name.replace(/\s+as\s+/, ': '));
  const whole = all ?? held;
  const calls =
    whole === undefined
      ? values.map((name) => index.callsNamed(name.replace(/^.*:\s*/, '')))
      : [index.calls.filter(({ range: [start] }) => text.startsWith(`${whole}.`, start))];
  const isCalled =
    calls.length > 0 &&
    calls.every(
      (its) =>
        its.length > 0 &&
        its.every(
          (call) =>
            call.type === 'CallExpression' &&
            ground.references
              .declarationsAt(file, ...call.range)
              .some((each) => each.file === target && ground.modules.functionAt(each)),
        ),
    );
  if (!isCalled) return undefined;
  const type = /\.[cm]?tsx?$/.test(file) ? `<typeof import(${from})>` : '';
  const where = ground.isEsModule(file) ? `new URL(${from}, import.meta.url)` : `require.resolve(${from})`;
  const runtime = from.replace(path, 'owned-spawn/offload');
  return {
    file: shownPath(file, base),
    line: text.slice(0, found.index).split('\n').length,
    calls: calls.flat().length,
    old: found[0],
    text: [
      found[0].startsWith('import')
        ? `import { offload } from ${runtime};`
        : `const { offload } = require(${runtime});`,
      ...(types.length > 0 ? [`import type { ${types.join(', ')} } from ${from};`] : []),
      `const ${whole ?? `{ ${values.join(', ')} }`} = offload${type}(${where});`,
    ].join('\n'),
  };
}
