/** Says what is wrong with a value of `settings['owned-spawn']`. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** @throws {SettingsError} always, naming the value and what it must be. */
export function fail(where: string, what: string): never {
  throw new SettingsError(`${where} ${what}.`);
}

/** @throws {SettingsError} for what is no object, by the name of the setting. */
export function asRecord(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(where, 'must be an object');
  return value as Record<string, unknown>;
}

/** A list; none for undefined. */
export function asList(value: unknown, where: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) fail(where, 'must be a list');
  return value;
}

/** @throws {SettingsError} for a word that is not allowed, with those that are. */
export function oneOf<T extends string>(value: unknown, allowed: readonly T[], where: string): T {
  if (!allowed.includes(value as T)) fail(where, `must be one of ${allowed.join(', ')}`);
  return value as T;
}

/** @throws {SettingsError} for a key that is not known, with those that are. */
export function onlyKeys(record: Record<string, unknown>, known: readonly string[], where: string): void {
  for (const key of Object.keys(record)) {
    if (!known.includes(key)) fail(`${where}.${key}`, `is not known; known are ${known.join(', ')}`);
  }
}
