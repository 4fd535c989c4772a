import { defaultName } from 'eslint-plugin-owned-spawn/api';

/** What gives the default export of another file a name, as the text of a file has it. */
const NAMED =
  /(?:import\s+(?<import>[\w$]+)\b[^'";]*?from|(?<assigned>[\w$]+)\s*[:=]\s*(?:await\s+)?(?:require|import)\s*\(|\bdefault\s+as\s+(?<as>[\w$]+)[^'";]*?from|\bdefault\s*:\s*(?<key>[\w$]+)[^'";]*?(?:require|import)\s*\()\s*['"](?<from>[^'"]+)['"]/g;

/**
 * The names by which the files of a program may call another one's default export; who uses them asks what they stand for.
 *
 * @param textOf the text of a file
 */
export function defaultNamesIn(
  files: readonly string[],
  textOf: (file: string) => string | undefined,
): (file: string) => readonly string[] {
  let gathered: Map<string, Set<string>> | undefined;

  function gather(): Map<string, Set<string>> {
    const names = new Map<string, Set<string>>();
    for (const file of files) {
      for (const { groups = {} } of (textOf(file) ?? '').matchAll(NAMED)) {
        const name = groups.import ?? groups.assigned ?? groups.as ?? groups.key;
        const of = defaultName(groups.from ?? '');
        if (name !== undefined) names.set(of, (names.get(of) ?? new Set()).add(name));
      }
    }
    return names;
  }

  return (file) => [...((gathered ??= gather()).get(defaultName(file)) ?? [])];
}
