import { isDate } from '../read/date.ts';
import { reasonFault, wordsOf } from '../read/reason.ts';
import { asList, asRecord, fail, oneOf, onlyKeys } from './checked.ts';

/** What a group may cover. */
export type AllowKind = 'detached-spawn' | 'blocking-call';

/** Process starts and blocking calls that share one reason, as `settings['owned-spawn'].allow` names them. */
export type AllowGroup = AllowReason &
  (
    | { from: 'file'; path: string; name?: string }
    | { from: 'package'; package: string; name?: string }
    | { from: 'name'; name: string }
  );

interface AllowReason {
  /** What is covered; both where it is not said. */
  kind?: AllowKind;
  reason: string;
  /** The day, as YYYY-MM-DD, until which the reason is to hold. */
  until?: string;
  /** Where more is said: an issue's number, an address. */
  ref?: string;
}

/** The key that each form of a group needs, and what it holds. */
const NEEDS: Readonly<Record<AllowGroup['from'], readonly [key: string, holds: string]>> = {
  file: ['path', "must be a glob of files, such as 'src/daemons/**'"],
  package: ['package', "must be a package's name, such as 'execa'"],
  name: ['name', "must be the name of what is called or of the function around it, such as 'startDaemon'"],
};

const FEWEST_WORDS = 3;

/** @throws {SettingsError} for groups that are wrong, naming the entry and what is wrong with it. */
export function checkAllow(value: unknown, where: string): void {
  for (const [index, entry] of asList(value, where).entries()) checkGroup(entry, `${where}[${index}]`);
}

function checkGroup(entry: unknown, where: string): void {
  const group = asRecord(entry, where);
  const from = oneOf(group.from, ['file', 'package', 'name'], `${where}.from`);
  const [needed, holds] = NEEDS[from];
  onlyKeys(group, [...new Set(['from', needed, 'name', 'kind', 'reason', 'until', 'ref'])], where);
  if (group.kind !== undefined) oneOf(group.kind, ['detached-spawn', 'blocking-call'], `${where}.kind`);
  const isText = (key: string): boolean => typeof group[key] === 'string' && group[key] !== '';
  if (!isText(needed)) fail(`${where}.${needed}`, holds);
  for (const key of ['name', 'ref']) {
    if (group[key] !== undefined && !isText(key)) fail(`${where}.${key}`, 'must be a text');
  }
  const { reason, until } = group;
  if (typeof reason !== 'string' || reasonFault(reason) || wordsOf(reason).length < FEWEST_WORDS) {
    const given = typeof reason === 'string' ? `; "${reason}" does not` : '';
    fail(
      `${where}.reason`,
      `must say in at least ${FEWEST_WORDS} words why these outlive their owner, or why they may block${given}`,
    );
  }
  if (until !== undefined && !(typeof until === 'string' && isDate(until)))
    fail(`${where}.until`, 'must be a date, as YYYY-MM-DD');
}
