import { readFile } from 'node:fs/promises';
import { isScript, shownPath, sourceFiles, type SpawnSite } from 'eslint-plugin-owned-spawn/api';
import { replacedInTests, type ReplacedInTests } from '../recipes/replaced-in-tests.ts';
import { packageFolder } from './package-json.ts';
import type { ProjectOptions } from './project.ts';

/** Where a test replaces what a site of a file calls, as `test/x.test.ts:12:3`. */
export type SpawnDoubles = (file: string) => Promise<(site: SpawnSite) => string | undefined>;

/** What starts a child that is migrated: functions, and the modules that they are of. */
const STARTS = /^(?:child_process|spawn|fork|execa|execaNode|cross-spawn)$/;

/** The doubles of what starts children, in the tests around a folder; these are read at the first question. */
export function spawnDoubles(base: string, { cwd, overlay }: ProjectOptions): SpawnDoubles {
  let known: Promise<ReplacedInTests> | undefined;

  async function gather(): Promise<ReplacedInTests> {
    const texts = new Map<string, string>();
    for (const { path } of await sourceFiles([packageFolder(base)], cwd, false)) {
      if (!isScript(path)) continue;
      const text = overlay?.get(path) ?? (await readFile(path, 'utf8').catch(() => ''));
      if (/child_process|spawn|fork|execa/.test(text)) texts.set(path, text);
    }
    return replacedInTests(
      [...texts.keys()],
      (path) => texts.get(path),
      (name) => STARTS.test(name),
    );
  }

  return async (file) => {
    const replaced = await (known ??= gather());
    return ({ api }) => {
      const [module = '', ...names] = api.split('.');
      const [place] = [module, ...names].flatMap((name) => replaced(file, name));
      return place && `${shownPath(place.file, base)}:${place.line}:${place.column}`;
    };
  };
}
