import {
  applyEdits,
  asyncFunctionEdits,
  hasOverlap,
  joinEdits,
  sortedEdits,
  type Declared,
  type Edit,
  type FunctionNode,
  type LoopModule,
  type WrappingEdit,
} from 'eslint-plugin-owned-spawn/api';
import { formReason } from './function-form.ts';
import { functionIn, promiseReturn, requireTypes, signatureOf } from './function-plan.ts';
import { noRequirements, type Blocker, type Ground, type Patch } from './requirements.ts';
import { memberShape, twinName, twinShapeOf, type TwinShape } from './twin-shape.ts';

/** A function that stays as it is, with all that has the same contract: each gets a twin, or none. */
export interface TwinFamily {
  module: LoopModule;
  fn: FunctionNode;
  functions: readonly FunctionNode[];
  members: readonly Declared[];
  /** What makes the twins of the functions, and of members without a body. */
  patches: readonly Patch[];
  /** Why it has no twin although it could have one. */
  trouble?: Blocker;
}

/** Undefined where a function cannot have a twin, or others implement what it does. */
export function twinFamily(ground: Ground, fn: FunctionNode): TwinFamily | undefined {
  const module = ground.modules.of(fn);
  const isMember = /^(MethodDefinition|PropertyDefinition|Property)$/.test(fn.parent.type);
  const contract = isMember ? ground.references.contractOf(module.view.filename, ...fn.range) : undefined;
  if (contract?.isOpen) return undefined;
  const functions = new Set([fn]);
  const its = noRequirements();
  const places = new Set([module]);
  for (const member of contract?.members ?? []) {
    const node = ground.modules.nodeAt(member);
    const other = ground.modules.functionAt(member) ?? functionIn(node);
    const place = ground.modules.at(member.file);
    if (other) functions.add(other);
    else if (!place || !node || ground.isPublic(member.file)) return undefined;
    else {
      const signature = signatureOf(node);
      const shape = signature === 'other' || !signature ? undefined : memberShape(place, [node]);
      if (!signature || signature === 'other' || !shape) return undefined;
      const asked = noRequirements();
      promiseReturn(asked, place, signature);
      const edit = twinEdit(place, shape, [...shape.edits, ...asked.patches.flatMap(({ edits }) => edits)]);
      if (asked.blockers.length > 0 || !edit) return undefined;
      its.patches.push({ file: member.file, edits: [edit] });
      places.add(place);
    }
  }
  let name = '';
  for (const each of functions) {
    const place = ground.modules.of(each);
    const shape = formReason(each) || each.async ? undefined : twinShapeOf(place, each);
    if (!shape) return undefined;
    const asked = noRequirements();
    requireTypes(asked, place, each);
    if (asked.blockers.length > 0) return undefined;
    const edits = [...shape.edits, ...asyncFunctionEdits(place.view, each)];
    its.patches.push({ file: place.view.filename, edits, isForTwin: true });
    its.patches.push(...asked.patches.map((patch) => ({ ...patch, isForTwin: true })));
    places.add(place);
    name = twinName(shape.name);
  }
  if ([...places].some(({ view }) => !ground.isGiven(view.filename))) return undefined;
  const taken = [...places].find((place) => isNamed(place, name));
  const { line, column } = fn.loc.start;
  return {
    module,
    fn,
    functions: [...functions],
    members: contract?.members ?? [],
    patches: its.patches,
    ...(taken && { trouble: { reason: 'twin-name', file: module.view.filename, line, column: column + 1 } }),
  };
}

/** Whether something in a module, or only a comment, has a name. */
export const isNamed = ({ view }: LoopModule, name: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(view.text);

/** The edit that puts the twin behind what it is a copy of; undefined where two edits of the copy collide. */
export function twinEdit(
  { view: { text } }: LoopModule,
  { start, end, between }: TwinShape,
  edits: readonly WrappingEdit[],
): Edit | undefined {
  const joined = sortedEdits(joinEdits(edits));
  if (hasOverlap(joined)) return undefined;
  const moved = joined.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return { start: end, end, text: between + applyEdits(text.slice(start, end), moved) };
}
