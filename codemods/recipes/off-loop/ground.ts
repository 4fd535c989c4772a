import {
  compiler,
  growSlowly,
  handledModules,
  importsOf,
  loopTable,
  programOf,
  references,
  type SpawnSettings,
} from 'eslint-plugin-owned-spawn/api';
import { placeKey } from '../../plan/place-before.ts';
import type { ProjectOptions } from '../../plan/project.ts';
import { replacedInTests } from '../replaced-in-tests.ts';
import { defaultNamesIn } from './default-names.ts';
import { importingOf } from './importing.ts';
import { modulesOf } from './modules.ts';
import { packagesOf } from './packages.ts';
import type { Ground } from './requirements.ts';
import { OPENS_SQLITE } from './sqlite-drivers.ts';
import { sqliteHandles, type SqliteHandle } from './sqlite-handles.ts';

/**
 * Reads the program that the recipe stands on.
 *
 * @param files all that it is made of
 * @param settings of the files that may be edited
 */
export function groundOf(
  files: readonly string[],
  settings: ReadonlyMap<string, SpawnSettings>,
  options: ProjectOptions,
): Ground {
  const ts = compiler();
  // The program stays to the end, and a tree of each module that the plan touches: a quarter of the memory, for 15 % more time.
  growSlowly(20);
  const program = programOf(ts, files, (path) => options.overlay?.get(path));
  const sourceOf = program.getSourceFile.bind(program);
  const textOf = (file: string): string | undefined => sourceOf(file)?.text;
  const sources = program.getSourceFiles();
  const imports = importsOf(ts, program, sources);
  const handed = handledModules(ts, sources, loopTable(undefined), imports);
  const modules = modulesOf(ts, sourceOf, (file) => settings.get(file), handed);
  const packages = packagesOf(textOf);
  let databases: readonly SqliteHandle[] | undefined;
  const ground: Ground = {
    modules,
    textOf,
    references: references(ts, program),
    importing: importingOf(program, imports),
    isEsModule: packages.isEsModule,
    isPublic: packages.isPublic,
    isExpressWaiting: (file) => (packages.majorOf(file, 'express') ?? 0) >= 5,
    isGiven: (file) => settings.has(file),
    defaultNames: defaultNamesIn(files, textOf),
    replacedInTests: replacedInTests(files, textOf, (name) => /Sync$|^sync$/.test(name)),
    despiteDoubles: options.despiteDoubles ?? false,
    databasesOf(module) {
      databases ??= files.flatMap((file) => {
        const opening = OPENS_SQLITE.test(textOf(file) ?? '') ? modules.at(file) : undefined;
        return opening ? sqliteHandles(ground, opening) : [];
      });
      return databases.filter(({ modules: its }) => its.has(module));
    },
    isVoid: (file, given) =>
      options.voids?.has(
        placeKey(file, { line: given.loc.start.line, column: given.loc.start.column + 1 }),
      ) ?? false,
    allowApiChange: options.allowApiChange ?? false,
    twins: options.twins ?? false,
  };
  return ground;
}
