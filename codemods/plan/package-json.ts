import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eolNear, indentOf, parseModule, type Edit } from 'eslint-plugin-owned-spawn/api';

const RUNTIME = 'owned-spawn';

/** The package.json that a file belongs to; one without a name or dependencies only says how to load what lies beside it. */
export function packageJsonOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && isPackage(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

function isPackage(file: string): boolean {
  try {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null;
    return (
      manifest === null || 'name' in manifest || 'dependencies' in manifest || 'devDependencies' in manifest
    );
  } catch {
    // Its fault is reported where it is edited.
    return true;
  }
}

/** The range that a project depends on the runtime by. */
export function runtimeRange(): string {
  const path = createRequire(import.meta.url).resolve(`${RUNTIME}/package.json`);
  return `^${(JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version}`;
}

interface Member {
  key: string;
  start: number;
  end: number;
  value: { start: number; end: number; members: Member[] | undefined };
}

/** The members of a JSON object with their places; JSON is an expression of JavaScript. */
function membersOf(text: string): Member['value'] | undefined {
  const { ast } = parseModule(`(${text})`, 'package.js');
  const [statement] = ast.body;
  if (statement?.type !== 'ExpressionStatement') return undefined;
  const read = (node: { type: string; range: [number, number] }): Member['value'] => {
    const [start, end] = node.range;
    const { properties } = node as unknown as {
      properties?: { range: [number, number]; key: { value?: unknown }; value: typeof node }[];
    };
    const members = properties?.map((property) => ({
      key: String(property.key.value),
      start: property.range[0] - 1,
      end: property.range[1] - 1,
      value: read(property.value),
    }));
    return { start: start - 1, end: end - 1, members };
  };
  return read(statement.expression);
}

/**
 * The edit that adds the runtime to a package.json's dependencies, written as its neighbours are: indentation, line ends,
 * order. None where the package has it already, in whatever kind of dependencies, or is the runtime itself.
 *
 * @param text without a byte order mark
 * @throws {SyntaxError} for a text that is no JSON object
 */
export function dependencyEdit(text: string, range: string): Edit | undefined {
  const manifest = JSON.parse(text) as Record<string, unknown> | null;
  const root = membersOf(text);
  if (typeof manifest !== 'object' || manifest === null || !root?.members)
    throw new SyntaxError('package.json holds no object');
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  if (manifest.name === RUNTIME || kinds.some((kind) => Object.hasOwn(manifest[kind] ?? {}, RUNTIME)))
    return undefined;
  const own = root.members.find(({ key }) => key === 'dependencies')?.value;
  if (own?.members) return insertMember(text, own, `"${RUNTIME}": "${range}"`, placeIn(own.members));
  const unit = indentOf(text, root.members[0]?.start ?? 0);
  const eol = eolNear(text, root.start);
  const isFlat = !/[\n\r]/.test(text.trim());
  const member = isFlat
    ? `"dependencies": {"${RUNTIME}": "${range}"}`
    : `"dependencies": {${eol}${unit}${unit}"${RUNTIME}": "${range}"${eol}${unit}}`;
  const before = root.members.findIndex(({ key }) => /dependencies$/i.test(key));
  return insertMember(text, root, member, before < 0 ? root.members.length : before);
}

/** Where the runtime's name belongs among sorted names; the end where they are in no order. */
function placeIn(members: readonly Member[]): number {
  const names = members.map(({ key }) => key);
  const isSorted = names.every((name, i) => i === 0 || (names[i - 1] ?? '') <= name);
  const at = names.findIndex((name) => name > RUNTIME);
  return isSorted && at >= 0 ? at : names.length;
}

/** Inserts a member before the one at an index. */
function insertMember(
  text: string,
  { start, end, members = [] }: Member['value'],
  member: string,
  at: number,
): Edit {
  const next = members[at];
  const prev = members[at - 1];
  const neighbour = prev ?? next;
  if (!neighbour) {
    const outer = indentOf(text, start);
    const eol = eolNear(text, start);
    const inner = outer === '' ? '  ' : outer + outer;
    const isFlat = !/[\n\r]/.test(text.trim());
    return {
      start: start + 1,
      end: end - 1,
      text: isFlat ? member : `${eol}${inner}${member}${eol}${outer}`,
    };
  }
  const opening = text.slice(start + 1, members[0]?.start);
  const gap = prev && next ? text.slice(text.indexOf(',', prev.end) + 1, next.start) : opening;
  return next
    ? { start: next.start, end: next.start, text: `${member},${gap}` }
    : { start: neighbour.end, end: neighbour.end, text: `,${gap}${member}` };
}
