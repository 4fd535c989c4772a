import { nearest } from 'owned-spawn/cli';
import type { TSESTree } from '@typescript-eslint/utils';
import type { ModuleView } from './module-view.ts';
import { reasonFault, type ReasonFault } from './reason.ts';

export { bindMarkers, type MarkerTarget } from './marker-binding.ts';

export type MarkerKind = 'detached-spawn' | 'blocking-call';

/** What keeps a marker from excusing anything. */
export type MarkerFault =
  | ReasonFault
  /** `ok` and the reason run together: `detached-spawn: ok because …`. */
  | 'noSeparator'
  /** A near miss that can mean nothing else: `detatched spawn okay — …`. */
  | 'misspelt'
  /** The marker's words in the middle of a text, or without `ok`: a marker only where it stands at a site. */
  | 'unclear';

/** A comment that claims a site is meant: `detached-spawn: ok — why`. */
export interface Marker {
  kind: MarkerKind;
  comment: TSESTree.Comment;
  /** Offsets of the marker's text within the file; its reason may go on over further lines and comments. */
  start: number;
  end: number;
  /** Offset at which the reason, or what stands in its place, begins. */
  reasonStart: number;
  reason: string;
  /** `ok — for-rollout: why`: satisfies the rule, counted by the ratchet. */
  rollout: boolean;
  /** `[until=YYYY-MM-DD]` and `[ref=#12]`, as written. */
  until: string | undefined;
  ref: string | undefined;
  /** A marker with a fault excuses nothing. */
  fault: MarkerFault | undefined;
}

/** A line of a comment without its decoration. */
interface Line {
  text: string;
  start: number;
}

const NAME = /^(detached-spawn|blocking-call)\s*:/i;
const MARKER = /^(detached-spawn|blocking-call)\s*:\s*ok(?![\p{L}\p{N}_])/iu;
const SEPARATOR = /^\s*(?:[\p{Pd}−]{1,3}|:)\s*/u;
const ROLLOUT = /^for-rollout(?:\s*(?:[\p{Pd}−]{1,3}|:)\s*|$)/iu;
const ATTRIBUTES = /\s*\[\s*(?:(?:until|ref)=[^\s\]]*\s*)+\]/i;

/** One or two words, perhaps in a rule's name, then a word for ok; the weaker words count behind a colon only. */
const NEAR =
  /^@?(?:owned-spawn\/)?(?:no-)?(\p{L}+(?:[-_ ]?\p{L}+)?)(?:\s*([:=])\s*['"(]?(?:ok|okay|okey|okk|oke|yes|allow|allowed|fine|intended|intentional)|\s*[-–—\s]\s*(?:ok|okay|okey))(?![\p{L}\p{N}_])['")]?/iu;

/** The marker's words behind other words; in quotes or backticks they are only talked about. */
const INSIDE =
  /^(?!\/\/).*(?<![\p{L}\p{N}_'"`“«<([/-])(detached-spawn|blocking-call)\s*:\s*ok(?![\p{L}\p{N}_])/iu;

const NEAR_NAMES: Record<string, MarkerKind> = {
  'detached-spawn': 'detached-spawn',
  'spawn-detached': 'detached-spawn',
  'blocking-call': 'blocking-call',
};

/** Names that are everyday words: they count with a colon only. */
const SHORT_NAMES: Record<string, MarkerKind> = {
  detached: 'detached-spawn',
  detach: 'detached-spawn',
  'owned-spawn': 'detached-spawn',
  blocking: 'blocking-call',
  'sync-io': 'blocking-call',
};

/** Comments that tools read: none of them goes on with a reason. */
const DIRECTIVE = /^(?:eslint|oxlint|prettier|biome|istanbul|c8|v8|webpack|#|@)/;

/** Every marker of a module, those with faults and near misses included, in the order of the text. */
export function readMarkers(view: ModuleView): Marker[] {
  return view.comments.flatMap((comment, position) => {
    if (!/detach|spawn|block|call/i.test(comment.value)) return [];
    const lines = linesOf(comment);
    const more = comment.type === 'Line' ? continuation(view, position) : [];
    return lines.flatMap((line, index) => {
      const marker = readMarker(comment, line, [...lines.slice(index + 1), ...more]);
      return marker ? [marker] : [];
    });
  });
}

function linesOf({ type, value, range }: TSESTree.Comment): Line[] {
  const decoration = type === 'Block' ? /^\s*\*?\s*/ : /^\s*/;
  return [...value.matchAll(/[^\r\n\u2028\u2029]+|(?<=\n)(?=\r?\n)/g)].map(({ 0: raw, index }) => {
    const text = raw.replace(decoration, '');
    return { text: text.trimEnd(), start: range[0] + 2 + index + raw.length - text.length };
  });
}

/** The line comments below one, in the same column and without a gap: `// … the reason` `// goes on`. */
function continuation({ text, comments }: ModuleView, position: number): Line[] {
  const first = comments[position];
  const lines: Line[] = [];
  for (const comment of comments.slice(position + 1)) {
    const isNext =
      comment.type === 'Line' &&
      text.slice(comment.range[0] - comment.loc.start.column, comment.range[0]).trim() === '' &&
      comment.loc.start.line === (first?.loc.start.line ?? 0) + lines.length + 1 &&
      comment.loc.start.column === first?.loc.start.column;
    const [line] = linesOf(comment);
    if (!isNext || !line || DIRECTIVE.test(line.text)) break;
    lines.push(line);
  }
  return lines;
}

function readMarker(comment: TSESTree.Comment, line: Line, below: readonly Line[]): Marker | undefined {
  const exact = MARKER.exec(line.text);
  if (exact) return wellSpelt(comment, line, exact, below);
  const near = NEAR.exec(line.text);
  const nearKind = near && nearName(near[1] ?? '', near[2] !== undefined);
  if (near && nearKind) {
    const rest = afterHead(line, near[0].length);
    return marker(comment, line, nearKind, { ...rest, fault: 'misspelt' });
  }
  const unclear = NAME.exec(line.text) ?? INSIDE.exec(line.text);
  if (!unclear) return undefined;
  const rest = afterHead(line, unclear.index + unclear[0].length);
  return marker(comment, line, kindOf(unclear[1]), { ...rest, fault: 'unclear' });
}

function wellSpelt(
  comment: TSESTree.Comment,
  line: Line,
  [head, name]: RegExpExecArray,
  below: readonly Line[],
): Marker {
  const rest = afterHead(line, head.length);
  const more = rest.reason && !reasonFault(rest.reason) ? linesUntilEnd(below) : [];
  const whole = [rest.raw, ...more.map(({ text }) => text)].join(' ');
  const reason = withoutAttributes(whole).replace(ROLLOUT, '').trim();
  const fault = reasonFault(reason);
  return marker(comment, line, kindOf(name), {
    ...rest,
    ...attributes(line.text + ' ' + whole),
    reason,
    rollout: ROLLOUT.test(withoutAttributes(rest.raw)),
    fault: fault ?? (rest.separated ? undefined : 'noSeparator'),
    end: endOf(more.at(-1) ?? line),
  });
}

interface Rest {
  /** The text behind the separator, attributes included. */
  raw: string;
  reason: string;
  reasonStart: number;
  separated: boolean;
}

/** What stands behind `ok` on the marker's own line. */
function afterHead(line: Line, headLength: number): Rest {
  const behind = line.text.slice(headLength);
  const attributesFirst = /^\s*\[[^\]]*\]/.exec(behind)?.[0] ?? '';
  const separator = SEPARATOR.exec(behind.slice(attributesFirst.length));
  const skipped = separator ? attributesFirst.length + separator[0].length : 0;
  const raw = behind.slice(skipped).trimStart();
  const reason = withoutAttributes(raw).trim();
  return { raw, reason, reasonStart: endOf(line) - raw.length, separated: separator !== null };
}

function withoutAttributes(text: string): string {
  return text.replace(ATTRIBUTES, '').trim();
}

function attributes(text: string): Pick<Marker, 'until' | 'ref'> {
  const inside = ATTRIBUTES.exec(text)?.[0] ?? '';
  return { until: /\buntil=([^\s\]]*)/i.exec(inside)?.[1], ref: /\bref=([^\s\]]*)/i.exec(inside)?.[1] };
}

/** A reason ends at an empty line, a JSDoc tag, and the next marker. */
function linesUntilEnd(lines: readonly Line[]): readonly Line[] {
  const end = lines.findIndex(({ text }) => text === '' || text.startsWith('@') || NAME.test(text));
  return end === -1 ? lines : lines.slice(0, end);
}

function marker(
  comment: TSESTree.Comment,
  line: Line,
  kind: MarkerKind,
  { reason, reasonStart, fault, ...rest }: Pick<Marker, 'reason' | 'reasonStart' | 'fault'> & Partial<Marker>,
): Marker {
  const { rollout = false, until, ref, end = endOf(line) } = rest;
  return { kind, comment, start: line.start, end, reasonStart, reason, rollout, until, ref, fault };
}

function endOf({ text, start }: Line): number {
  return start + text.length;
}

function kindOf(name = ''): MarkerKind {
  return name.toLowerCase() === 'blocking-call' ? 'blocking-call' : 'detached-spawn';
}

function nearName(name: string, hasColon: boolean): MarkerKind | undefined {
  const word = name.toLowerCase().replace(/[_ ]/g, '-');
  if (hasColon && Object.hasOwn(SHORT_NAMES, word)) return SHORT_NAMES[word];
  return NEAR_NAMES[nearest(word, Object.keys(NEAR_NAMES)) ?? ''];
}
