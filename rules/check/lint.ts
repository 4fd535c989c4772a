import { createRequire } from 'node:module';
import { parse as parsePath } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, type Linter, type Rule, type SourceCode } from 'eslint';
import type { SpawnSettings } from '../apis/tables.ts';
import plugin from '../index.ts';
import { PATHS_OPTION } from '../graph/given-paths.ts';
import type { LightCalls } from '../graph/program-graph.ts';
import type { PathFinding } from '../graph/program-reach.ts';
import { concerns } from './concerns.ts';
import type { Crossing } from './crossing.ts';
import { isScript } from './files.ts';
import { collectGarbage } from './garbage.ts';
import { ANY_FILE, configOf } from './settings.ts';

/** What ESLint says of one file, and the tree it said it of. */
export interface Linted {
  /** Of our rules, under the plugin's own name; and the fatal ones. */
  messages: Linter.LintMessage[];
  suppressed: Linter.SuppressedLintMessage[];
  /** Undefined where the file did not parse, or where a processor made several texts of it. */
  source: SourceCode | undefined;
  settings: SpawnSettings;
  /** What blocks through other files. */
  paths: readonly PathFinding[];
  /** What the names of our rules begin with in this config: `owned-spawn/`. */
  prefixes: readonly string[];
}

/**
 * Lints a text; undefined means that the config has no say about the file.
 * @throws what a rule throws; {@link UserError} for a config that does not load
 */
export type Lint = (path: string, text: string) => Promise<Linted | undefined>;

const PREFIX = 'owned-spawn/';

/** In UTF-16 units. */
const BIG = 1_000_000;

interface Seen {
  source: SourceCode;
  settings: SpawnSettings;
}

/** A rule that reports nothing: it hands out the tree that the other rules work on. */
function observer(seen: Seen[]): Linter.Config {
  const rule: Rule.RuleModule = {
    create: ({ sourceCode, settings }) => {
      seen.push({ source: sourceCode, settings: settings['owned-spawn'] ?? {} });
      return {};
    },
  };
  return {
    plugins: { 'owned-spawn-check': { rules: { observer: rule } } },
    rules: { 'owned-spawn-check/observer': 'error' },
  };
}

/**
 * A linter over one config.
 * @param configFile of the user; undefined for `configs` alone
 * @param cwd the folder that the config's patterns are relative to
 * @param ignore whether the config's own ignores count
 */
function linter(
  configFile: string | undefined,
  configs: Linter.Config[],
  cwd: string,
  ignore: boolean,
  crossing: Crossing | undefined,
): Lint {
  const seen: Seen[] = [];
  // The names that the config gives our plugin.
  const prefixes = new Set<string>();
  const ours = (ruleId: string): string | undefined =>
    [...prefixes].find((prefix) => ruleId.startsWith(prefix));
  const eslint = new ESLint({
    cwd,
    ignore,
    overrideConfigFile: configFile ?? true,
    overrideConfig: [
      ...configs,
      ...ANY_FILE,
      { linterOptions: { reportUnusedDisableDirectives: 'off' } },
      observer(seen),
      ...(crossing ? [{ languageOptions: { parserOptions: { [PATHS_OPTION]: crossing.findingsOf } } }] : []),
    ],
    ruleFilter: ({ ruleId }) => ours(ruleId) !== undefined || ruleId === 'owned-spawn-check/observer',
    warnIgnored: false,
  });
  const kept = <M extends Linter.LintMessage>(messages: M[], walked: boolean): M[] =>
    messages.flatMap((message) => {
      // A file that was walked did parse: then it is a directive that does not.
      if (message.ruleId === null) return message.fatal && !walked ? [message] : [];
      const prefix = ours(message.ruleId);
      return prefix === undefined
        ? []
        : [{ ...message, ruleId: PREFIX + message.ruleId.slice(prefix.length) }];
    });

  return async (path, text) => {
    const config = await configOf(eslint, path, configFile);
    if (!config) return undefined;
    for (const prefix of prefixesOf(config)) prefixes.add(prefix);
    const settings = (config.settings?.['owned-spawn'] ?? {}) as SpawnSettings;
    const light = followed(config, prefixes);
    const paths = (light && crossing?.findingsOf(path, settings, light)) ?? [];
    const facts = { settings, prefixes: [...prefixes], paths };
    if (paths.length === 0 && !concerns(path, text, settings, crossing?.parses(path)))
      return { messages: [], suppressed: [], source: undefined, ...facts };
    if (text.length > BIG) collectGarbage();
    const [result] = await eslint.lintText(text, { filePath: path });
    const trees = seen.splice(0);
    if (text.length > BIG) {
      // ESLint holds on to the last tree until it has the next, and that of a bundle takes most of a gigabyte.
      await eslint.lintText('', { filePath: path });
      seen.length = 0;
    }
    if (!result) return undefined;
    return {
      messages: kept(result.messages, trees.length > 0),
      suppressed: kept(result.suppressedMessages, trees.length > 0),
      source: trees.length === 1 ? trees[0]?.source : undefined,
      ...facts,
    };
  };
}

/** What the names of our rules begin with in a config. */
export const prefixesOf = ({ plugins = {} }: Linter.Config): string[] =>
  Object.entries(plugins).flatMap(([name, { meta }]) =>
    meta?.name === plugin.meta?.name ? [`${name}/`] : [],
  );

/** How a config has the rule that follows calls into other files; undefined where that is off. */
export function followed(config: Linter.Config, prefixes: Iterable<string>): LightCalls | undefined {
  const options = optionsOf(config, prefixes, 'no-blocking-call-path');
  return options && { probes: options.probes ?? false, pointQueries: options.pointQueries ?? false };
}

/** How a config has one of our rules; undefined where that is off. */
export function optionsOf(
  { rules }: Linter.Config,
  prefixes: Iterable<string>,
  rule: string,
): Partial<LightCalls> | undefined {
  for (const prefix of prefixes) {
    const [severity, options = {}] = [rules?.[prefix + rule]].flat() as [
      Linter.RuleSeverity?,
      Partial<LightCalls>?,
    ];
    if (severity !== undefined && severity !== 0 && severity !== 'off') return options;
  }
  return undefined;
}

// Patterns that end in `/*` would match nothing by themselves.
const EVERY_FILE = ['**/?*'];

const ofEslint = createRequire(createRequire(import.meta.url).resolve('eslint/package.json'));

const withTypescript: Linter.LanguageOptions = {
  parser: typescriptParser,
  sourceType: 'module',
  parserOptions: {
    jsDocParsingMode: 'none',
    ecmaFeatures: { jsx: true },
    // Lifts what a user's config says of types: the paths come from a program of ours.
    project: null,
    projectService: false,
    programs: null,
  },
};
const withEspree = (sourceType: 'module' | 'commonjs'): Linter.LanguageOptions => ({
  ecmaVersion: 'latest',
  parser: ofEslint('espree') as Linter.Parser,
  sourceType,
  parserOptions: { ecmaFeatures: { jsx: true } },
});

/**
 * Lints with whatever parser of ours takes the file. For JavaScript ESLint's own goes first: half the time and two thirds
 * of the memory of TypeScript's. As CommonJS it takes sloppy code (octal numbers, `with`, a `return` at the top level);
 * TypeScript's takes what is left: decorators, type annotations, newest syntax.
 */
function anyParser(lintWith: (languageOptions: Linter.LanguageOptions) => Lint): Lint {
  const [typescript, ...others] = [withTypescript, withEspree('module'), withEspree('commonjs')].map(
    lintWith,
  );
  return async (path, text) => {
    const attempts = /\.([cm]?ts|tsx)$/.test(path) ? [typescript] : [...others, typescript];
    let failed: Linted | undefined;
    for (const lint of attempts) {
      const linted = await lint?.(path, text);
      if (linted?.messages[0]?.fatal !== true) return linted;
      // typescript-eslint's columns count from 0, espree's from 1.
      if (lint === typescript) linted.messages[0].column += 1;
      failed = failed && position(failed) >= position(linted) ? failed : linted;
    }
    return failed;
  };
}

/**
 * Lints by a config of the user. Their parser may refuse a script that no project of theirs includes (`dist`, `scripts`),
 * or they have none for it: ours take it then, by their rules and settings.
 */
export function userLint(configFile: string, cwd: string, ignore: boolean, crossing?: Crossing): Lint {
  const lintWith = (configs: Linter.Config[]): Lint => linter(configFile, configs, cwd, ignore, crossing);
  const theirs = lintWith([]);
  let ours: Lint | undefined;
  return async (path, text) => {
    const linted = await theirs(path, text);
    if (!isScript(path) || !linted?.messages.some(({ fatal }) => fatal)) return linted;
    ours ??= anyParser((languageOptions) => lintWith([{ languageOptions }]));
    return ours(path, text);
  };
}

/** Lints by the recommended preset. */
export function builtInLint(crossing?: Crossing): Lint {
  const preset = plugin.configs[crossing ? 'recommended-type-checked' : 'recommended'];
  return anyParser((languageOptions) =>
    linter(
      undefined,
      [{ files: EVERY_FILE, ...preset, languageOptions }],
      parsePath(process.cwd()).root,
      true,
      crossing,
    ),
  );
}

/** How far a parser came: the one that came furthest knows best what is wrong. */
const position = ({ messages: [message] }: Linted): number =>
  (message?.line ?? 0) * 1e6 + (message?.column ?? 0);
