import type { Edit } from './edit.ts';
import { insertMember, membersOf, type Member } from './json-members.ts';
import { eolNear, indentOf } from './lines.ts';

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** A package to depend on. */
export interface Dependency {
  name: string;
  range: string;
  kind: 'dependencies' | 'devDependencies';
}

/**
 * The edit that adds a dependency to a package.json, written as its neighbours are: indentation, line ends, order. None
 * where the package has it already, in whatever kind of dependencies, or is itself that package.
 *
 * @param text without a byte order mark
 * @throws {SyntaxError} for a text that is no JSON object
 */
export function dependencyEdit(text: string, { name, range, kind }: Dependency): Edit | undefined {
  const manifest = JSON.parse(text) as Record<string, unknown> | null;
  const root = membersOf(text);
  if (typeof manifest !== 'object' || manifest === null || !root?.members)
    throw new SyntaxError('package.json holds no object');
  if (manifest.name === name || KINDS.some((each) => Object.hasOwn(manifest[each] ?? {}, name)))
    return undefined;
  const own = root.members.find(({ key }) => key === kind)?.value;
  if (own?.members) return insertMember(text, own, `"${name}": "${range}"`, placeIn(own.members, name));
  const unit = indentOf(text, root.members[0]?.start ?? 0);
  const eol = eolNear(text, root.start);
  const isFlat = !/[\n\r]/.test(text.trim());
  const member = isFlat
    ? `"${kind}": {"${name}": "${range}"}`
    : `"${kind}": {${eol}${unit}${unit}"${name}": "${range}"${eol}${unit}}`;
  const others = root.members.map(({ key }) => /dependencies$/i.test(key));
  const at = kind === 'dependencies' ? others.indexOf(true) : others.lastIndexOf(true) + 1 || -1;
  return insertMember(text, root, member, at < 0 ? root.members.length : at);
}

/** Where a name belongs among sorted ones; the end where they are in no order. */
function placeIn(members: readonly Member[], name: string): number {
  const names = members.map(({ key }) => key);
  const isSorted = names.every((each, i) => i === 0 || (names[i - 1] ?? '') <= each);
  const at = names.findIndex((each) => each > name);
  return isSorted && at >= 0 ? at : names.length;
}
