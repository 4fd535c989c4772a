import { parseModule } from '../read/module-view.ts';
import type { Edit } from './edit.ts';
import { eolNear, indentOf } from './lines.ts';

/** A member of a JSON object, and where it stands. */
export interface Member {
  key: string;
  start: number;
  end: number;
  value: { start: number; end: number; members: Member[] | undefined };
}

/** The members of a JSON object with their places; JSON is an expression of JavaScript. */
export function membersOf(text: string): Member['value'] | undefined {
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

/** Inserts a member before the one at an index, written as its neighbours are. */
export function insertMember(
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
